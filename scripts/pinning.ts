import { compareVersions } from '../src/contract/sets.ts';
import type { Requirement } from '../src/model/contract.ts';

/** What of a requirement never changes, once a version of petspec had it. */
export type Pin = Pick<Requirement, 'id' | 'level' | 'since' | 'statement'>;

export function pinOf({ id, level, since, statement }: Requirement): Pin {
  return { id, level, since, statement };
}

/**
 * What keeps requirements from being pinned, each in a line that says what to do: what was pinned may neither change
 * nor go, and what is new says which version it came with.
 * @param version of petspec, as package.json states it
 */
export function pinProblems(
  pins: readonly Pin[],
  requirements: readonly Requirement[],
  version: string,
): string[] {
  const now = new Map(requirements.map((each) => [each.id, pinOf(each)]));
  const known = new Set(pins.map(({ id }) => id));
  const changed = pins.flatMap((pin) => {
    const current = now.get(pin.id);
    if (!current) return [`${pin.id} is gone: an id stays for ever; put its sentence back`];
    return (['level', 'since', 'statement'] as const)
      .filter((field) => current[field] !== pin[field])
      .map(
        (field) =>
          `${pin.id} has another ${field}, "${current[field]}" for "${pin[field]}": an id never changes its meaning; put it back, and state what is new under an id of its own`,
      );
  });
  const added = [...now.values()].filter(({ id }) => !known.has(id));
  const misdated = added.filter(({ since }) => compareVersions(since, version) !== 0);
  return [
    ...changed,
    ...misdated.map(
      ({ id, since }) =>
        `${id} is new, and says since ${since}: this is ${version}, which introduces it; let spec/ and package.json say the same version`,
    ),
  ];
}
