import { stringify } from 'yaml';

/** A target for a CI service. Neither text has a character that is special in a shell. */
export interface CiTarget {
  name: string;
  apiKeyVariable: string;
}

/** The major version of Node in the jobs. */
export const NODE = 24;

/** The petspec in the project's lockfile, never one from a registry. */
export const PETSPEC = 'node_modules/.bin/petspec';

/** A command that fails with one line if the lockfile lacks petspec. @param prefix marks an error for the CI service */
export function requirePetspec(prefix = ''): string {
  const message = `${prefix}petspec is not in package-lock.json; install it in this project, as its README says`;
  return `grep -qs '"node_modules/petspec"' package-lock.json || { echo '${message}'; exit 2; }`;
}

/** Installs the lockfile without running its scripts, because a key may be in the environment. */
export const INSTALL = 'npm ci --ignore-scripts';

/** Whether targets share a key. Their jobs must then run one after the other, because they share the rate limit. */
export function shareKeys(targets: readonly CiTarget[]): boolean {
  return new Set(targets.map(({ apiKeyVariable }) => apiKeyVariable)).size < targets.length;
}

/** A name as a YAML string: `1e3` must not become a number. */
export function scalar(name: string): string {
  return stringify(name).trim();
}
