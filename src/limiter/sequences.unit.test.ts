import { expect, test } from 'vitest';
import { observed, type Seen } from '../../test/limiters/limiter-states.ts';
import { fixedWindow } from './models/fixed-window.ts';
import { explainingSequences } from './sequences.ts';

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
