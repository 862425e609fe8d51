import { stringify } from 'yaml';

/** What a CI service has to know of a target. Neither has a character that means something to a shell. */
export interface CiTarget {
  name: string;
  apiKeyVariable: string;
}

/** Major version of Node that the jobs use. */
export const NODE = 24;

/** The petspec of the project, as its lockfile has it: never one that a registry offers under this name. */
export const PETSPEC = 'node_modules/.bin/petspec';

/** Ends a job with one line where the lockfile has no petspec. @param prefix what a CI service makes an error of */
export function requirePetspec(prefix = ''): string {
  const message = `${prefix}petspec is not in package-lock.json; install it in this project as its README says`;
  return `grep -qs '"node_modules/petspec"' package-lock.json || { echo '${message}'; exit 2; }`;
}

/** Installs what the lockfile has. Nothing of it runs: a key may be in the environment. */
export const INSTALL = 'npm ci --ignore-scripts';

/** Whether targets have a key in common: their jobs go one after the other then, or they use up each other's limit. */
export function shareKeys(targets: readonly CiTarget[]): boolean {
  return new Set(targets.map(({ apiKeyVariable }) => apiKeyVariable)).size < targets.length;
}

/** A name as a value of YAML: `1e3` is one, and no number. */
export function scalar(name: string): string {
  return stringify(name).trim();
}
