import type { Contract } from '../../../model/contract.ts';
import type { Probe } from '../../../model/probe.ts';
import { guessedRequests, keyProbes, spelledProbes } from '../../keys.ts';
import { exactReads } from '../further-reads.ts';
import { alternated, merged } from '../merged.ts';
import { listsAgain, readsAgain, readsBack } from '../reads-of-created.ts';
import { oddBodies, oddReads, shortTexts, smallReferences } from './odd-requests.ts';
import { openTogether } from './open-together.ts';
import { byReports } from './reported.ts';

/** How many probes of each kind are sent for one with share 1. Wrong keys take nothing from the limit. */
const SHARES = { certain: 5, together: 1.7, again: 1, unusual: 1, rest: 0.6, keys: 6 };

interface Ends {
  bodies: readonly string[];
  queries: readonly string[];
  paths: readonly string[];
}

/** The ends of ids of wrong bodies that every service refuses, and of queries and paths that it survives. Every plan has room for them. */
const FIRST: Ends = {
  bodies: ['no-fields', 'text', 'empty-text', 'false', 'empty-array', 'empty-object', 'text-after', 'true'],
  queries: ['negative', 'huge'],
  paths: ['negative', 'zero'],
};

const NEXT: Ends = {
  bodies: [
    ...['half-character', 'zero', 'open-arrays', 'in-array', 'number', 'blanks', 'array-of-text'],
    ...['blank-after', 'capital', 'blank', 'two', 'half'],
  ],
  queries: ['empty', 'repeated'],
  paths: [],
};

/** Matches the end of the id of a further probe, without the name of a field that has an odd text. */
const FURTHER = /further-(?:\w+-(?=half-character$|zero$))?([a-z-]+)$/;

/**
 * The probes for the window after the recovery, in order of value: those with a certain result, whatever the seed; among them,
 * requests with several open inputs and reads of what the run created; then the other surplus probes. Bugs that are reported more
 * often come first.
 * @param planned the plan without surplus probes
 * @param surplus the surplus probes in their order
 */
export function probesAfterRecovery(
  contract: Contract,
  planned: readonly Probe[],
  surplus: readonly Probe[],
  seed: number,
): Probe[] {
  const listed = (ends: Ends) =>
    surplus
      .filter((probe) => placeIn(ends, probe) >= 0)
      .toSorted((a, b) => placeIn(ends, a) - placeIn(ends, b));
  const certain = [...byReports(listed(FIRST)), ...byReports([...oddBodies(contract), ...listed(NEXT)])];
  const again = [
    ...exactReads(contract, planned),
    ...alternated([readsAgain(planned, 2), listsAgain(planned)]),
    ...readsBack(planned),
  ];
  const placed = new Set([...certain, ...again].map(({ id }) => id));
  const asSurplus = (probe: Probe): Probe => ({ ...probe, stage: 'surplus' });
  const alone = (probes: readonly Probe[]) => probes.map((probe) => [probe]);
  const together = byReports([...openTogether(contract, planned), ...oddReads(contract)]);
  const unusual = [...shortTexts(contract, planned), ...alone(smallReferences(contract, planned))];
  const rest = byReports(surplus.filter(({ id }) => !placed.has(id)));
  return merged([
    { share: SHARES.certain, values: alone(certain.map(asSurplus)) },
    { share: SHARES.together, values: alone(together) },
    { share: SHARES.again, values: alone(again.map(asSurplus)) },
    { share: SHARES.unusual, values: unusual },
    { share: SHARES.keys, values: alone(furtherWrongKeys(contract, planned, seed)) },
    { share: SHARES.rest, values: alone(rest) },
  ]).flat();
}

/** The place of a probe in a list of ends; below 0 if it is not in it. */
function placeIn({ bodies, queries, paths }: Ends, { id, body, query }: Probe): number {
  const end = FURTHER.exec(id)?.[1] ?? '';
  if (body) return bodies.indexOf(end);
  return (query.length > 0 ? queries : paths).indexOf(end);
}

/** This many consecutive seeds send every wrong key to every operation. */
const SEEDS = 7;

/**
 * The wrong keys and address spellings that other seeds send and this one does not: where the limit does not count them, they
 * take no request from the key. None goes to the message address, because messages cannot be deleted.
 */
function furtherWrongKeys(contract: Contract, planned: readonly Probe[], seed: number): Probe[] {
  const base = contract.operations.filter(({ address }) => address === 'baseUrl').map(({ id }) => id);
  const ofOtherSeeds = Array.from({ length: SEEDS - 1 }, (_, index) => seed + index + 1).flatMap(
    (otherSeed) => [
      ...keyProbes(contract, planned, undefined, otherSeed),
      ...spelledProbes(contract, guessedRequests(planned), otherSeed),
    ],
  );
  const further = keyProbes(contract, planned, undefined, 'further');
  const byId = new Map([...further, ...ofOtherSeeds].map((probe) => [probe.id, probe]));
  for (const { id } of planned) byId.delete(id);
  return [...byId.values()]
    .filter(({ operation }) => base.includes(operation))
    .map((probe): Probe => ({ ...probe, stage: 'surplus' }));
}
