import { expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';
import { faults } from '../../src/reference/faults/index.ts';
import { OPEN, variants } from '../../src/reference/variants/index.ts';

const contract = loadContract();

test('every requirement that is judged is violated by a fault, each must by two', () => {
  const named = faults.flatMap(({ violates }) => violates as string[]);
  const lacking = contract.requirements.filter(({ id, level }) => {
    const wanted = { must: 2, should: 1, open: 0 }[level];
    return named.filter((each) => each === id).length < wanted;
  });
  expect(lacking.map(({ id }) => id)).toEqual([]);
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

test('what the interface leaves open has a variant each, and no fault', () => {
  const open = contract.requirements.filter(({ level }) => level === 'open').map(({ id }) => id);
  expect(Object.keys(OPEN).sort()).toEqual([...open].sort());
  const known = new Set(variants.map(({ id }) => id));
  for (const [id, shown] of Object.entries(OPEN)) {
    expect(shown, id).not.toEqual([]);
    expect(
      shown.filter((each) => !known.has(each)),
      id,
    ).toEqual([]);
  }
  expect(faults.filter(({ violates }) => violates.some((id) => open.includes(id)))).toEqual([]);
});

test('a second violated requirement has a written reason', () => {
  const unexplained = faults.filter(({ violates, because }) => violates.length > 1 && !because);
  expect(unexplained.map(({ id }) => id)).toEqual([]);
});
