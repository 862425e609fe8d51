import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../../../../test/limiters/limiter-states.ts';
import { fixedWindow } from '../models/fixed-window.ts';
import type { Model } from '../models/model.ts';
import { tokenBuckets } from '../models/token-bucket.ts';
import { type Attempt, attempt, type Budget, type Effort } from './search.ts';

const FIGURES = { limit: 60, windowMs: 60_000, burst: 0 };
const REJECTED = { kind: 'a rejected key, read', exchange: { key: 'absent' } } as const;
const LOST = { outcome: 'unknown' } as const;
const ANY = Number.POSITIVE_INFINITY;
const bucket = tokenBuckets[0] as Model;
const bucketRoundedUp = tokenBuckets[1] as Model;

/** Tries to explain these requests. Without a kind, one is a read that succeeds. */
function tried(
  seen: readonly Seen[],
  model: Model = fixedWindow,
  effort: Effort = 'thorough',
  budget?: Budget,
): Attempt {
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
  return attempt(model, FIGURES, observations, effort, budget);
}

/** The first request that is not explained. */
const misfitOf = (seen: readonly Seen[], model?: Model, effort?: Effort) =>
  tried(seen, model, effort).misfit?.observation.exchange.id;
const BOTH: readonly Effort[] = ['quick', 'thorough'];

describe('some at the same time', () => {
  test('a thorough search finds that the two with little left came before a window began', () => {
    const together = [59, 58, 57, 56, 3, 2].map((remaining) => ({ at: 50, until: 50.1, remaining }));
    const seen = [{ at: 0, remaining: 5 }, { at: 1, remaining: 4 }, ...together];
    expect(misfitOf(seen, fixedWindow, 'quick')).toBeDefined();
    expect(tried(seen).course.map(({ observation }) => observation.remaining)).toEqual([
      5, 4, 3, 2, 59, 58, 57, 56,
    ]);
  });

  test.each([
    ['the window may have ended before', 6, undefined],
    ['the window had not ended', 1, 2],
  ])('one was counted before the response to one that came after it: %s', (_what, until, misfit) => {
    const seen: Seen[] = [
      { at: 0, remaining: 10, reset: [5, 5] },
      { at: 0.1, until: 10, remaining: 59 },
      { at: 0.1, until, remaining: 58 },
    ];
    expect(misfitOf(seen, fixedWindow, 'quick')).toBe(misfit);
  });
});

