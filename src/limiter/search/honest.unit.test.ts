import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../../test/limiters/limiter-states.ts';
import { fixedWindow, frozenSecond, twoNodes } from '../models/fixed-window.ts';
import type { Model } from '../models/model.ts';
import { tokenBuckets } from '../models/token-bucket.ts';
import { type Attempt, attempt } from './search.ts';

const FIGURES = { limit: 60, windowMs: 60_000, burst: 0 };
const LOST = { outcome: 'unknown', kind: 'read' } as const;
const ANY = Number.POSITIVE_INFINITY;
const bucket = tokenBuckets[0] as Model;
const bucketRoundedUp = tokenBuckets[1] as Model;

/** Tries to explain these requests. Without a kind, one is a read that succeeds. */
function tried(seen: readonly Seen[], model: Model = fixedWindow): Attempt {
  const observations = seen.map((each, index) => {
    const { kind = 'read, 200', at, exchange } = each;
    const [operation = '', status] = kind.replace('a rejected key, ', '').split(', ');
    return observed({
      inFlight: seen.slice(0, index + 1).filter(({ at, until = at }) => until >= each.at).length,
      kind,
      ...(status ? { status: Number(status) } : {}),
      ...each,
      at,
      exchange: { id: index + 1, operation, ...exchange },
    });
  });
  return attempt(model, FIGURES, observations);
}

/** The first request that is not explained. */
const misfitOf = (seen: readonly Seen[], model?: Model) => tried(seen, model).misfit?.observation.exchange.id;

describe('some at the same time', () => {
  test.each([
    ['the window may have ended before', 6, undefined],
    ['the window had not ended', 1, 2],
  ])('one was counted before the response to one that came after it: %s', (_what, until, misfit) => {
    const seen: Seen[] = [
      { at: 0, remaining: 10, reset: [5, 5] },
      { at: 0.1, until: 10, remaining: 59 },
      { at: 0.1, until, remaining: 58 },
    ];
    expect(misfitOf(seen, fixedWindow)).toBe(misfit);
  });

  test('while parts come back, three got the same Remaining, and one that was sent before the last of them was counted after it', () => {
    const seen: Seen[] = [
      { at: 0, until: 0.1, remaining: 40 },
      { at: 0.5, until: 2.3, remaining: 39 },
      { at: 0.9, until: 1.8, remaining: 38 },
      { at: 0.9, until: 1.8, remaining: 39 },
      { at: 1.3, until: 1.8, remaining: 39 },
    ];
    expect(misfitOf(seen, bucketRoundedUp)).toBeUndefined();
  });
});

describe('what requests take', () => {
  test('is never once one and once two', () => {
    const seen = [50, 49, 47].map((remaining, at) => ({ at, remaining }));
    expect(misfitOf(seen, fixedWindow)).toBe(3);
  });

  test.each<[remaining: number, misfit: number | undefined]>([
    [49, undefined],
    [48, undefined],
    [47, 5],
  ])('without a response, it is nothing or one: %i remain after one more', (remaining, misfit) => {
    const seen: Seen[] = [
      { at: 0, remaining: 52 },
      { at: 0.03, remaining: 51 },
      { at: 0.06, remaining: 50 },
      { at: 0.1, ...LOST },
      { at: 0.2, remaining },
    ];
    expect(misfitOf(seen, bucket)).toBe(misfit);
  });

  test('is at most all that is left, even if no response tells', () => {
    const add = { kind: 'add, 201' };
    const seen: Seen[] = [
      { at: 0, remaining: 8, ...add },
      { at: 0.1, remaining: 3, ...add },
      { at: 0.2, ...add },
      { at: 0.3, remaining: 0, outcome: 'refused', kind: 'read, 429' },
    ];
    expect(misfitOf(seen, fixedWindow)).toBeUndefined();
  });

  test.each<[remaining: number, misfit: number | undefined]>([
    [1, undefined],
    [2, 3],
  ])('is all that is left, and %i remain by rounding up what came back', (remaining, misfit) => {
    const add = { kind: 'add, 201' };
    const seen: Seen[] = [
      { at: 0, remaining: 8, ...add },
      { at: 0.1, remaining: 3, ...add },
      { at: 0.2, until: 0.4, remaining, ...add },
    ];
    expect(misfitOf(seen, bucketRoundedUp)).toBe(misfit);
  });

  test.each<[remaining: number, misfit: number | undefined]>([
    [52, undefined],
    [51, 4],
    [50, undefined],
    [49, 4],
  ])('is two, or four if a varied one went out twice: %i remain', (remaining, misfit) => {
    const read = [58, 56, 54].map((each, index): Seen => ({ at: index / 10, remaining: each }));
    const twice = { variation: 'forwarded-for', isRepeated: true } as const;
    expect(misfitOf([...read, { at: 0.3, remaining, exchange: twice }], fixedWindow)).toBe(misfit);
  });

  test('is something, although a refusal comes where nothing is left', () => {
    const seen: Seen[] = [5, 0, 0].map((remaining, at) => ({ at, remaining, kind: 'add, 201' }));
    expect(misfitOf(seen, fixedWindow)).toBeDefined();
  });

  test('is the least that Remaining fell by, if others use any number', () => {
    const known: Partial<Seen> = { others: ANY, reset: [40, 40] };
    const refusal = (remaining: number): Seen[] => [
      { at: 0, remaining: 20, kind: 'add, 201', ...known },
      { at: 0.1, remaining: 15, kind: 'add, 201', ...known },
      { at: 0.2, remaining: 9, kind: 'add, 201', ...known },
      { at: 0.3, remaining, kind: 'add, 429', outcome: 'refused', ...known },
    ];
    expect(misfitOf(refusal(4), fixedWindow)).toBeUndefined();
    expect(misfitOf(refusal(5), fixedWindow)).toBeDefined();
  });
});

test('a request without a response may have been counted', () => {
  const seen: Seen[] = [
    { at: 0, remaining: 59 },
    { at: 0.02, ...LOST },
    { at: 0.04, remaining: 57 },
    { at: 0.06, remaining: 56 },
  ];
  expect(misfitOf(seen, bucket)).toBeUndefined();
  expect(misfitOf([...seen, { at: 0.08, remaining: 54 }], bucket)).toBe(5);
});

describe('a request without a response may have been counted or not, although all others are', () => {
  const read = [59, 59, 59, 59, 55, 55, 55];

  test.each<[what: string, remaining: number, misfit: number | undefined]>([
    ['it was', 51, undefined],
    ['it was not', 52, undefined],
    ['it does not take two', 50, 9],
  ])('where Remaining is read once a second: %s', (_what, remaining, misfit) => {
    const seen: Seen[] = [
      ...read.map((each, index) => ({ at: index * 0.3, remaining: each })),
      { at: 2.1, ...LOST },
      { at: 2.6, remaining },
    ];
    expect(misfitOf(seen, frozenSecond)).toBe(misfit);
  });

  test('where two nodes let requests through: it was the one over the limit', () => {
    const both = [4, 4, 3, 1, 0];
    const seen: Seen[] = both.map((remaining, index) => ({ at: index * 0.1, remaining, reset: [40, 40] }));
    expect(misfitOf([...seen, { at: 1, ...LOST }], twoNodes)).toBeUndefined();
  });
});
