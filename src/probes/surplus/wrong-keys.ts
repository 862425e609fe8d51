import type { Contract } from '../../model/contract.ts';
import type { Probe } from '../../model/probe.ts';
import { keyProbes } from '../keys.ts';
import { spelledProbes } from '../spellings.ts';

/** So many seeds together send every wrong key to every operation. */
const SEEDS = 7;

/**
 * The wrong keys and the spellings of an address that other seeds send and this one does not: they cost no request of the key
 * where the limit does not count them. A message cannot be deleted, so none of them goes to that address.
 */
export function furtherWrongKeys(contract: Contract, planned: readonly Probe[], seed: number): Probe[] {
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
