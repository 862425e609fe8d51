import { createHash } from 'node:crypto';
import { type Contract, ContractError, type Requirement, UnknownSet } from '../model/contract.ts';
import { isObject } from './schema.ts';

/** The version of petspec that introduced everything without `since`. */
export const FIRST_SET = '0.1.0';

/** Compares two versions (`1.2.3`): below zero if `left` is older, above zero if it is newer. */
export function compareVersions(left: string, right: string): number {
  const parts = left.split('.').map(Number);
  const otherParts = right.split('.').map(Number);
  const at = parts.findIndex((part, index) => part !== otherParts[index]);
  return at < 0 ? 0 : (parts[at] ?? 0) - (otherParts[at] ?? 0);
}

/** The newest of some versions; `FIRST_SET` without any. */
export function newestOf(versions: readonly (string | undefined)[]): string {
  return versions.reduce<string>(
    (newest, version) => (version !== undefined && compareVersions(version, newest) > 0 ? version : newest),
    FIRST_SET,
  );
}

/** The version that introduced an entry of the interface. @throws ContractError if it is not a version */
export function sinceOf(value: unknown, where: string): string | undefined {
  if (value === undefined) return undefined;
  if (isVersion(value)) return value;
  throw new ContractError(`${where}: invalid since '${value}'; expected a version such as 0.2.0`);
}

/** Whether something is a version: `1.2.3`. */
export function isVersion(value: unknown): value is string {
  return typeof value === 'string' && /^\d+\.\d+\.\d+$/.test(value);
}

/**
 * The newest set of requirements of a version of petspec.
 * @param sets every version that introduced a requirement, oldest first
 * @param newest the version of this petspec, which may have introduced none
 * @throws UnknownSet if this petspec does not know the version
 */
export function setOf(asked: string, sets: readonly string[], newest: string): string {
  const isKnown =
    isVersion(asked) &&
    compareVersions(asked, newestOf([newest, ...sets])) <= 0 &&
    sets.some((set) => compareVersions(set, asked) <= 0);
  if (isKnown) return newestOf(sets.filter((set) => compareVersions(set, asked) <= 0));
  throw new UnknownSet(`${asked}: unknown set of requirements; expected one of ${sets.join(', ')}`);
}

/**
 * A parsed file of the interface at a version: without mapping entries, list members and fields with a newer `x-since`. A field
 * that is left out is not required.
 */
export function asOf(value: unknown, version: string): unknown {
  const isNewer = (since: unknown) => typeof since === 'string' && compareVersions(since, version) > 0;
  if (Array.isArray(value))
    return value.filter((member) => !isNewer(versionOf(member))).map((member) => asOf(member, version));
  if (!isObject(value)) return value;
  const since = value['x-since'];
  const byKeyword = isObject(since) ? since : {};
  const entries = Object.entries(value).filter(
    ([name, member]) => !isNewer(versionOf(member)) && !isNewer(byKeyword[name]),
  );
  const kept = Object.fromEntries(entries.map(([name, member]) => [name, asOf(member, version)]));
  const older = Object.entries(byKeyword).filter(([, introduced]) => !isNewer(introduced));
  if (isObject(kept['x-since'])) kept['x-since'] = older.length === 0 ? undefined : Object.fromEntries(older);
  const { properties, required } = value;
  if (!isObject(properties) || !Array.isArray(required)) return kept;
  return {
    ...kept,
    required: required.filter((name) => typeof name !== 'string' || !isNewer(versionOf(properties[name]))),
  };
}

function versionOf(value: unknown): unknown {
  return isObject(value) ? value['x-since'] : undefined;
}

/** SHA-256 (hexadecimal) over a set: the id, level, version and statement of each requirement. */
export function digestOfSet(requirements: readonly Requirement[]): string {
  const lines = requirements
    .map(({ id, level, since, statement }) => JSON.stringify([id, level, since, statement]))
    .sort();
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}

/** Whether a file that names this digest is of the contract's set, in its present or an earlier wording. */
export function isDigestOfSet(digest: string, { requirements, earlierDigests }: Contract): boolean {
  return digest === digestOfSet(requirements) || earlierDigests.set.includes(digest);
}

/** Whether a file that names this digest is of the contract's interface, or of an older one that it extends. */
export function isDigestOfInterface(digest: string, contract: Contract): boolean {
  return digest === contract.digest || contract.earlierDigests.interface.includes(digest);
}
