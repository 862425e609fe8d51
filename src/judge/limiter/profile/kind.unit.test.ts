import { describe, expect, test } from 'vitest';
import { falling, type Read, statementsOf } from '../../../../test/limiters/profiled.ts';

/** A limit of five, used up twice in fixed windows of this length (s), the second time with a pause. */
const inWindowsOf = (length: number): Read[] => [
  ...falling(4, 0, 0, length),
  { at: 0.5, status: 429, remaining: 0, reset: length, retryAfter: length },
  ...falling(4, 3, length + 0.6, 2 * length),
  { at: 1.5 * length, remaining: 2, reset: 2 * length },
  ...falling(1, 0, 1.7 * length, 2 * length),
  { at: 1.8 * length, status: 429, remaining: 0, reset: 2 * length, retryAfter: length / 5 },
  ...falling(4, 2, 2 * length + 0.6, 3 * length),
];

test('a profile names the kind and the window, and says what rules out each other kind', () => {
  const statements = statementsOf(inWindowsOf(60), 5);
  expect(statements.get('kind')).toMatchObject({ value: 'fixed window', text: 'fixed window', shownBy: [6] });
  expect(Number(statements.get('window')?.value)).toBeCloseTo(60, 0);
  expect(statements.get('window')?.shownBy).toEqual([6]);
  const ruledOut = new Map(statements.get('kind')?.ruledOut?.map(({ model, because }) => [model, because]));
  expect([...ruledOut.keys()]).toEqual([
    'sliding log',
    'token bucket (or GCRA, which lets through the same)',
    'sliding counter',
  ]);
  for (const because of ruledOut.values()) expect(because).toContain('by this model');
});

test('of several lengths that explain all, the range is told', () => {
  expect(statementsOf(inWindowsOf(10), 5).get('window')).toEqual({
    about: 'window',
    text: 'cannot be told: windows of 9 to 11 s explain what was seen',
    shownBy: [6],
  });
});

describe('no kind is told if Remaining', () => {
  const at = (remaining: number[]) =>
    remaining.map((left, index): Read => ({ at: index / 50, remaining: left }));

  test('is above the limit', () => {
    const statements = statementsOf(at([19, 25, 24]), 20);
    for (const about of ['kind', 'window']) {
      expect(statements.get(about)?.text).toMatch(
        /^cannot be told: no honest limiter sends what exchange 2 has \(Remaining is 25, by this model [\d to]+\); the nearest is a [a-z ]+$/,
      );
      expect(statements.get(about)?.shownBy).toEqual([2]);
    }
  });

  test('rises by half of the limit at once, as that of a rarer limiter may', () => {
    const statements = statementsOf([...falling(19, 10, 0, 60), { at: 0.3, remaining: 17, reset: 60 }], 20);
    expect(statements.get('kind')?.text).toBe(
      'cannot be told: only a rarer kind of limiter explains what was seen',
    );
    expect(statements.get('kind')?.ruledOut).toHaveLength(4);
  });
});
