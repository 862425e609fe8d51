import { describe, expect, test } from 'vitest';
import { observed, type Seen } from '../../test/limiters/limiter-states.ts';
import type { CountedWindow } from './counts.ts';
import { fixedWindow } from './models/fixed-window.ts';
import type { Figures, Model, Observation, State } from './models/model.ts';
import { explainingSequences, isSteady } from './quick-checks.ts';

const FIGURES = { limit: 60, windowMs: 60_000, burst: 0 };

function counted(seen: readonly Seen[], figures: Figures = FIGURES): CountedWindow {
  const observations = seen.map((each, index) => {
    const { id = index + 1, ...exchange } = each.exchange ?? {};
    return observed({ ...each, exchange: { id, ...exchange } });
  });
  return { figures, track: { window: 'minute', limit: figures.limit, observations } };
}

/** Whether a model may explain the first of these counts, which are those of the operations. */
function mayExplainFirst(model: Model, ...counts: readonly [CountedWindow, ...CountedWindow[]]): boolean {
  const judged = counts.flatMap(({ track }) =>
    track.observations.map(({ exchange }) => ({ exchange, probe: {} })),
  );
  return explainingSequences({ judged }, () => counts)(model, counts[0]);
}

/** Whether a fixed window may explain reads of one operation. */
const mayExplain = (...seen: readonly Seen[]) => mayExplainFirst(fixedWindow, counted(seen));

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
  ['one is varied', { exchange: { variation: 'spelling' } }],
])('no sequence tells where %s', (_what, change) => {
  const window = { reset: [40, 43] } as const;
  expect(
    mayExplain({ at: 0, remaining: 20, ...window }, { at: 0.1, remaining: 25, ...window, ...change }),
  ).toBe(true);
});

test('a varied request tells nothing by itself, though its Reset be later than a window ends', () => {
  const late: Seen = { at: 0, remaining: 20, reset: [400, 403] };
  expect(mayExplain(late)).toBe(false);
  expect(mayExplain({ ...late, exchange: { variation: 'spelling' } })).toBe(true);
});

describe('a count is ruled out only by what it holds, so', () => {
  const window = { reset: [40, 43] } as const;
  const sound: Seen[] = [
    { at: 0, remaining: 20, ...window },
    { at: 0.1, remaining: 19, ...window },
  ];
  const wrong = (operation: string): Seen[] => [
    { at: 0.2, remaining: 18, exchange: { id: 3, operation }, ...window },
    { at: 0.3, remaining: 25, exchange: { id: 4, operation }, ...window },
  ];

  test('not by another operation', () => {
    expect(mayExplainFirst(fixedWindow, counted(sound), counted(wrong('createPet')))).toBe(true);
  });

  test.each<[what: string, other: Partial<Figures>]>([
    ['limit', { limit: 1_000 }],
    ['length', { windowMs: 86_400_000 }],
    ['burst', { burst: 10 }],
  ])('not by a window of another %s', (_what, other) => {
    const reads = wrong('listPets');
    expect(mayExplainFirst(fixedWindow, counted(sound), counted(reads))).toBe(false);
    expect(mayExplainFirst(fixedWindow, counted(sound), counted(reads, { ...FIGURES, ...other }))).toBe(true);
  });
});

/** A limiter that does not explain some observations, and every other one. */
function explainingAllBut(isMisfit: (observation: Observation) => boolean): Model {
  const state: State = {
    left: { lo: 0, hi: FIGURES.limit },
    key: '',
    follow: (observation) =>
      isMisfit(observation) ? { kind: 'refused', expected: { lo: 1, hi: FIGURES.limit } } : [state],
  };
  return { name: 'a limiter', surprise: 0, counting: 'any', start: () => [state] };
}

describe('to a limiter that never refuses', () => {
  const neverRefusing = explainingAllBut(({ outcome }) => outcome !== 'let-through' && outcome !== 'unknown');
  const refused: Seen = { at: 0.2, remaining: 3, outcome: 'refused', status: 429 };
  const letThrough: Seen = { at: 0.1, remaining: 3 };
  test.each<[what: string, seen: readonly Seen[], isExplained: boolean]>([
    ['a refusal is unknown where nothing was let through', [refused, { ...refused, at: 0.3 }], true],
    ['a refusal is unknown before the first that is let through', [{ ...refused, at: 0 }, letThrough], true],
    ['a refusal is one after that', [letThrough, refused], false],
    [
      'a refusal is unknown after a wrong key was let through, which may take nothing',
      [{ at: 0.1, kind: 'a wrong key, listPets', exchange: { key: 'unknown' } }, refused],
      true,
    ],
  ])('%s', (_what, seen, isExplained) => {
    expect(mayExplainFirst(neverRefusing, counted(seen))).toBe(isExplained);
  });

  test('what is let through is not unknown, even with a wrong key', () => {
    const wrongKey: Seen = { at: 0.1, remaining: 3, exchange: { key: 'unknown' } };
    const onlyRefusing = explainingAllBut(({ outcome }) => outcome === 'let-through');
    expect(mayExplainFirst(onlyRefusing, counted([wrongKey]))).toBe(false);
  });
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
    ['not if one takes nothing and the next takes three', reads(59, 59, 56), false],
    [
      'nor do six and one tell where three may have come back, and both are rounded',
      [59, 58, 52].map((remaining, index) => ({ at: index / 10, remaining })),
      true,
    ],
    [
      'not late in a run, either',
      reads(59, 58, 52, 51).map((each) => ({ ...each, at: 600 + each.at })),
      false,
    ],
  ])('%s', (_what, seen, isAlike) => {
    expect(isSteadyIn(seen)).toBe(isAlike);
  });
});

describe('how much one request takes', () => {
  test.each<[what: string, change: Partial<Seen>]>([
    ['is refused, and tells what another window has left', { outcome: 'refused' }],
    ['overlaps an earlier one of its count', { beside: 1, inFlight: 2 }],
    ['overlaps one that is rejected', { held: 1 }],
    ['is varied', { exchange: { variation: 'spelling' } }],
  ])('is not told by one that %s', (_what, change) => {
    const between: Seen = { at: 0.02, remaining: 50, ...change };
    expect(isSteadyIn([...reads(59, 58), between])).toBe(true);
    expect(isSteadyIn([...reads(59, 58), between, { at: 0.03, remaining: 40 }])).toBe(true);
  });

  test.each<[what: string, change: Partial<Seen>]>([
    ['is the first of several that overlap', { beside: 1, inFlight: 1 }],
    ['overlaps only one of another count', { beside: 0, inFlight: 2 }],
  ])('is told by one that %s', (_what, change) => {
    expect(isSteadyIn([...reads(59, 58), { at: 0.02, remaining: 50, ...change }])).toBe(false);
  });

  test('is told after a response without Remaining, too', () => {
    const silent: Seen = { at: 0.02 };
    expect(
      isSteadyIn([...reads(59, 58), silent, { at: 0.03, remaining: 55 }, { at: 0.04, remaining: 49 }]),
    ).toBe(false);
  });
});
