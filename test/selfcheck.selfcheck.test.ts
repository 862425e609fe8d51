import { expect, test } from 'vitest';
import { loadContract } from '../src/contract/load.ts';
import { tryDeviation } from '../src/harness/selfcheck.ts';
import { faults } from '../src/reference/faults/index.ts';
import { variants } from '../src/reference/variants/index.ts';
import { allChecks } from '../suites/index.ts';

const contract = loadContract();
const checks = allChecks(contract);

test.each(faults.map((fault) => [fault.id, fault] as const))(
  'fault %s is found by what it violates alone',
  async (_, fault) => {
    const { problems } = await tryDeviation(contract, checks, { fault });
    expect(problems).toEqual([]);
  },
);

test.each(variants.map((variant) => [variant.id, variant] as const))(
  'variant %s passes',
  async (_, variant) => {
    const { problems } = await tryDeviation(contract, checks, { variant });
    expect(problems).toEqual([]);
  },
);

test('every must requirement is violated by a fault', () => {
  const named = new Set(faults.flatMap(({ violates }) => violates));
  const musts = contract.requirements.filter(({ level }) => level === 'must').map(({ id }) => id);
  expect(musts.filter((id) => !named.has(id))).toEqual([]);
});

test('faults and variants name requirements that exist, each under an id of its own', () => {
  const known = new Set(contract.requirements.map(({ id }) => id));
  const names = [
    ...faults.flatMap(({ violates }) => violates),
    ...variants.flatMap(({ untested }) => untested ?? []),
  ];
  expect(names.filter((id) => !known.has(id))).toEqual([]);
  const ids = [...faults, ...variants].map(({ id }) => id);
  expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
});

test('a second violated requirement has a written reason', () => {
  const unexplained = faults.filter(({ violates, because }) => violates.length > 1 && !because);
  expect(unexplained.map(({ id }) => id)).toEqual([]);
});
