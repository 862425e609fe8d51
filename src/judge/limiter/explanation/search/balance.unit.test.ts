import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../../test/exchanges/exchange.ts';
import { fixedWindow } from '../models/fixed-window.ts';
import { frozenSecond } from '../models/frozen.ts';
import type { Model, Observation } from '../models/model.ts';
import { twoNodes } from '../models/nodes.ts';
import { slidingLog } from '../models/sliding/sliding-log.ts';
import { tokenBuckets } from '../models/token-bucket.ts';
import { balanceOf } from './balance.ts';
import { Weights } from './weights.ts';

/** A read: from when to when (ms), and Remaining; a refusal ends with its status. */
type Read = [from: number, to: number, remaining: number, status?: number];

const FIGURES = { limit: 60, windowMs: 60_000, burst: 0 };
const RESET = { lo: 40_000, hi: 43_000 };
const bucket = tokenBuckets[0] as Model;

/** Reads that are sent together if their times overlap. All Resets are the same. */
function observed(reads: readonly Read[]): Observation[] {
  return reads.map(([sentAt, receivedAt, remaining, status = 200], index) => ({
    exchange: exchange({
      id: index + 1,
      operation: 'read',
      key: 'valid',
      sentAt,
      receivedAt,
      inFlight: reads.slice(0, index + 1).filter(([, to]) => to >= sentAt).length,
    }),
    at: { lo: sentAt, hi: receivedAt + 1 },
    kind: 'read, 200',
    outcome: status === 429 ? 'refused' : 'let-through',
    others: 0,
    held: 0,
    beside: 0,
    remaining,
    reset: RESET,
  }));
}

function isBalanced(model: Model, reads: readonly Read[], weight: number): boolean {
  const observations = observed(reads);
  return balanceOf(model, FIGURES, observations).isPossible(
    Weights.unknown(observations).with('read, 200', weight),
  );
}

/** Three reads at the same time between two that are alone. */
const between = (last: number): Read[] => [
  [0, 1, 50],
  [10, 20, 47],
  [10, 20, 49],
  [10, 20, 48],
  [30, 31, last],
];

test.each<[what: string, model: Model, reads: Read[], weight: number, isBalanced: boolean]>([
  ['Remaining falls by what was counted', fixedWindow, between(46), 1, true],
  ['Remaining falls by less', fixedWindow, between(47), 1, false],
  ['Remaining falls by more', fixedWindow, between(45), 1, false],
  ['requests take nothing, and Remaining falls', fixedWindow, between(46), 0, false],
  ['a request may have come back within 30 ms to a bucket', bucket, between(47), 1, true],
  ['two may not', bucket, between(48), 1, false],
  ['what was used before the run may have come back to a log', slidingLog, between(49), 1, true],
  ['two nodes say up to twice as much', twoNodes, between(60), 1, false],
  ['a node says what it has not learnt yet', twoNodes, between(50), 1, true],
])('%s', (_what, model, reads, weight, expected) => {
  expect(isBalanced(model, reads, weight)).toBe(expected);
});

test('each weight is excluded that does not account for Remaining, whichever was asked about before', () => {
  const observations = observed(between(46));
  const { isPossible } = balanceOf(fixedWindow, FIGURES, observations);
  const unknown = Weights.unknown(observations);
  const possible = [0, 2, 1, 3, 0].map((weight) => isPossible(unknown.with('read, 200', weight)));
  expect(possible).toEqual([false, false, true, false, false]);
});

test('a refusal while more are left than a read takes excludes every weight', () => {
  const reads: Read[] = [
    [0, 1, 50],
    [10, 11, 49],
    [20, 21, 49, 429],
  ];
  const observations = observed(reads);
  expect(balanceOf(fixedWindow, FIGURES, observations).isEver()).toBe(false);
});

test('after the end of the window, only what was counted since is missing', () => {
  const reads = (last: number): Read[] => [
    [0, 1, 0],
    [50_000, 50_001, last],
  ];
  expect(isBalanced(fixedWindow, reads(59), 1)).toBe(true);
  expect(isBalanced(fixedWindow, reads(29), 1)).toBe(false);
  expect(isBalanced(bucket, reads(29), 1)).toBe(true);
});

