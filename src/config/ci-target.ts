import { stringify } from 'yaml';

/** What a CI service has to know of a target. Neither has a character that means something to a shell. */
export interface CiTarget {
  name: string;
  apiKeyVariable: string;
}

/** Major version of Node that the jobs use. */
export const NODE = 24;

/** Whether targets have a key in common: their jobs go one after the other then, or they use up each other's limit. */
export function shareKeys(targets: readonly CiTarget[]): boolean {
  return new Set(targets.map(({ apiKeyVariable }) => apiKeyVariable)).size < targets.length;
}

/** A name as a value of YAML: `1e3` is one, and no number. */
export function scalar(name: string): string {
  return stringify(name).trim();
}
