import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../test/limiters/limiter-states.ts';
import { fixedWindow } from './models/fixed-window.ts';
import { explainingSequences, isSteady } from './quick-checks.ts';

const FIGURES = { limit: 60, windowMs: 60_000, burst: 0 };

/** Whether a fixed window may explain reads of one operation, the counts being as given whatever the way to count. */
function mayExplain(...seen: readonly Seen[]): boolean {
  const observations = seen.map((each, index) => {
    const { id = index + 1, ...exchange } = each.exchange ?? {};
    return observed({ ...each, exchange: { id, ...exchange } });
  });
  const track = { window: 'minute' as const, limit: FIGURES.limit, observations };
  const judged = observations.map(({ exchange }) => ({ exchange, probe: {} }));
  const may = explainingSequences({ judged }, () => [{ figures: FIGURES, track }]);
  return may(fixedWindow, { figures: FIGURES, track });
}

test('reads in a row that Remaining falls by one for are explained', () => {
  expect(mayExplain({ at: 0, remaining: 20 }, { at: 0.1, remaining: 19 }, { at: 0.2, remaining: 18 })).toBe(
    true,
  );
});

test('a Remaining that rises while Reset stays the same is not, whatever came before', () => {
  const window = { reset: [40, 43] } as const;
  const fallen: Seen = { at: 0.1, remaining: 19, ...window };
  expect(mayExplain({ at: 0, remaining: 20, ...window }, fallen, { at: 0.2, remaining: 25, ...window })).toBe(
    false,
  );
});

test.each<[what: string, between: Partial<Seen>]>([
  ['another request was sent between', { exchange: { id: 4 } }],
  ['another request was in flight', { inFlight: 2 }],
  ['others may have used the key', { others: 3 }],
])('no sequence tells where %s', (_what, change) => {
  const window = { reset: [40, 43] } as const;
  expect(
    mayExplain({ at: 0, remaining: 20, ...window }, { at: 0.1, remaining: 25, ...window, ...change }),
  ).toBe(true);
});

test('a refusal tells nothing where it is unknown what the request would have taken', () => {
  expect(mayExplain({ at: 0, remaining: 3, outcome: 'refused' })).toBe(true);
  expect(
    mayExplain({ at: 0, remaining: 3 }, { at: 0.1, remaining: 3, outcome: 'refused', exchange: { id: 2 } }),
  ).toBe(false);
});

/** Reads with these Remainings, a hundredth of a second apart. */
const reads = (...remaining: number[]): Seen[] =>
  remaining.map((left, index) => ({ at: index / 100, remaining: left }));
const isSteadyIn = (seen: readonly Seen[]) => isSteady(seen.map(observed), FIGURES);

describe('Remaining falls alike for requests of a kind', () => {
  test.each<[what: string, seen: readonly Seen[], isAlike: boolean]>([
    ['by one each time', reads(59, 58, 57, 56), true],
    ['by five each time', reads(55, 50, 45, 40), true],
    ['by one less where Remaining is rounded', reads(59, 58, 58, 57), true],
    ['not if requests between them are counted as well', reads(59, 58, 52, 51), false],
    ['a window that ends says nothing', reads(20, 19, 59, 58), true],
    ['nor does the last that is left, which a request may cost more than', reads(50, 45, 40, 0), true],
    [
      'nor what comes back in a pause',
      [...reads(50, 45), { at: 1, remaining: 43 }, { at: 1.01, remaining: 38 }],
      true,
    ],
    ['nor what others may have used', [...reads(59, 58), { at: 0.03, remaining: 40, others: 20 }], true],
    [
      'nor do several at a time, of which the first may have been counted last',
      [
        ...reads(59, 58),
        { at: 0.03, remaining: 54, beside: 3, exchange: { id: 3 } },
        { at: 0.03, remaining: 54, beside: 3, inFlight: 2, exchange: { id: 4 } },
      ],
      true,
    ],
    [
      'one that was answered when the next one was sent says how much it takes',
      [...reads(59, 58), { at: 0.03, remaining: 54, beside: 1, exchange: { id: 3 } }],
      false,
    ],
    ['another kind may take more', [...reads(59, 58), { at: 0.03, remaining: 50, kind: 'list' }], true],
  ])('%s', (_what, seen, isAlike) => {
    expect(isSteadyIn(seen)).toBe(isAlike);
  });
});
