import { expect, test } from 'vitest';
import { CountDown } from './count-down.ts';

/** A count that begins with so many requests left. */
function from(remaining: number): CountDown {
  const count = new CountDown();
  count.begin(remaining);
  return count;
}

test('requests one at a time take one off each', () => {
  const count = from(10);
  expect(count.received(count.sending(), 9)).toBe(true);
  expect(count.received(count.sending(), 8)).toBe(true);
});

test.each([
  ['nothing', 10],
  ['two', 8],
])('a request that takes %s off is told', (_, remaining) => {
  const count = from(10);
  expect(count.received(count.sending(), remaining)).toBe(false);
});

test('simultaneous requests may be counted in any order', () => {
  const count = from(10);
  const places = [count.sending(), count.sending(), count.sending()];
  expect(count.received(places[0] ?? 0, 7)).toBe(true);
  expect(count.received(places[2] ?? 0, 9)).toBe(true);
  expect(count.received(places[1] ?? 0, 8)).toBe(true);
  expect(count.isQuiet).toBe(true);
});

test('what was sent after two responses cannot be counted before them', () => {
  const count = from(10);
  count.received(count.sending(), 9);
  count.received(count.sending(), 8);
  expect(count.received(count.sending(), 9)).toBe(false);
});

test('without a Remaining, and before the first, nothing is known', () => {
  const count = new CountDown();
  expect(count.isKnown).toBe(false);
  expect(count.received(count.sending(), 9)).toBeUndefined();
  count.begin(9);
  expect(count.received(count.sending(), undefined)).toBeUndefined();
});

test('a count does not begin while requests are in flight', () => {
  const count = new CountDown();
  count.sending();
  count.begin(9);
  expect(count.isKnown).toBe(false);
});
