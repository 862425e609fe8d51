import { expect, test } from 'vitest';
import { operation, parameter, pathParameter } from '../../../test/operations/operations.ts';
import type { Parameter } from '../../model/contract.ts';
import { drawFrom } from './random.ts';
import { roundsOf, SIZES } from './rounds.ts';

const STATE = parameter('state', { enum: ['new', 'sold', 3] });
const SIZE = parameter('size', { type: 'integer', minimum: 1, maximum: 80 });
const rounds = (parameters: Parameter[], seed = 1) => roundsOf(operation({ parameters }), drawFrom(seed));
const valuesOf = (name: string, all = rounds([SIZE, STATE])) =>
  all.map((round) =>
    round.flatMap((each) => (each.kind === 'query-value' && each.name === name ? [each.value] : [])),
  );

test('the first round is without parameters, as the first request of a run; eight others follow', () => {
  const all = rounds([SIZE, STATE]);
  expect(all).toHaveLength(9);
  expect(all[0]).toEqual([{ id: 'query-none', kind: 'query-none' }]);
  for (const [index, round] of all.slice(1).entries())
    for (const each of round)
      if (each.kind === 'query-value') expect(each.id).toBe(`query-value:${each.name}:${index + 1}`);
});

test('after what has to be the same come a large page, and then the defaults', () => {
  const stated = parameter('size', { type: 'integer', minimum: 1, maximum: 80, default: 20 });
  const all = rounds([stated, STATE]);
  const value = { id: 'query-default:size', kind: 'query-value', name: 'size', value: '20' };
  expect(all[0]).toEqual([{ id: 'query-none', kind: 'query-none' }]);
  expect(all[2]).toEqual([value]);
  const sizes = valuesOf('size', all.toSpliced(2, 1)).slice(1).flat().map(Number);
  expect(sizes).toHaveLength(8);
  const [first, second] = sizes.map((each) => Math.ceil(Number(each) / 10));
  expect(first).toBeGreaterThan(4);
  expect(second).toBe(1);
});

test('sizes are all over the range, one of each eighth: first a small one, then a large one', () => {
  for (let seed = 0; seed < 20; seed += 1) {
    const sizes = valuesOf('size', rounds([SIZE], seed))
      .slice(1)
      .flat()
      .map(Number);
    expect(sizes).toHaveLength(8);
    const eighths = sizes.map((each) => Math.ceil(each / 10));
    expect(new Set(eighths).size).toBe(8);
    expect(eighths[0]).toBe(1);
    expect(eighths[1]).toBeGreaterThan(4);
    // Rather one at which implementations change what they do.
    for (const each of sizes) expect([...SIZES, 1, 80]).toContain(each);
  }
});

test('each member goes with a size, and one round has none unless one is required', () => {
  const states = valuesOf('state').slice(1);
  expect([...new Set(states.flat())].sort()).toEqual(['3', 'new', 'sold']);
  expect(states.filter(({ length }) => length === 0)).toHaveLength(2);
  expect(states[0]).toHaveLength(1);
  expect(states[1]).toEqual([]);
  const required = valuesOf('state', rounds([{ ...STATE, required: true }])).slice(1);
  expect(required.every(({ length }) => length === 1)).toBe(true);
});

test('parameters come in either order', () => {
  const orders = rounds([SIZE, STATE])
    .slice(1)
    .map((round) => round.some(({ kind }) => kind === 'query-order'));
  expect(new Set(orders)).toEqual(new Set([true, false]));
});

test('without a known value there are no rounds', () => {
  expect(rounds([])).toEqual([]);
  for (const schema of [
    { type: 'integer' },
    { type: 'integer', minimum: 1 },
    { type: 'integer', maximum: 1 },
    { type: 'string', minimum: 1, maximum: 2 },
  ])
    expect(rounds([parameter('p', schema)])).toEqual([]);
  expect(rounds([pathParameter('id', { enum: ['a'] })])).toEqual([]);
  expect(valuesOf('p', rounds([SIZE, parameter('p', {})])).flat()).toEqual([]);
});

test('a range with fewer values than rounds has each of its ends', () => {
  const sizes = valuesOf(
    'size',
    rounds([parameter('size', { type: 'integer', minimum: 4, maximum: 6 })]),
  ).flat();
  for (const each of sizes) expect(['4', '5', '6']).toContain(each);
});
