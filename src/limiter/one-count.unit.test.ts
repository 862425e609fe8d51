import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../test/limiters/limiter-states.ts';
import { explainTrack, firstInLots } from './explain-track.ts';
import { fixedWindow } from './models/fixed-window.ts';
import { inLotsOf } from './models/index.ts';
import type { Model, Observation } from './models/model.ts';
import { slidingLog } from './models/sliding/sliding-log.ts';
import { tokenBuckets, wholeTokens } from './models/token-bucket.ts';
import { attempt } from './search/search.ts';

const FIGURES = { limit: 5, windowMs: 60_000, burst: 0 };

const observationsOf = (seen: readonly Seen[]): Observation[] =>
  seen.map((each, index) => observed({ ...each, exchange: { id: index + 1, ...each.exchange } }));

/** What is found of the requests of one count if only these limiters are tried. */
function explained(models: readonly Model[], observations: readonly Observation[], isMore = () => true) {
  return explainTrack({ window: 'minute', limit: 5, observations }, models, FIGURES, isMore);
}

/** Reads of a fixed window that ends after a minute, a tenth of a second apart. */
const falling = (figures: number[], change: Partial<Seen> = {}): Seen[] =>
  figures.map((remaining, index) => ({ at: index / 10, remaining, reset: [59, 61], ...change }));

describe('of several limiters', () => {
  test('the first that explains everything is taken, however unusual it is', () => {
    const models = [{ ...slidingLog, surprise: 4 }, fixedWindow];
    const silent = falling([4, 3, 2]).map(({ reset: _, ...each }) => each);
    const { account, excluded } = explained(models, observationsOf(silent));
    expect(excluded).toBeUndefined();
    expect(account.attempt.model).toBe(models[0]);
  });

  test('one that cannot be meant is left out: a bucket of whole tokens sends no Reset', () => {
    const { account } = explained([wholeTokens, fixedWindow], observationsOf(falling([4, 3, 2])));
    expect(account.attempt.model).toBe(fixedWindow);
  });

  test('one that is presumed to explain all goes before one that explains as much and no more', () => {
    // Six overlapping requests get no response, and Remaining falls by one more than they may take.
    const lost = Array.from({ length: 6 }, (_, index): Seen => {
      const operation = `read ${index}`;
      const kind = `${operation}, no response`;
      return { at: 1, until: 1.5, inFlight: index + 1, outcome: 'unknown', kind, exchange: { operation } };
    });
    const observations = observationsOf([{ at: 0, remaining: 40 }, ...lost, { at: 2, remaining: 32 }]);
    const refuted: Model = {
      ...fixedWindow,
      name: 'explains nothing',
      start: () => [
        {
          left: { lo: 0, hi: 0 },
          key: '',
          follow: () => ({ kind: 'remaining', expected: { lo: 0, hi: 0 } }),
        },
      ],
    };
    const figures = { ...FIGURES, limit: 100 };
    const { explained: most } = attempt(fixedWindow, figures, observations);
    const presumed = { ...fixedWindow, surprise: most };
    const track = { window: 'minute' as const, limit: 100, observations };
    for (const models of [
      [refuted, presumed],
      [presumed, refuted],
    ]) {
      const { account, excluded } = explainTrack(track, models, figures, () => true);
      expect(account.attempt).toMatchObject({ model: presumed, isPresumed: true });
      expect(excluded).toBeUndefined();
    }
  });
});

describe('whether Reset alone is wrong', () => {
  const wrongOnce = observationsOf(
    falling([4, 3, 2, 1]).map((each, index) => (index === 2 ? { ...each, reset: [99, 101] } : each)),
  );

  test.each<[what: string, isMore: (isAlone: boolean) => boolean, isAlone: true | undefined]>([
    ['is looked at if nothing explains more than everything but Reset', (isAlone) => isAlone, true],
    ['is not looked at if something explains more anyway', () => false, undefined],
  ])('%s', (_what, isMore, isAlone) => {
    const track = { window: 'minute' as const, limit: 5, observations: wrongOnce };
    const { excluded } = explainTrack(track, [fixedWindow], FIGURES, (each) => isMore(each.isAlone === true));
    expect(excluded).toMatchObject({ kind: 'reset', observation: { exchange: { id: 3 } } });
    expect(excluded?.isAlone).toBe(isAlone);
  });

  test('nothing is, if a fixed window that is not among these limiters explains everything', () => {
    // All come back at once when the window ends.
    const renewed = [...falling([4, 3, 2]), { at: 59.5, remaining: 4 }];
    const { excluded } = explained([slidingLog], observationsOf(renewed));
    expect(excluded).toMatchObject({ kind: 'remaining', expected: { lo: 1, hi: 1 }, nearest: slidingLog });
    expect(excluded?.isAlone).toBeUndefined();
  });
});

test('Remaining is wrong, not the refusal, where it says none and a part of one is left that it rounded up before', () => {
  const roundedUp = tokenBuckets.filter(({ name }) => name.endsWith('up'));
  // One comes back every twelve seconds.
  const answers: Seen[] = [
    ...[4, 4, 3, 2, 1, 1].map((remaining, index) => ({ at: index * 3, remaining })),
    { at: 16, status: 429, remaining: 0, outcome: 'refused' },
  ];
  const { excluded } = explained(roundedUp, observationsOf(answers));
  expect(excluded).toMatchObject({
    kind: 'remaining',
    expected: { lo: 1, hi: 1 },
    observation: { exchange: { id: answers.length } },
  });
});

describe('a limiter that gives back in lots', () => {
  const observations = observationsOf([4, 3, 2].map((remaining, index) => ({ at: index / 10, remaining })));
  const firstOf = (isPossible: (model: Model) => boolean) =>
    firstInLots(FIGURES, observations, { steps: 1_000 }, isPossible)?.model;

  test('is the first of those that may explain the count', () => {
    const [first, second] = inLotsOf(FIGURES);
    expect(firstOf(() => true)).toBe(first);
    expect(firstOf((model) => model === second)).toBe(second);
    expect(firstOf(() => false)).toBeUndefined();
  });
});
