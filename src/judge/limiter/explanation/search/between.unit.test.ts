import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../../../../test/limiters/limiter-states.ts';
import type { Model, Observation } from '../models/model.ts';
import { type Between, betweens, type Counted } from './between.ts';

/** A request: from when to when (s), Remaining, and what else is known of it. */
type Row = [from: number, to: number, remaining?: number | undefined, change?: Partial<Seen>];

const READ = 'read, 200';

function observations(rows: readonly Row[]): readonly Observation[] {
  return rows.map(([at, until, remaining, { exchange, ...change } = {}], index) =>
    observed({
      at,
      until,
      kind: READ,
      inFlight: rows.slice(0, index + 1).filter(([, to]) => to >= at).length,
      ...(remaining === undefined ? {} : { remaining }),
      ...change,
      exchange: { id: index + 1, ...exchange },
    }),
  );
}

/** The pairs by the numbers of their requests, such as `1-3`. */
function pairsOf(rows: readonly Row[], counting: Model['counting'] = 'any'): Record<string, Between> {
  return Object.fromEntries(
    betweens(observations(rows), counting).map((each) => [
      `${each.before.exchange.id}-${each.after.exchange.id}`,
      each,
    ]),
  );
}

const reads = (requests: number, byOthers = 0): Counted => ({
  ofKind: [[READ, requests]],
  each: requests,
  byOthers,
});

describe('one after another', () => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, index): Row => [index, index + 0.5, 50 - index]);

  test('what was counted is the same in every order', () => {
    const pairs = pairsOf(rows(4));
    expect(Object.keys(pairs)).toEqual(['1-2', '1-3', '2-3', '1-4', '2-4', '3-4']);
    for (const [pair, { least, most, lowest, without, first }] of Object.entries(pairs)) {
      const [before = 0, after = 0] = pair.split('-').map(Number);
      expect([least, most()]).toEqual([reads(after - before), reads(after - before)]);
      expect([lowest, without, first.exchange.id]).toEqual([51 - after, after - 1, 1]);
    }
  });

  test('the later one is one of the next few, or further away', () => {
    const from = (all: Row[]) => Object.keys(pairsOf(all)).filter((each) => each.startsWith('1-'));
    expect(from(rows(40))).toEqual(['1-2', '1-3', '1-4', '1-6', '1-9', '1-14', '1-22', '1-35', '1-40']);
    // What a window lets through, the last one before the first refusal shows.
    const refused = rows(40).map(
      (row, index): Row => (index === 37 ? [row[0], row[1], 0, { outcome: 'refused' }] : row),
    );
    expect(from(refused).slice(-2)).toEqual(['1-35', '1-37']);
    expect(Object.keys(pairsOf(refused, 'every'))).toContain('1-38');
    // Those that do not tell are no ends.
    const untold = rows(5).map((row, index): Row => (index === 2 ? [row[0], row[1]] : row));
    expect(from(untold)).toEqual(['1-2', '1-4', '1-5']);
    expect(pairsOf(untold)['2-4']?.least).toEqual(reads(2));
  });

  test.each<[what: string, change: Partial<Seen>, least: number, most: number | undefined]>([
    ['a refusal takes nothing', { outcome: 'refused' }, 1, 1],
    ['one without a response may have taken some', { outcome: 'unknown' }, 1, undefined],
    ['a varied one takes what is not known', { exchange: { variation: 'query' as never } }, 1, undefined],
    ['one that was sent twice may have taken it twice, or before', { exchange: { isRepeated: true } }, 1, 3],
  ])('%s', (_what, change, least, most) => {
    const pair = pairsOf([
      [0, 0.5, 50],
      [1, 1.5, 49, change],
      [2, 2.5, 48],
    ])['1-3'];
    expect([pair?.least, pair?.most()]).toEqual([reads(least), most === undefined ? undefined : reads(most)]);
  });

  test('others may have taken some', () => {
    const pair = pairsOf([
      [0, 0.5, 50, { others: 9 }],
      [1, 1.5, 49, { others: 1 }],
      [2, 2.5, 48, { others: 3 }],
    ])['1-3'];
    expect([pair?.least, pair?.most()]).toEqual([reads(2), reads(2, 4)]);
  });

  test.each<[what: string, change: Partial<Seen>, least: number, most: number]>([
    ['one without a response', { outcome: 'unknown' }, 1, 2],
    ['a varied one', { exchange: { variation: 'query' as never } }, 2, 2],
    ['one that was sent twice', { exchange: { isRepeated: true } }, 2, 3],
    ['a refusal that says that none are left', { outcome: 'refused', remaining: 0 }, 1, 1],
  ])('where each takes one, it is known what %s takes', (_what, change, least, most) => {
    const rows: Row[] = [
      [0, 0.5, 50],
      [1, 1.5, 49, change],
      [2, 2.5, 48],
    ];
    const pair = pairsOf(rows, 'every')['1-3'];
    expect([pair?.least, pair?.most()]).toEqual([reads(least), reads(most)]);
  });

  test('a refusal that says that none are left may mean fewer than it costs', () => {
    const rows: Row[] = [
      [0, 0.5, 1],
      [1, 1.5, 0, { outcome: 'refused' }],
      [2, 2.5, 0],
    ];
    expect(Object.keys(pairsOf(rows))).toEqual(['1-3']);
    expect(Object.keys(pairsOf(rows, 'every'))).toEqual(['1-2', '1-3', '2-3']);
  });

  test('kinds are counted apart, and those with the key', () => {
    const wrong: Partial<Seen> = { kind: 'a wrong key, read', exchange: { key: 'absent' } };
    const rows: Row[] = [
      [0, 0.5, 50],
      [1, 1.5, undefined, wrong],
      [2, 2.5, undefined, { kind: 'add, 201' }],
      [3, 3.5, 48],
    ];
    const counted: Counted = {
      ofKind: [
        ['a wrong key, read', 1],
        ['add, 201', 1],
        [READ, 1],
      ],
      each: 2,
      byOthers: 0,
    };
    expect([pairsOf(rows)['1-4']?.least, pairsOf(rows)['1-4']?.most()]).toEqual([counted, counted]);
  });
});

