import { describe, expect, test } from 'vitest';
import { type Answer, falling, NOON, shown } from '../../test/limiters/limited-runs.ts';
import { windowLengths } from './window-lengths.ts';

const secondsOf = (answers: readonly Answer[]) => windowLengths(shown(answers)).map((ms) => ms / 1_000);
const until = (seconds: number): Answer => ({ reset: NOON + seconds });

/** All that was left is used up at once, and at `at` (s) so much is left again, until `next`. */
const usedUp = (end: number, at: number, remaining: number, next: number): Answer[] => [
  ...falling([2, 1, 0], until(end)),
  { at, remaining, ...until(next) },
];

describe('another length than a minute', () => {
  test.each<[what: string, answers: readonly Answer[], wanted: number[]]>([
    ['is how much later the Reset of the next window is', usedUp(10, 10, 59, 20), [10]],
    [
      'is the furthest that Reset moves where some come back, however often it moves by less before',
      [2, 4, 7, 11, 52].flatMap((end, index) =>
        falling([59, 58], { at: [0, 3, 6, 10, 14][index] ?? 0, ...until(10 + end) }),
      ),
      [41],
    ],
    [
      'is how far Reset is away where it moves',
      falling([59, 58, 57, 56]).map((each, at) => ({ ...each, at: 3 * at, ...until(20 + 3 * at) })),
      [20],
    ],
    ['is how fast requests come back', usedUp(1, 5, 14, 6), [20]],
    [
      'is how long a bucket takes to be full: a half of the limit is missing, and back in five seconds',
      [...falling([59], until(1)), ...falling([30], until(5))],
      [10],
    ],
    [
      'is half a minute where Reset moves by that though none came back, and another count is full after a minute',
      [
        ...falling([59, 58], until(10)),
        ...falling([57, 56], { at: 10, ...until(40) }),
        ...falling([59, 58, 57], { operation: 'sendMessage', at: 12, ...until(72) }),
      ],
      [30],
    ],
    [
      'is looked for where a refusal says that it blocks the key',
      [
        ...falling([2, 1, 0], until(10)),
        { status: 429, remaining: 0, retryAfter: '75', ...until(75) },
        { at: 76, remaining: 59, ...until(86) },
      ],
      [10],
    ],
  ])('%s', (_what, answers, wanted) => {
    expect(secondsOf(answers)).toEqual(expect.arrayContaining(wanted));
  });

  test.each<[what: string, answers: readonly Answer[]]>([
    [
      'where Reset stays the same and nothing comes back: the minute may have begun before',
      falling([59, 58, 57, 56], until(20)),
    ],
    ['where the next window is a minute later', usedUp(20, 20, 59, 80)],
    ['where Remaining never falls', falling([59, 59, 59], until(20))],
    [
      'where each address has a count of its own',
      [
        ...falling([40, 39, 38], until(20)),
        ...falling([59, 58], { ...until(20), operation: 'sendMessage', status: 202 }),
      ],
    ],
  ])('is not looked for %s', (_what, answers) => {
    expect(secondsOf(answers)).toEqual([]);
  });
});

// A bucket of 60 in five minutes: each request moves its Reset by five seconds.
test('where few requests were used, only common lengths that the rounded Reset leaves possible', () => {
  const lengths = secondsOf(
    falling([59, 58]).map((each, at) => ({ ...each, at, ...until(at + 5 * (at + 1)) })),
  );
  expect(lengths).toContain(300);
  for (const other of [120, 240, 600]) expect(lengths).not.toContain(other);
});

describe('by the clock of petspec', () => {
  const answers = falling([59, 58, 57, 56]).map(
    (each, at): Answer => ({ ...each, at: 3 * at, ...until(20 + 3 * at) }),
  );
  const byOurs = (dateAhead: number) =>
    windowLengths(shown(answers.map((each) => ({ ...each, dateAhead }))), true).map((ms) => ms / 1_000);

  test('a Date that is ahead changes nothing', () => {
    expect(byOurs(200)).toContain(20);
    expect(byOurs(200)).toEqual(byOurs(0));
    expect(secondsOf(answers.map((each) => ({ ...each, dateAhead: 200 })))).not.toContain(20);
  });

  test('no length of a minute or more is tried, as a clock that is ahead would look like one', () => {
    const far = answers.map((each, at) => ({ ...each, ...until(40 + 3 * at) }));
    expect(secondsOf(far)).toContain(600);
    expect(windowLengths(shown(far), true).filter((ms) => ms >= 60_000)).toEqual([]);
  });
});

describe('where Remaining stays the same, a window is so short that a request is back before the next one is sent', () => {
  test.each<[what: string, limit: number, times: number[], wanted: number[]]>([
    ['60 in less than a minute, for one a second', 60, [0, 1, 2], [2, 3, 5, 10, 15, 20, 30, 45]],
    ['10 in less than five seconds, where two are sent within half a second', 10, [0, 3, 3.5, 7], [2, 3]],
    ['none of a minute or more, however long the pauses are', 60, [0, 5, 10], [2, 3, 5, 10, 15, 20, 30, 45]],
  ])('%s', (_what, limit, times, wanted) => {
    const answers = times.map((at): Answer => ({ limit, at, remaining: limit - 1, ...until(20) }));
    expect(secondsOf(answers)).toEqual(wanted);
  });
});

describe('a refusal that changes Reset at once', () => {
  const refusal: Answer = { at: 0.2, status: 429, remaining: 0, retryAfter: '30', ...until(50) };
  const run = (last: Answer, change: Answer): Answer[] => [
    ...falling([5, 4], until(10)),
    { remaining: 0, at: 0.1, ...until(10), ...last },
    { ...refusal, ...change },
    { at: 76, remaining: 59, ...until(86) },
  ];

  test('is none of a limiter, so no length is tried', () => {
    expect(secondsOf(run({}, {}))).toEqual([]);
  });

  test.each<[what: string, last: Answer, change: Answer]>([
    ['some were left, too few for the request', { remaining: 2 }, { remaining: 2 }],
    ['it is that of a smaller limit', {}, { limit: 5 }],
    ['it is none, as the request is free', {}, { status: 200 }],
    ['the window may have ended since', {}, { at: 12 }],
  ])('is looked at where %s', (_what, last, change) => {
    expect(secondsOf(run(last, change))).toContain(10);
  });
});

test.each<[what: string, between: Answer]>([
  ['those of the day', { limit: 1_000, ...until(43_200) }],
  ['those with a wrong key, which are counted per address', { key: 'unknown', status: 401, ...until(50) }],
])('of all responses, %s tell nothing', (_what, between) => {
  const answers = falling([59, 58, 57, 56]).map(
    (each, at): Answer => ({ ...each, at: 3 * at, ...until(20 + 3 * at) }),
  );
  const others = answers.map(({ at = 0 }): Answer => ({ at: at + 1, remaining: 900 - at, ...between }));
  const mixed = answers.flatMap((each, index) => [each, others[index] ?? each]);
  expect(secondsOf(mixed)).toEqual(secondsOf(answers));
});
