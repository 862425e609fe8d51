import { expect, test } from 'vitest';
import {
  explainedRemaining,
  isExplained,
  MINUTE,
  observed,
  type Seen,
  statesAfter,
} from '../../../test/limiters/limiter-states.ts';
import { fixedWindow } from './fixed-window.ts';

const WITH_BURST = { ...MINUTE, burst: 3 };
const first: Seen = { at: 0, remaining: 5, reset: [30, 30] };

test('it is the plainest limiter', () => {
  const { name, surprise, counting, isGradual } = fixedWindow;
  expect([name, surprise, counting, isGradual]).toEqual(['fixed window', 0, 'any', undefined]);
});

test.each<[what: string, next: Seen, expected: number[]]>([
  ['before the window ends', { at: 29.999 }, [4]],
  ['when it ends, either way', { at: 30 }, [4, 11]],
  ['after it ended', { at: 30.001 }, [11]],
  ['after others used two', { at: 10, others: 2 }, [2, 3, 4]],
])('what is left %s', (_what, next, expected) => {
  expect(explainedRemaining(fixedWindow, [first], next)).toEqual(expected);
});

test('a window begins with the limit and a burst', () => {
  expect(fixedWindow.start(WITH_BURST, observed(first))[0]?.left).toEqual({ lo: 0, hi: 15 });
  expect(explainedRemaining(fixedWindow, [first], { at: 31 }, WITH_BURST)).toEqual([11]);
  const used: Seen[] = [first, { at: 31, weight: 14, remaining: 0 }, { at: 32, remaining: 0 }];
  expect(isExplained(fixedWindow, used, WITH_BURST)).toBe(true);
  expect(isExplained(fixedWindow, [...used, { at: 33, remaining: 0 }], WITH_BURST)).toBe(false);
});

test.each([MINUTE, WITH_BURST])(
  'Reset of a window that nothing has used is only what it would be',
  (figures) => {
    const idle = (remaining: number): Seen[] => [
      { ...first, weight: 0, remaining: 12, reset: [59, 60] },
      { at: 10, remaining, reset: [69, 70] },
    ];
    expect(isExplained(fixedWindow, idle(11), figures)).toBe(true);
    const [used, later] = [{ ...first, remaining: 11 }, { at: 10, remaining: 10, reset: [69, 70] } as const];
    expect(statesAfter(fixedWindow, [used, later], figures)).toEqual({
      kind: 'reset',
      expected: { lo: 30_000, hi: 30_000 },
    });
  },
);
