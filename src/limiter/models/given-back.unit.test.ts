import { describe, expect, test } from 'vitest';
import {
  isExplained,
  observed,
  refused,
  type Seen,
  statesAfter,
} from '../../../test/limiters/limiter-states.ts';
import { givenBack } from './liberties.ts';
import type { Figures, Model } from './model.ts';

const FIGURES: Figures = { limit: 12, windowMs: 60_000, burst: 0 };
const [window, log, bucket, counter] = givenBack as [Model, Model, Model, Model];

/** A request that gets a 400: it takes nothing off in the end, but is in flight itself. */
const bad = (at: number, change: Partial<Seen> = {}): Seen => ({
  at,
  status: 400,
  weight: 0,
  held: 1,
  ...change,
});

test('it is a rare fixed window, sliding log, token bucket or sliding counter', () => {
  expect(givenBack.map(({ name, surprise, counting }) => [name, surprise, counting])).toEqual([
    ['fixed window, a 4xx is given back', 6, 'any'],
    ['sliding log, a 4xx is given back', 6, 'any'],
    ['token bucket, a 4xx is given back', 6, 'any'],
    // By what Reset means.
    ...Array(4).fill(['sliding counter, a 4xx is given back', 6, 'any']),
    ...Array(3).fill(['sliding counter of whole requests, a 4xx is given back', 6, 'any']),
  ]);
});

describe('whether a run may show it', () => {
  /** Requests one after another, each for a second, by their status and Remaining. */
  const run = (...seen: [status: number, remaining: number, change?: Partial<Seen>][]) =>
    seen.map(([status, remaining, change], at) =>
      observed({ at, until: at + 1, status, remaining, ...change }),
    );
  const isPossible = (...seen: Parameters<typeof run>) => window.isPossible?.(run(...seen));
  const beside = { inFlight: 2 };
  const others = { others: 1 };
  const untold = { remaining: undefined as never };

  test.each<[what: string, seen: Parameters<typeof run>, expected: boolean]>([
    [
      'not if no request gets a 4xx',
      [
        [200, 11],
        [200, 10],
      ],
      false,
    ],
    [
      'if Remaining counts one and gives it back',
      [
        [200, 11],
        [400, 10],
        [200, 10],
      ],
      true,
    ],
    [
      'not if it is not given back',
      [
        [200, 11],
        [400, 10],
        [200, 9],
      ],
      false,
    ],
    [
      'not if it is not given back to the next 4xx',
      [
        [200, 11],
        [400, 10],
        [400, 9],
      ],
      false,
    ],
    [
      'a refusal is no rejection',
      [
        [200, 11],
        [429, 10],
        [200, 10],
      ],
      false,
    ],
    [
      'if others may have used it',
      [
        [200, 11],
        [400, 10],
        [200, 9, others],
      ],
      true,
    ],
    [
      'if another was in flight with the 4xx',
      [
        [200, 11],
        [400, 10, beside],
        [200, 9],
      ],
      true,
    ],
    [
      'if another was in flight with the next',
      [
        [200, 11],
        [400, 10],
        [200, 9, beside],
      ],
      true,
    ],
    [
      'if the next was sent before the answer',
      [
        [200, 11],
        [400, 10],
        [200, 9, { sentAt: 1.9 }],
      ],
      true,
    ],
    [
      'if the next has no response',
      [
        [200, 11],
        [400, 10],
        [200, 9, { outcome: 'unknown' }],
      ],
      true,
    ],
    [
      'if one of two is not given back',
      [
        [200, 11],
        [400, 10],
        [200, 9],
        [400, 8],
        [200, 8],
      ],
      false,
    ],
    [
      'if nothing follows',
      [
        [200, 11],
        [400, 10],
      ],
      true,
    ],
    [
      'if nothing is before',
      [
        [400, 11],
        [200, 11],
      ],
      true,
    ],
    // Of 4xx in a row, each counts itself alone.
    [
      'if Remaining stays the same through several',
      [
        [400, 11],
        [400, 11],
        [400, 11],
        [400, 11],
      ],
      true,
    ],
  ])('%s', (_what, seen, expected) => {
    expect(isPossible(...seen)).toBe(expected);
  });

  // Others may have used what the successes show.
  const uncounted = (change: Partial<Seen> = {}, after: Partial<Seen> = {}): Parameters<typeof run> => [
    [200, 11],
    [400, 11, change],
    [200, 10, { ...others, ...after }],
    [400, 10],
    [200, 9, others],
    [400, 9],
  ];

  test('not if Remaining counts none of three', () => {
    expect(isPossible(...uncounted())).toBe(false);
    expect(isPossible(...uncounted({ remaining: 10 }))).toBe(true);
    expect(isPossible(...uncounted({ remaining: 12 }))).toBe(false);
  });

  test('two that it does not count do not tell', () => {
    expect(isPossible(...uncounted().slice(0, 4))).toBe(true);
    for (const change of [beside, untold, { sentAt: 0.5 }])
      expect(isPossible(...uncounted(change))).toBe(true);
    for (const change of [beside, untold]) expect(isPossible(...uncounted({}, change))).toBe(true);
  });
});

