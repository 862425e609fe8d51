import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import type { Exchange } from '../../../model/exchange.ts';
import type { Parts } from '../../parts/parts.ts';
import { fillSize, mostTogether, type Rest, restOf } from './burst-size.ts';

const rest = (fields: Partial<Rest>): Rest => ({
  left: 100,
  limit: 300,
  latency: 50,
  inTurn: 0,
  time: 40_000,
  isGradual: false,
  ...fields,
});

describe('how many equal reads go out together', () => {
  test.each<[what: string, rest: Partial<Rest>, size: number]>([
    ['one at a time fits: 100 x 50 ms in 40 s', {}, 1],
    ['one at a time does not fit, and the largest burst still has time', { left: 900, latency: 300 }, 1],
    ['nothing is left', { left: 0, time: 0 }, 1],
    ['so few are left that they go one at a time', { left: 5, time: 0 }, 1],
    ['no burst is larger than 64', { left: 900, latency: 300, time: 1_000 }, 64],
    [
      'no burst is larger than what is left before the last ones',
      { left: 20, latency: 300, time: 1_000 },
      16,
    ],
  ])('%s', (_, fields, size) => {
    expect(fillSize(rest(fields), 64, false)).toBe(size);
  });

  test('what is left of a window is used up in time, with room for slower responses', () => {
    const slow = rest({ left: 900, latency: 300, time: 30_000 });
    const size = fillSize(slow, 64, true);
    const bursts = Math.ceil((slow.left - 4) / size);
    expect(size).toBeGreaterThan(1);
    expect((bursts + 5) * slow.latency).toBeLessThan(slow.time / 1.5);
  });

  test('a service that makes one response after the other needs more time for a burst', () => {
    const rest = { left: 200, limit: 1_000, latency: 55, time: 2_000, isGradual: false };
    expect(fillSize({ ...rest, inTurn: 0 }, 64, false)).toBe(1);
    expect(fillSize({ ...rest, inTurn: 5 }, 64, false)).toBeGreaterThan(1);
  });

  test('a limiter that gives back one at a time takes larger bursts', () => {
    const slow = rest({ left: 900, limit: 1_000, latency: 300, time: 30_000 });
    expect(fillSize({ ...slow, isGradual: true }, 64, true)).toBeGreaterThan(fillSize(slow, 64, true));
  });

  test('a cap holds', () => {
    expect(fillSize(rest({ left: 900, latency: 300, time: 1_000 }), 4, true)).toBe(4);
    expect(fillSize(rest({ left: 900, latency: 300, time: 1_000 }), 1, true)).toBe(1);
  });
});

describe('what is left of a window', () => {
  const NOW = 1_800_000_000_000;
  const answer = (at: number, took: number, reset: number) =>
    exchange({
      sentAt: at - took,
      receivedAt: at,
      response: { status: 200, headers: [], body: '' },
      rate: { reset },
    });
  const figures = { left: 7, limit: 60 };

  test('is as long as a Reset that stays the same says, less what has passed since', () => {
    const reset = NOW / 1000 + 30;
    const told = [answer(NOW - 1_000, 300, reset), answer(NOW, 200, reset)];
    expect(restOf(told, 'listPets', figures, NOW + 2_000)).toEqual({
      ...figures,
      latency: 300,
      inTurn: 0,
      time: 28_000,
      isGradual: false,
    });
  });

  test('takes longer by what the responses of the last burst waited for each other', () => {
    const reset = NOW / 1000 + 30;
    const burst = [50, 55, 60, 65].map((took) => ({
      ...answer(NOW + took, took, reset),
      burst: 'fill' as const,
    }));
    expect(restOf([answer(NOW, 50, reset), ...burst], 'listPets', figures, NOW + 65)).toMatchObject({
      latency: 50,
      inTurn: 5,
    });
  });

  test.each([
    ['Reset moves with each request', [answer(NOW, 100, NOW / 1000 + 30), answer(NOW, 100, NOW / 1000 + 31)]],
    ['Reset is that of a day', [answer(NOW, 100, NOW / 1000 + 4_000), answer(NOW, 100, NOW / 1000 + 4_000)]],
    ['nothing was sent', []],
  ])('is half a minute, in which requests come back, where %s', (_, told) => {
    expect(restOf(told, 'listPets', figures, NOW)).toMatchObject({ time: 30_000, isGradual: true });
  });
});

const NOW = 1_800_000_000_000;

const response = { status: 200, headers: [], body: '' };

/** Responses one after the other that took so long (ms). */
function alone(...took: number[]): Exchange[] {
  let at = NOW;
  return took.map((ms) => {
    const sentAt = at;
    at += ms;
    return exchange({ sentAt, receivedAt: at, response });
  });
}

/** Responses to requests that went out together. */
const burst = (...took: number[]) =>
  took.map((ms) => exchange({ sentAt: NOW + 100_000, receivedAt: NOW + 100_000 + ms, response }));

/** A request of the burst that nobody answers. */
const lost = exchange({ sentAt: NOW + 100_000, receivedAt: NOW + 110_000 });

test.each<[what: string, exchanges: Exchange[], most: number]>([
  ['nothing was sent', [], 64],
  ['each takes 50 ms', alone(50, 50, 50), 64],
  // 9 x 1.1 s fit into ten seconds.
  ['one took a second', alone(50, 1_000, 50), 9],
  ['one took six seconds, so that two in turn take too long', alone(6_000, 50), 1],
  ['it was long ago', alone(6_000, ...Array.from({ length: 20 }, () => 50)), 64],
  [
    'a burst of four shows that they are served side by side',
    [...alone(2_000), ...burst(2_000, 2_000, 2_100, 2_050)],
    8,
  ],
  [
    'a burst of four shows that they are served in turn',
    [...alone(2_000), ...burst(2_000, 4_000, 6_000, 8_000)],
    4,
  ],
  ['one of a burst got no response', [...alone(50), ...burst(50, 50), lost], 1],
  ['a burst of two shows that they are served in turn', [...alone(4_000), ...burst(4_000, 8_000)], 2],
])('in ten seconds, %s', (_, exchanges, most) => {
  const parts = { learnt: { exchanges }, options: { concurrency: 64, timeout: 10_000 } };
  expect(mostTogether(parts as unknown as Parts)).toBe(most);
});

test('never more than the user allows', () => {
  const parts = { learnt: { exchanges: alone(50) }, options: { concurrency: 3, timeout: 10_000 } };
  expect(mostTogether(parts as unknown as Parts)).toBe(3);
});
