import { describe, expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  observed,
  refused,
  type Seen,
  statesAfter,
} from '../../../test/limiters/limiter-states.ts';
import { readLate } from './liberties.ts';
import type { Model } from './model.ts';

const window = readLate[0] as Model;
const bucket = readLate[2] as Model;

/** Three requests at the same time. Each is told what is left after all three. */
const three: readonly Seen[] = [0, 1, 2].map(() => ({ at: 0, until: 0.1, remaining: 9, beside: 2 }));

test('these are rare limiters, which count every request', () => {
  const end = 'Remaining as of the response';
  expect(readLate.map(({ name, surprise, counting }) => [name, surprise, counting])).toEqual([
    [`fixed window, ${end}`, 6, 'every'],
    [`sliding log, ${end}`, 6, 'every'],
    [`token bucket, ${end}`, 6, 'every'],
    // By what Reset means.
    ...Array(4).fill([`sliding counter, ${end}`, 6, 'every']),
    ...Array(3).fill([`sliding counter of whole requests, ${end}`, 6, 'every']),
  ]);
  expect(readLate.map(({ isGradual = false }) => isGradual)).toEqual([false, ...Array(9).fill(true)]);
});

describe('Remaining', () => {
  test.each(readLate.map((model) => [model.name, model] as const))(
    'of a %s may count requests beside it',
    (_name, model) => {
      // Without a Reset, a new window might begin.
      const told: Partial<Seen> = model === window ? { reset: [40, 40] } : {};
      const seen = three.map((each) => ({ ...each, ...told }));
      // A whole one may come back at any time.
      const most = model.name.includes('whole') ? 9 : 8;
      const explained = explainedRemaining(model, seen, { at: 0.2, ...told });
      expect(explained).toEqual([8, 9].filter((each) => each <= most));
    },
  );

  test('counts no more than those', () => {
    const one: Seen = { at: 0, remaining: 11, reset: [40, 40] };
    const other: Seen = { at: 1, until: 1.1, beside: 2, reset: [40, 40] };
    expect(explainedRemaining(window, [one], other)).toEqual([8, 9, 10]);
    expect(explainedRemaining(window, [one], { ...other, beside: 0 })).toEqual([10]);
  });

  test('of a refusal is what is left', () => {
    const used: Seen[] = [{ at: 0, remaining: 2 }, { at: 1 }, { at: 1, remaining: 0 }];
    expect(isExplained(window, [...used, refused(2, { remaining: 0, beside: 2 })])).toBe(true);
    expect(isExplained(window, [...used, refused(2, { remaining: 1, beside: 2 })])).toBe(false);
    expect(isExplained(window, [{ at: 0, remaining: 3 }, refused(2, { remaining: 1, beside: 2 })])).toBe(
      false,
    );
    // Two are too few for what costs three.
    const costly = (remaining: number) => refused(2, { remaining, weight: 3, beside: 2 });
    expect([1, 2].map((left) => isExplained(window, [{ at: 0, remaining: 2 }, costly(left)]))).toEqual([
      false,
      true,
    ]);
  });

  test('counts what comes back until the response, even if the request was counted earlier', () => {
    // Of twelve in a minute, one comes back in five seconds. Times are cut to whole milliseconds.
    const next = (receivedAt: number): Seen => ({ at: 1, until: 2, exchange: { receivedAt } });
    expect(explainedRemaining(bucket, [{ at: 0, remaining: 5 }], next(6_000))).toEqual([4, 5, 6]);
    const none: Seen = { at: 0, weight: 12, remaining: 0 };
    expect([4_998, 4_999].map((at) => isExplained(bucket, [none, next(at)]))).toEqual([false, true]);
  });
});

describe('Reset', () => {
  test('of a bucket is read late as well, after the requests beside it were counted', () => {
    // Three are missing then, and come back in 15 s. The first alone would be back in 5 s.
    const all = three.map((each) => ({ ...each, reset: [15, 15] as const }));
    expect(isExplained(bucket, all)).toBe(true);
  });

  test.each<[what: string, next: Seen]>([
    ['that was sent alone', { at: 1, remaining: 4, reset: [70, 70] }],
    ['that does not tell Remaining', { at: 1, reset: [70, 70], beside: 4 }],
  ])('of a request %s is its own', (_what, next) => {
    expect(statesAfter(bucket, [{ at: 0, remaining: 5, reset: [33, 33] }, next])).toHaveProperty(
      'kind',
      'reset',
    );
  });
});

test.each<[what: string, seen: readonly Seen[], isPossible: boolean]>([
  ['two at the same time are told the same', three.slice(1), true],
  [
    'two at the same time are told that none are left',
    three.slice(1).map((each) => ({ ...each, remaining: 0 })),
    false,
  ],
  ['what they are told differs', [three[0] as Seen, { ...three[1], at: 0.1, remaining: 8 }], false],
  [
    'two that follow each other are told the same',
    [three[0] as Seen, { at: 0.2, remaining: 9, beside: 1 }],
    false,
  ],
  ['nothing is told', three.map(({ remaining: _, ...each }) => each), false],
])('it is tried only where it may show: %s', (_what, seen, isPossible) => {
  expect(window.isPossible?.(seen.map(observed))).toBe(isPossible);
});