describe.each([
  ['fixed window', window],
  ['sliding log', log],
  ['token bucket', bucket],
  ['sliding counter', counter],
])('%s', (_name, model) => {
  const explains = (...seen: Seen[]) => isExplained(model, seen, FIGURES);
  const first: Seen = { at: 0, remaining: 11, reset: [60, 60] };

  test('what a 4xx counts is there again afterwards', () => {
    expect(explains(first, bad(1, { remaining: 10 }), { at: 2, remaining: 10 })).toBe(true);
    expect(explains(first, bad(1, { remaining: 10 }), { at: 2, remaining: 9 })).toBe(false);
    expect(explains(first, bad(1), { at: 2, remaining: 10 })).toBe(true);
  });

  test('a 4xx counts itself, and those beside it', () => {
    const counted = (held: number) =>
      [8, 9, 10, 11].filter((remaining) => explains(first, bad(1, { remaining, held })));
    expect(counted(1)).toEqual([10]);
    expect(counted(3)).toEqual([8, 9, 10]);
  });

  test('a success counts itself, and any 4xx beside it', () => {
    const counted = (held: number) =>
      [8, 9, 10, 11].filter((remaining) => explains(first, { at: 1, remaining, held }));
    expect(counted(0)).toEqual([10]);
    expect(counted(2)).toEqual([8, 9, 10]);
  });

  test('a 4xx takes nothing off in the end', () => {
    expect(statesAfter(model, [first, bad(1, { weight: 1, remaining: 10 })], FIGURES)).toEqual({
      kind: 'remaining',
      expected: { lo: 11, hi: 11 },
    });
  });

  test('a request is refused while a 4xx holds the last one', () => {
    const oneLeft: Seen = { at: 0, weight: 11, remaining: 1 };
    expect(explains(oneLeft, refused(1, { remaining: 0, held: 1 }), { at: 2, remaining: 0 })).toBe(true);
    expect(explains(oneLeft, refused(1, { held: 1 }))).toBe(true);
    expect(explains(oneLeft, refused(1, { remaining: 0 }))).toBe(false);
    expect(explains({ ...oneLeft, remaining: 1 }, { at: 1, held: 1, remaining: 0 })).toBe(true);
  });
});

describe('Reset', () => {
  const at = (seconds: number): readonly [number, number] => [seconds, seconds];
  const first: Seen = { at: 0, remaining: 11, reset: at(60) };

  test('of a fixed window is that of the window', () => {
    const second = (reset: number) => [first, bad(10, { remaining: 10, reset: at(reset) })];
    expect(isExplained(window, second(60), FIGURES)).toBe(true);
    for (const reset of [10, 70])
      expect(statesAfter(window, second(reset), FIGURES)).toHaveProperty('kind', 'reset');
  });

  test('of a sliding log may be that of a request that is given back, and is no later', () => {
    const next: Seen[] = [first, { at: 10, remaining: 10, reset: at(60) }];
    const second = (reset: number, remaining: number) =>
      isExplained(log, [...next, bad(20, { remaining, reset: at(reset) })], FIGURES);
    expect([second(60, 9), second(80, 9), second(81, 9)]).toEqual([true, true, false]);
    const success = (held: number) =>
      isExplained(log, [...next, { at: 20, remaining: 9 - held, held, reset: at(79) }], FIGURES);
    expect([success(0), success(1)]).toEqual([false, true]);
  });
});
