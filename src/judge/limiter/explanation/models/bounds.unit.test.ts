import { expect, test } from 'vitest';
import { MINUTE, observed, type Seen, told } from '../../../../../test/limiters/limiter-states.ts';
import { atOnce, bitByBit, oneWindowLater } from './bounds.ts';
import type { Bounds } from './model.ts';

const WITH_BURST = { ...MINUTE, burst: 3 };

const waysOf = (bounds: Bounds, before: Seen, after: Seen, first = before, figures = MINUTE) =>
  bounds.ways(figures, observed(before), observed(after), observed(first));

test('what is left besides Remaining is a burst', () => {
  for (const bounds of [atOnce, oneWindowLater]) {
    expect(bounds.leftIf(WITH_BURST, told(5))).toEqual({ lo: 8, hi: 8 });
    expect(bounds.leftIf(WITH_BURST, told(0))).toEqual({ lo: 0, hi: 3 });
  }
  // Remaining may or may not include it.
  expect(bitByBit.up.leftIf(WITH_BURST, told(5))).toEqual({ lo: expect.closeTo(4), hi: 8 });
});

test('all come back when the window ends, and none before', () => {
  const before: Seen = { at: 0, remaining: 5, reset: [30, 33] };
  const none = { returned: 0 };
  const all = { returned: Number.POSITIVE_INFINITY, isRenewed: true };
  const at = (seconds: number) => waysOf(atOnce, before, { at: seconds, remaining: 5 });
  expect([29.999, 30, 33, 33.001].map(at)).toEqual([[none], [none, all], [none, all], [all]]);
  const other: Seen = { at: 31, remaining: 5, reset: [90, 93] };
  expect(waysOf(atOnce, before, other)).toEqual([all]);
  // A window that nothing has used may not have begun.
  expect(waysOf(atOnce, before, { ...other, remaining: 12 })).toEqual([none, all]);
  expect(waysOf(atOnce, { ...before, remaining: 12 }, other)).toEqual([none, all]);
});

test('within a window, only what was used before the first comes back one by one', () => {
  const first: Seen = { at: 10, remaining: 5 };
  const returned = (seconds: number, figures = MINUTE, remaining: number | undefined = 5) =>
    waysOf(
      oneWindowLater,
      { at: 20, remaining: 3 },
      { at: seconds },
      remaining === undefined ? { at: 10 } : { ...first, remaining },
      figures,
    );
  expect(returned(69.999)).toEqual([{ returned: 7 }]);
  expect(returned(70)).toEqual([{ returned: Number.POSITIVE_INFINITY }]);
  expect(returned(30, WITH_BURST)).toEqual([{ returned: 7 }]);
  expect(returned(30, WITH_BURST, 0)).toEqual([{ returned: 15 }]);
  expect(waysOf(oneWindowLater, first, { at: 30 }, { at: 10 })).toEqual([{ returned: 12 }]);
});

test('bit by bit, they come back no faster than the limit in one window', () => {
  const returned = (before: number, after: number) =>
    waysOf(bitByBit.down, { at: before }, { at: after - 5, until: after });
  expect(returned(10, 40)).toEqual([{ returned: 6 }]);
  expect(returned(40, 10)).toEqual([{ returned: 0 }]);
});
