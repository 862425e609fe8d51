import type { Contract } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { keyProbes, spelledProbes } from '../keys.ts';
import { exactReads } from './further-reads.ts';
import { alternated, merged } from './merged.ts';
import { oddBodies, oddReads, shortTexts, zeroReferences } from './odd-requests.ts';
import { openTogether } from './open-together.ts';
import { listsAgain, readsAgain, readsBack } from './reads-of-created.ts';
import { byReports } from './reported.ts';

/** How many of each kind come for each one of another. Wrong keys cost nothing. */
const SHARES = { certain: 5, together: 1.7, again: 1, unusual: 1, rest: 0.6, keys: 6 };

interface Ends {
  bodies: readonly string[];
  queries: readonly string[];
}

/** Wrong bodies that every service refuses, and queries that it survives, by the ends of their ids: they have room on every plan. */
const FIRST: Ends = {
  bodies: ['no-fields', 'text', 'empty-text', 'false', 'empty-array', 'empty-object', 'text-after', 'true'],
  queries: ['negative', 'huge'],
};

const NEXT: Ends = {
  bodies: [
    ...['half-character', 'zero', 'open-arrays', 'in-array', 'number', 'blanks', 'array-of-text'],
    ...['blank-after', 'capital', 'blank', 'two', 'half'],
  ],
  queries: ['empty', 'repeated'],
};

/** The end of the id of a further probe, without the name of a field that has an odd text. */
const FURTHER = /further-(?:\w+-(?=half-character$|zero$))?([a-z-]+)$/;

/**
 * What a run sends in the window after the recovery, in order of value: what is certain to be refused or survived, whatever the seed;
 * between that several open inputs in one request, and what the run created, read again; then the other surplus probes. What goes
 * wrong more often in the world comes first.
 * @param planned what the run sends in any case
 * @param surplus what it sends in place of repeating one read, in its order
 */
export function probesAfterRecovery(
  contract: Contract,
  planned: readonly Probe[],
  surplus: readonly Probe[],
  seed: number,
): Probe[] {
  const listed = (ends: Ends) =>
    surplus
      .filter((each) => placeIn(ends, each) >= 0)
      .toSorted((one, other) => placeIn(ends, one) - placeIn(ends, other));
  const certain = [...byReports(listed(FIRST)), ...byReports([...oddBodies(contract), ...listed(NEXT)])];
  const again = [
    ...exactReads(contract, planned),
    ...alternated([readsAgain(planned, 2), listsAgain(planned)]),
    ...readsBack(planned),
  ];
  const known = new Set([...certain, ...again].map(({ id }) => id));
  const asSurplus = (each: Probe): Probe => ({ ...each, stage: 'surplus' });
  const alone = (probes: readonly Probe[]) => probes.map((each) => [each]);
  const together = byReports([...openTogether(contract, planned), ...oddReads(contract)]);
  const unusual = [...shortTexts(contract, planned), ...alone(zeroReferences(contract, planned))];
  const rest = byReports(surplus.filter(({ id }) => !known.has(id)));
  return merged([
    { share: SHARES.certain, values: alone(certain.map(asSurplus)) },
    { share: SHARES.together, values: alone(together) },
    { share: SHARES.again, values: alone(again.map(asSurplus)) },
    { share: SHARES.unusual, values: unusual },
    { share: SHARES.keys, values: alone(furtherWrongKeys(contract, planned, seed)) },
    { share: SHARES.rest, values: alone(rest) },
  ]).flat();
}

/** The place of a probe among these; below 0 if it is none of them. */
function placeIn({ bodies, queries }: Ends, { id, body, query }: Probe): number {
  const end = FURTHER.exec(id)?.[1] ?? '';
  if (body) return bodies.indexOf(end);
  return query.length > 0 ? queries.indexOf(end) : -1;
}

/** So many seeds together send every wrong key to every operation. */
const SEEDS = 7;

/**
 * The wrong keys and the spellings of an address that other seeds send and this one does not: they cost no request of the key
 * where the limit does not count them. A message cannot be deleted, so none of them goes to that address.
 */
function furtherWrongKeys(contract: Contract, planned: readonly Probe[], seed: number): Probe[] {
  const base = contract.operations.filter(({ address }) => address === 'baseUrl').map(({ id }) => id);
  const others = Array.from({ length: SEEDS - 1 }, (_, index) => seed + index + 1).flatMap((other) => [
    ...keyProbes(contract, planned, undefined, other),
    ...spelledProbes(contract, planned, other),
  ]);
  const byId = new Map(others.map((each) => [each.id, each]));
  for (const { id } of planned) byId.delete(id);
  return [...byId.values()]
    .filter(({ operation }) => base.includes(operation))
    .map((each): Probe => ({ ...each, stage: 'surplus' }));
}