describe('what requests take', () => {
  test('is never once one and once two', () => {
    const seen = [50, 49, 47].map((remaining, at) => ({ at, remaining }));
    expect(misfitOf(seen, fixedWindow, 'quick')).toBe(3);
    // A thorough search sees beforehand that neither one nor two account for Remaining.
    expect(tried(seen)).toMatchObject({
      misfit: { kind: 'remaining', expected: { lo: 0, hi: 0 }, observation: { exchange: { id: 1 } } },
      explained: 0,
    });
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

  test.each(BOTH)('is at most all that is left, even if no response tells: %s', (effort) => {
    const add = { kind: 'add, 201' };
    const seen: Seen[] = [
      { at: 0, remaining: 8, ...add },
      { at: 0.1, remaining: 3, ...add },
      { at: 0.2, ...add },
      { at: 0.3, remaining: 0, outcome: 'refused', kind: 'read, 429' },
    ];
    expect(misfitOf(seen, fixedWindow, effort)).toBeUndefined();
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
    expect(misfitOf(seen, bucketRoundedUp, 'quick')).toBe(misfit);
  });

  test.each(BOTH)('is something, although a refusal comes where nothing is left: %s', (effort) => {
    const seen: Seen[] = [5, 0, 0].map((remaining, at) => ({ at, remaining, kind: 'add, 201' }));
    expect(misfitOf(seen, fixedWindow, effort)).toBeDefined();
  });

  test.each(BOTH)('is the least that Remaining fell by, if others use any number: %s', (effort) => {
    const known: Partial<Seen> = { others: ANY, reset: [40, 40] };
    const refusal = (remaining: number): Seen[] => [
      { at: 0, remaining: 20, kind: 'add, 201', ...known },
      { at: 1, remaining: 15, kind: 'add, 201', ...known },
      { at: 2, remaining: 9, kind: 'add, 201', ...known },
      { at: 3, remaining, kind: 'add, 429', outcome: 'refused', ...known },
    ];
    expect(misfitOf(refusal(4), fixedWindow, effort)).toBeUndefined();
    expect(misfitOf(refusal(5), fixedWindow, effort)).toBeDefined();
  });
});

describe('in a thorough search, a request that takes nothing', () => {
  const missing = { kind: 'read, 404' };

  test('is counted in its turn', () => {
    const { course, misfit } = tried([
      { at: 0, remaining: 50 },
      { at: 1, ...REJECTED },
      { at: 2, remaining: 49 },
    ]);
    expect(misfit).toBeUndefined();
    expect(course.map(({ observation }) => observation.exchange.id)).toEqual([1, 2, 3]);
  });

  test('may be counted before one that was sent earlier', () => {
    const seen: Seen[] = [
      { at: 0, remaining: 50 },
      { at: 1, until: 3, remaining: 48 },
      { at: 1.5, ...REJECTED },
      { at: 2, until: 2.5, remaining: 49 },
    ];
    const { course, misfit } = tried(seen);
    expect(misfit).toBeUndefined();
    expect(course.map(({ observation }) => observation.exchange.id).sort()).toEqual([1, 2, 3, 4]);
  });

  test('still tells what is left', () => {
    const seen = (last: number): Seen[] => [
      { at: 0, remaining: 50, ...missing },
      { at: 1, remaining: 50, ...missing },
      { at: 2, ...LOST },
      { at: 3, remaining: last, ...missing },
    ];
    expect([49, 48].map((last) => misfitOf(seen(last)))).toEqual([undefined, 4]);
  });

  test('still tells when the window resets', () => {
    const seen = (reset: number): Seen[] => [
      { at: 0, remaining: 50, reset: [40, 40], ...missing },
      { at: 1, remaining: 50, reset: [40, 40], ...missing },
      { at: 2, reset: [reset, reset], ...missing },
    ];
    expect([40, 41].map((reset) => misfitOf(seen(reset)))).toEqual([undefined, 3]);
  });

  test('is not tried in every place', () => {
    const together = { at: 3, until: 3.5 };
    const seen: Seen[] = [
      { at: 0, remaining: 51 },
      { at: 0.5, remaining: 50 },
      { at: 1, ...REJECTED },
      { at: 2, remaining: 49 },
      ...[...'abcdef'].map((each) => ({ ...together, ...REJECTED, kind: `a rejected key, ${each}` })),
      { ...together, remaining: 48 },
      { ...together, remaining: 47 },
      { at: 5, remaining: 46 },
      { at: 6, ...LOST },
      // The two before it take two at most.
      { at: 7, remaining: 43 },
    ];
    const { misfit } = tried(seen, fixedWindow, 'thorough', { steps: 3 * seen.length });
    expect(misfit?.observation.exchange.id).toBe(seen.length);
  });

  test('may come after requests of others', () => {
    const seen = (last: number): Seen[] => [
      { at: 0, remaining: 51 },
      { at: 0.5, remaining: 50 },
      { at: 1, ...REJECTED },
      { at: 2, remaining: 49 },
      { at: 20, others: 3, ...REJECTED },
      // It may have taken one or none, so that no pair of responses tells.
      { at: 20.5, ...LOST },
      { at: 21, remaining: last },
    ];
    expect([44, 43].map((last) => misfitOf(seen(last)))).toEqual([undefined, 7]);
  });
});

test.each(BOTH)('a request without a response may have been counted, as a %s search knows', (effort) => {
  const seen: Seen[] = [
    { at: 0, remaining: 59 },
    { at: 0.02, kind: 'read', ...LOST },
    { at: 0.04, remaining: 57 },
    { at: 0.06, remaining: 56 },
  ];
  expect(misfitOf(seen, bucket, effort)).toBeUndefined();
  expect(misfitOf([...seen, { at: 0.08, remaining: 54 }], bucket, effort)).toBe(5);
});
