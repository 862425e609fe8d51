import { compareVersions } from '../src/contract/sets.ts';
import type { Requirement } from '../src/model/contract.ts';

/** The parts of a requirement that never change once a version of petspec has it. */
export type Pin = Pick<Requirement, 'id' | 'level' | 'since' | 'statement'>;

/** A pinned statement in other words. A reviewer confirmed that it means the same. */
export interface Rewording {
  id: string;
  from: string;
  to: string;
}

export function pinOf({ id, level, since, statement }: Requirement): Pin {
  return { id, level, since, statement };
}

/**
 * Why requirements cannot be pinned, one line each with what to do. A pinned requirement may neither change its meaning
 * nor disappear; a new one names the version that introduces it.
 * @param version of petspec, as package.json states it
 */
export function pinProblems(
  pins: readonly Pin[],
  rewordings: readonly Rewording[],
  requirements: readonly Requirement[],
  version: string,
): string[] {
  const now = new Map(requirements.map((each) => [each.id, pinOf(each)]));
  const known = new Set(pins.map(({ id }) => id));
  const isReworded = (pin: Pin, current: Pin) =>
    rewordings.some(
      ({ id, from, to }) => id === pin.id && from === pin.statement && to === current.statement,
    );
  const changed = pins.flatMap((pin) => {
    const current = now.get(pin.id);
    if (!current) return [`${pin.id} is missing: ids are permanent; restore the requirement`];
    return (['level', 'since', 'statement'] as const)
      .filter((field) => current[field] !== pin[field])
      .filter((field) => field !== 'statement' || !isReworded(pin, current))
      .map(
        (field) =>
          `${pin.id} changed its ${field} from "${pin[field]}" to "${current[field]}": an id never changes its meaning; restore the ${field}, and give a new requirement an id of its own`,
      );
  });
  const added = [...now.values()].filter(({ id }) => !known.has(id));
  const misdated = added.filter(({ since }) => compareVersions(since, version) !== 0);
  return [
    ...changed,
    ...misdated.map(
      ({ id, since }) =>
        `${id} is new and says since ${since}, but package.json says ${version}; use the same version in both`,
    ),
  ];
}
