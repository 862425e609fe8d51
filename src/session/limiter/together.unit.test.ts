import { expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Parts } from '../parts/parts.ts';
import { mostTogether } from './together.ts';

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
