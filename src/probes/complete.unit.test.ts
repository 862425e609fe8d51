import { expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { missingIn } from '../../test/exchanges/complete-probes.ts';
import { loadContract, readSources } from '../contract/load.ts';
import type { Probe } from '../model/probe.ts';
import { probesOf } from '../run/plan/probes.ts';
import { deriveProbes } from './derive.ts';
import { drawnProbe, surplusProbes } from './surplus/surplus.ts';

const contract = loadContract();
const checks = allChecks(contract);

test.each(['none', 0, 1, 2, 3] as const)(
  'seed %s: every request has an id, words, and a whole address, and names what there is',
  (seed) => {
    expect(missingIn(deriveProbes(contract, [], seed), contract)).toEqual([]);
    expect(missingIn(probesOf(contract, checks, seed), contract)).toEqual([]);
  },
);

test('without links, no request has a place in its path that nothing fills', () => {
  const sources = readSources();
  const openapi = sources.openapi.replace(
    /^ +links:\n +\w+:\n +operationId: getPet\n +parameters: .*\n/gm,
    '',
  );
  const unlinked = loadContract({ ...sources, openapi });
  const derived = deriveProbes(unlinked, [], 0);
  const isOfGetPet = ({ operation }: Probe) => operation === 'getPet';
  expect(derived.filter(isOfGetPet).map(({ path }) => Object.keys(path).join())).toEqual(
    derived.filter(isOfGetPet).map(() => 'petId'),
  );
  expect(derived.filter(isOfGetPet).map(({ key }) => key)).toContain('absent');
  expect(derived.filter(({ stage }) => stage === 'exhaust').map(({ operation }) => operation)).toEqual([
    'listPets',
    'getStoreOrders',
  ]);
});

test.each([0, 1, 2, 3])('seed %i: so has every request that is sent while the limit is used up', (seed) => {
  const planned = probesOf(contract, checks, seed);
  expect(missingIn(surplusProbes(contract, planned, seed), contract, planned)).toEqual([]);
  const drawn = Array.from({ length: 100 }, (_, index) => drawnProbe(contract, planned, seed, [index]) ?? []);
  expect(missingIn(drawn.flat(), contract, planned)).toEqual([]);
});
