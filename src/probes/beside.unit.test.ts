import { describe, expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import type { Probe } from '../model/probe.ts';
import { withBursts } from './beside.ts';
import { deriveProbes } from './derive.ts';

const contract = loadContract();
const planned = deriveProbes(contract, [], 2);

/** The bursts of a plan, by what each of their requests is. */
function burstsOf(size: number, probes = planned): string[][] {
  const bursts: string[][] = [];
  for (const probe of withBursts(probes, contract.operations, size))
    if (probe.burst !== undefined)
      bursts[probe.burst - 1] = [...(bursts[probe.burst - 1] ?? []), kindOf(probe)];
  return bursts;
}

function kindOf({ key, operation, creates }: Probe): string {
  if (key !== 'valid') return 'wrong key';
  return creates ? 'creation' : operation;
}

/** Each pair that goes out together in some burst. */
function pairsOf(bursts: readonly (readonly string[])[]): Set<string> {
  return new Set(
    bursts.flatMap((burst) =>
      burst.flatMap((one, index) => burst.slice(index + 1).map((other) => [one, other].sort().join(' + '))),
    ),
  );
}

const PAIRS = [
  'creation + creation',
  'creation + listPets',
  'creation + getPet',
  'creation + wrong key',
  'listPets + wrong key',
  'getPet + wrong key',
  'getPet + getPet',
  'getStoreOrders + listPets',
];

describe.each([2, 4, 16])('bursts of at most %s requests', (size) => {
  const bursts = burstsOf(size);

  test('hold what may disturb each other', () => {
    const pairs = pairsOf(bursts);
    for (const pair of PAIRS) expect(pairs).toContain(pair.split(' + ').sort().join(' + '));
  });

  test('are no larger', () => {
    for (const burst of bursts) expect(burst.length).toBeLessThanOrEqual(size);
  });

  test('create nothing that the run would not create, and leave no request out', () => {
    const sent = withBursts(planned, contract.operations, size);
    const creations = (all: readonly Probe[]) =>
      all.filter(({ creates, validity }) => creates && validity === 'valid').map(({ id }) => id);
    expect(creations(sent).sort()).toEqual(creations(planned).sort());
    const ids = new Set(sent.map(({ id }) => id));
    expect(ids.size).toBe(sent.length);
    expect(planned.filter(({ id }) => !ids.has(id))).toEqual([]);
  });
});

test.each([0, 1, 2, 3, 4, 5, 6, 7])(
  'whichever wrong keys seed %i draws, one of them goes with reads',
  (seed) => {
    const pairs = pairsOf(burstsOf(4, deriveProbes(contract, [], seed)));
    for (const read of ['listPets', 'getPet']) expect(pairs).toContain(`${read} + wrong key`);
  },
);

test('one at a time there is no burst', () => {
  expect(withBursts(planned, contract.operations, 1)).toEqual(planned);
});