describe('some at the same time', () => {
  // Three between two that are alone. One of the three says least.
  const rows: Row[] = [
    [0, 1, 50],
    [2, 5, 49],
    [3, 6, 40],
    [4, 7, 48],
    [8, 9, 46],
    [10, 11, 45],
  ];
  const pairs = pairsOf(rows);

  test('none of the three was counted first in every order', () => {
    const together = ['2-3', '2-4', '3-4'];
    expect(Object.keys(pairs).filter((each) => together.includes(each))).toEqual([]);
    expect(Object.keys(pairs).length).toBe(11);
  });

  test.each<[pair: string, least: number, most: number, lowest: number, without: number, first: number]>([
    ['1-2', 1, 3, 40, 3, 1],
    ['1-3', 1, 3, 40, 3, 1],
    ['1-4', 1, 3, 40, 3, 1],
    ['1-6', 5, 5, 40, 5, 1],
    ['2-5', 1, 3, 40, 4, 1],
    ['3-5', 1, 3, 40, 4, 1],
    ['4-5', 1, 3, 40, 4, 1],
    ['4-6', 2, 4, 40, 5, 1],
  ])('between %s', (pair, least, most, lowest, without, first) => {
    const each = pairs[pair];
    expect([each?.least, each?.most()]).toEqual([reads(least), reads(most)]);
    expect([each?.lowest, each?.without, each?.first.exchange.id]).toEqual([lowest, without, first]);
  });

  test('a kind that may have been counted later is not counted', () => {
    const add: Row = [2, 5, undefined, { kind: 'add, 201' }];
    const pair = pairsOf([[0, 1, 50], add, [3, 4, 48]])['1-3'];
    expect([pair?.least, pair?.most()?.each]).toEqual([reads(1), 2]);
  });

  test('the first is one that was counted before both', () => {
    const [beside, ...later] = rows.slice(1);
    const all = pairsOf([beside as Row, ...later]);
    expect(all['2-4']?.first.exchange.id).toBe(2);
    expect(all['4-5']?.first.exchange.id).toBe(1);
  });
});

test('pairs are made once for the same observations, those that come first in a run first', () => {
  const all = observations([
    [0, 3, 50],
    [1, 4, 49],
    [5, 6, 48],
    [7, 8, 47],
  ]);
  expect(betweens(all, 'any')).toBe(betweens(all, 'any'));
  const without = betweens(all, 'any').map((each) => each.without);
  expect(without).toEqual([...without].sort((one, other) => one - other));
});
