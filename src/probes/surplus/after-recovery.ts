import type { Contract } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { alternated, merged } from './merged.ts';
import { openTogether } from './open-together.ts';
import { listsAgain, readsAgain, readsBack } from './reads-of-created.ts';
import { furtherWrongKeys } from './wrong-keys.ts';

/** How many of each kind come for each one of another. Wrong keys cost nothing. */
const SHARES = { certain: 5, together: 1.3, again: 1, rest: 0.6, keys: 6 };

/** Wrong bodies that every service refuses, by the ends of their ids: the mistakes that implementers make most often first. */
const WRONG_BODIES: readonly string[] = [
  ...['no-fields', 'text', 'empty-text', 'false', 'empty-array', 'empty-object', 'text-after'],
  ...['half-character', 'zero', 'open-arrays', 'in-array', 'number', 'true', 'blanks', 'array-of-text'],
  ...['blank-after', 'capital', 'blank', 'two', 'half'],
];

/** Queries that every service survives. */
const OPEN_QUERIES: readonly string[] = ['negative', 'huge', 'empty', 'repeated'];

/** The end of the id of a further probe, without the name of a field that has an odd text. */
const FURTHER = /further-(?:\w+-(?=half-character$|zero$))?([a-z-]+)$/;

/**
 * What a run sends in the window after the recovery, in order of value: what is certain to be refused or survived, whatever the seed;
 * between that several open inputs in one request, and what the run created, read again; then the other surplus probes.
 * @param planned what the run sends in any case
 * @param surplus what it sends in place of repeating one read, in its order
 */
export function probesAfterRecovery(
  contract: Contract,
  planned: readonly Probe[],
  surplus: readonly Probe[],
  seed: number,
): Probe[] {
  const certain = surplus
    .filter((each) => placeOf(each) >= 0)
    .toSorted((one, other) => placeOf(one) - placeOf(other));
  const again = [...alternated([readsAgain(planned, 2), listsAgain(planned)]), ...readsBack(planned)];
  const known = new Set([...certain, ...again].map(({ id }) => id));
  return merged([
    { share: SHARES.certain, values: certain },
    { share: SHARES.together, values: openTogether(contract, planned) },
    { share: SHARES.again, values: again.map((each): Probe => ({ ...each, stage: 'surplus' })) },
    { share: SHARES.keys, values: furtherWrongKeys(contract, planned, seed) },
    { share: SHARES.rest, values: surplus.filter(({ id }) => !known.has(id)) },
  ]);
}

/** The place of a probe among those that are certain; below 0 if it is none of them. */
function placeOf({ id, body, query }: Probe): number {
  const end = FURTHER.exec(id)?.[1] ?? '';
  if (body) return WRONG_BODIES.indexOf(end);
  const place = query.length > 0 ? OPEN_QUERIES.indexOf(end) : -1;
  return place < 0 ? -1 : 2 * place + 0.5;
}
