import { describe, expect, test } from 'vitest';
import { type Answer, falling, NOON, shown } from '../../test/limiters/limited-runs.ts';
import { windowLengths } from './window-lengths.ts';

const secondsOf = (answers: readonly Answer[], isByOurs = false) =>
  windowLengths(shown(answers), isByOurs).map((ms) => ms / 1_000);
const until = (seconds: number): Answer => ({ reset: NOON + seconds });

/** Answers so many seconds apart, and how many seconds after each of them its Reset is. */
const moving = (gap: number, figures: readonly number[], away: (index: number) => number): Answer[] =>
  figures.map((remaining, index) => ({ remaining, at: gap * index, ...until(gap * index + away(index)) }));

describe('lengths that are tried, and others that are not', () => {
  test.each<[what: string, answers: readonly Answer[], tried: number[], untried: number[]]>([
    [
      'a Reset moves by less than two seconds from one response to the next, but by more since the first',
      moving(1, [59, 58, 57, 56], () => 24),
      [24],
      [60],
    ],
    [
      'two Resets are further away than the others',
      moving(3, [59, 58, 57, 56, 55], (index) => [24, 24, 40, 24, 41][index] ?? 0),
      [24],
      [40, 41],
    ],
    [
      'a Reset moves by seven seconds where nothing came back: that is no length',
      [...falling([59, 58], until(20)), ...falling([58, 57], until(27))],
      [20],
      [7],
    ],
    [
      'some come back, but Reset stays: no common length is more likely than another',
      [...falling([40, 39, 38], until(20)), { at: 5, remaining: 39, ...until(20) }],
      [20],
      [15, 30],
    ],
    [
      'the next Reset is two seconds later, which is the shortest window',
      [...falling([40, 39, 38], until(20)), { at: 10, remaining: 59, ...until(22) }],
      [2, 15, 30],
      [1],
    ],
    [
      'Reset moves by four different times, and the three longest are tried',
      [10, 17, 40, 73, 118].flatMap((end, index) =>
        falling([59, 58], { at: [0, 3, 8, 40, 73][index] ?? 0, ...until(end) }),
      ),
      [45, 33, 23],
      [7],
    ],
    [
      'Reset stays as far away as five minutes, so the window is no minute',
      falling([59, 58, 57], until(300)),
      [300],
      [],
    ],
    ['Reset is a day away, which is the longest', falling([59, 58, 57], until(86_400)), [86_400], [86_401]],
    [
      'a Reset may be that of two windows, and a second off',
      moving(3, [59, 58, 57], () => 36),
      [35, 36, 37, 17, 18, 19],
      [72],
    ],
    [
      'common lengths go from half of what Reset is away to twice that',
      moving(3, [59, 58, 57], () => 15),
      [10, 15, 20, 30],
      [5, 45],
    ],
    [
      'a bucket of 60 in an hour takes a minute for each, so that Reset moves by a minute',
      [
        ...falling([59, 58, 57, 56]).map((each, used) => ({ ...each, ...until(60 * (used + 1)) })),
        { at: 120, remaining: 57, ...until(300) },
      ],
      [3_600],
      [],
    ],
    [
      'of few that were used, three are back in eight seconds, with two seconds for rounding',
      moving(1, [59, 58, 57], (index) => [2, 5, 8][index] ?? 0),
      [120],
      [90],
    ],
    [
      'two operations are counted apart: what one has left is nothing that came back to the other',
      [
        ...falling([30, 29, 28], until(30)),
        ...falling([50, 49], { operation: 'getPet', ...until(30) }),
        { at: 5, remaining: 30, ...until(30) },
        { at: 15, remaining: 44, ...until(30) },
      ],
      [37, 40, 43],
      [],
    ],
    [
      'a half of the limit is missing, and back in half a minute: a minute is tried anyway',
      [...falling([59], until(1)), ...falling([30], until(30))],
      [56, 59],
      [60],
    ],
  ])('%s', (_what, answers, tried, untried) => {
    const lengths = secondsOf(answers);
    expect(lengths).toEqual(expect.arrayContaining(tried));
    for (const other of untried) expect(lengths).not.toContain(other);
  });

  test('no more than a burst was used, so nothing tells how fast requests come back', () => {
    expect(secondsOf(moving(3, [62, 61, 60], () => 1))).toEqual([2]);
  });

  test('none but a minute, where a moving Reset is that far away, and a second more', () => {
    expect(secondsOf(moving(3, [59, 58, 57, 56], () => 61))).toEqual([]);
  });
});

describe('the likeliest length is the first', () => {
  test('a quarter of the limit is missing, and back in ten seconds, less up to two for rounding', () => {
    const lengths = secondsOf([...falling([59], until(1)), ...falling([45], until(10))]);
    expect(lengths[0]).toBe(38);
    expect(lengths).toEqual(expect.arrayContaining([32, 33, 34, 35, 36, 37, 38, 39, 40]));
    for (const other of [31, 41, 42, 43]) expect(lengths).not.toContain(other);
  });

  test('a sliding counter is full one window after it lets a request through again; then come common ones', () => {
    const lengths = secondsOf([
      ...falling([2, 1, 0], until(30)),
      { status: 429, remaining: 0, retryAfter: '13', ...until(30) },
      { at: 14, remaining: 5, ...until(44) },
    ]);
    expect(lengths[0]).toBe(17);
    const places = [20, 45, 28, 16].map((length) => lengths.indexOf(length));
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});

test('by the clock of petspec, a response without Reset is no further away than others', () => {
  const answers = moving(3, [59, 58, 57, 56], () => 20);
  const without = answers.map((each, index) => (index === 2 ? { ...each, reset: 'soon' } : each));
  expect(secondsOf(without, true)).toContain(20);
});