test.each<[what: string, reads: Read[], most: number]>([
  [
    'Remaining rises, and what comes later is not explained',
    [
      [0, 1, 50],
      [10, 11, 49],
      [20, 21, 52],
      [30, 31, 51],
    ],
    2,
  ],
  [
    'what was in flight beside the wrong response may have been counted before it',
    [
      [0, 1, 50],
      [10, 20, 52],
      [15, 25, 49],
      [30, 31, 48],
    ],
    2,
  ],
  [
    'Remaining falls with each read',
    [
      [0, 1, 50],
      [10, 11, 49],
    ],
    Number.POSITIVE_INFINITY,
  ],
])('how much a fixed window explains at most: %s', (_what, reads, most) => {
  expect(balanceOf(fixedWindow, FIGURES, observed(reads)).most()).toBe(most);
});

test('of more requests than are tried in any order, nothing is said', () => {
  const wrong = (inFlight: number) => {
    const [first, second] = observed([
      [0, 1, 50],
      [10, 11, 52],
    ]) as [Observation, Observation];
    const many = { ...second, exchange: { ...second.exchange, inFlight } };
    return balanceOf(fixedWindow, FIGURES, [first, many]).most();
  };
  expect([wrong(64), wrong(65)]).toEqual([1, Number.POSITIVE_INFINITY]);
});

const isEver = (model: Model, reads: readonly Read[], figures = FIGURES) =>
  balanceOf(model, figures, observed(reads)).isEver();

describe('Remaining is no more than a limiter can have left', () => {
  test.each<[what: string, model: Model, remaining: number, isEver: boolean]>([
    ['the limit', fixedWindow, 60, true],
    ['one more', fixedWindow, 61, false],
    ['the limit, after a request that counts', twoNodes, 60, false],
    ['the limit, less that request', twoNodes, 59, true],
  ])('%s', (_what, model, remaining, expected) => {
    expect(isEver(model, [[0, 1, remaining]])).toBe(expected);
  });

  test('or its burst', () => {
    const withBurst = { ...FIGURES, burst: 3 };
    const reads: Read[] = [
      [0, 1, 60],
      [10, 11, 59],
    ];
    expect(isEver(fixedWindow, reads, withBurst)).toBe(true);
    // The burst is not part of Remaining.
    expect(isEver(fixedWindow, [[0, 1, 61]], withBurst)).toBe(false);
    // Of 63 requests of a new window, one read leaves 62.
    const renewed = observed([
      [0, 1, 50],
      [50_000, 50_001, 55],
    ]);
    const one = Weights.unknown(renewed).with('read, 200', 1);
    expect(balanceOf(fixedWindow, withBurst, renewed).isPossible(one)).toBe(false);
  });
});

test('of a model that says nothing of two responses, everything is possible', () => {
  const observations = observed([
    [0, 1, 61],
    [10, 11, 62],
  ]);
  const {
    isPossible,
    isEver: isEverPossible,
    most,
    dearest,
  } = balanceOf(frozenSecond, FIGURES, observations);
  expect([isPossible(Weights.unknown(observations)), isEverPossible(), most(), dearest('read')]).toEqual([
    true,
    true,
    Number.POSITIVE_INFINITY,
    0,
  ]);
});

test('where every request counts, it counts whatever its kind is known to take', () => {
  const same = (count: number): Read[] =>
    Array.from({ length: count }, (_, index) => [10 * index, 10 * index + 1, 50]);
  // Of fifty that a node says, half may be left.
  expect([isEver(twoNodes, same(20)), isEver(twoNodes, same(35))]).toEqual([true, false]);
  const refused = (remaining: number): Read[] => [
    [0, 1, remaining + 1],
    [10, 11, remaining],
    [20, 21, remaining, 429],
  ];
  expect([isEver(twoNodes, refused(0)), isEver(twoNodes, refused(2))]).toEqual([true, false]);
});
