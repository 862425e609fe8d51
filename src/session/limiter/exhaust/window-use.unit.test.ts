import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import type { Exchange } from '../../../model/exchange.ts';
import { WindowUse } from './window-use.ts';

const NOW = 1_795_262_400_000;
const LIMIT = 60;

/** A response that came `at` ms after the start. */
function response(at: number, remaining: number, change: Partial<Exchange> = {}): Exchange {
  return exchange({
    stage: 'exhaust',
    sentAt: NOW + at,
    receivedAt: NOW + at,
    response: { status: 200, headers: [], body: '[]' },
    rate: { limit: LIMIT, remaining, reset: NOW / 1000 + 45 },
    ...change,
  });
}

function useOf(exchanges: readonly Exchange[]): WindowUse {
  const use = new WindowUse(LIMIT, NOW);
  for (const each of exchanges) use.add(each, 0);
  return use;
}

const same = (at: readonly number[]) => useOf(at.map((each) => response(each, 9)));

describe('Remaining does not fall', () => {
  test('within a second it may be old: the next request waits until it has to be a new one', () => {
    const use = same([0, 5, 10, 15, 20]);
    expect(use.isUncounted(NOW + 20)).toBe(false);
    expect(use.msUntilNew(NOW + 20)).toBe(980);
  });

  test('for a second it shows that the request does not count', () => {
    const use = same([0, 5, 10, 15, 20, 1_000]);
    expect(use.isUncounted(NOW + 1_000)).toBe(true);
    expect(use.msUntilNew(NOW + 1_000)).toBe(0);
  });

  test('three times it shows nothing', () => {
    expect(same([0, 5, 10, 15]).msUntilNew(NOW + 15)).toBe(0);
    expect(same([0, 5, 10, 1_000]).isUncounted(NOW + 1_000)).toBe(false);
  });

  test('a refill does not show that the request counts', () => {
    const use = useOf([0, 5, 10, 15, 20].map((at) => response(at, 9)).concat(response(1_000, 10)));
    expect(use.isCounted).toBe(false);
    expect(use.isUncounted(NOW + 1_000)).toBe(true);
  });

  test('once it has fallen, the request counts', () => {
    const use = useOf([response(0, 9), response(5, 9), response(10, 8), response(15, 8), response(2_000, 8)]);
    expect(use.isCounted).toBe(true);
    expect(use.isUncounted(NOW + 2_000)).toBe(false);
  });
});

describe('the figures of a varied request', () => {
  test('begin no window and show no change, but the request is one of those let through', () => {
    const varied = response(10, 59, { variation: 'spelling', rate: { limit: LIMIT, remaining: 59 } });
    const use = useOf([response(0, 3), response(5, 3), varied]);
    expect(use.ended).toBe(0);
    expect(use.isCounted).toBe(false);
    // Four with the first of them; one more may be refilled, and one is spare.
    expect(use.isExceeded(true, NOW + 10, 3)).toBe(false);
    expect(use.isExceeded(true, NOW + 10, 4)).toBe(true);
  });
});

describe('a request after Remaining is 0', () => {
  const used = [1, 0, 0].map((remaining, index) => response(index, remaining));

  test('shows that the limit is exceeded', () => {
    expect(useOf(used.slice(0, 2)).isExceeded(true, NOW + 2, 0)).toBe(false);
    expect(useOf([...used, response(3, 0)]).isExceeded(true, NOW + 3, 0)).toBe(true);
  });

  test('does not once some came back', () => {
    const refilled = [1, 0, 1, 0].map((remaining, index) => response(1_500 * index, remaining));
    expect(useOf(refilled).isExceeded(true, NOW + 4_500, 0)).toBe(false);
  });

  test('is one of a burst as long as that was announced', () => {
    const headers = [['x-ratelimit-burst', '10']] as const;
    const announced = response(0, 1, { response: { status: 200, headers, body: '[]' } });
    const within = Array.from({ length: 11 }, (_, index) => response(index + 2, 0));
    expect(useOf([announced, ...within]).isExceeded(true, NOW + 12, 0)).toBe(false);
    const beyond = Array.from({ length: 13 }, (_, index) => response(index + 2, 0));
    expect(useOf([announced, ...beyond]).isExceeded(true, NOW + 14, 0)).toBe(true);
  });
});

test('the first Remaining may count the requests beside it', () => {
  const use = new WindowUse(LIMIT, NOW);
  use.add(response(0, 9), 15);
  const most = 9 + 16;
  // One has a response; one more may be refilled, and one is spare.
  expect(use.isExceeded(true, NOW + 1, most + 1)).toBe(false);
  expect(use.isExceeded(true, NOW + 1, most + 2)).toBe(true);
});

describe('the next window', () => {
  const day = (remaining: number, reset: number): Partial<Exchange> => ({
    rate: { limit: 1_000, remaining, reset: NOW / 1000 + reset },
  });
  const next = { rate: { limit: LIMIT, remaining: 59, reset: NOW / 1000 + 105 } };

  test.each<[what: string, ended: number, exchanges: readonly Exchange[]]>([
    ['begins where Reset moves and Remaining rises', 1, [response(0, 9), response(1, 59, next)]],
    ['also if as much is left as before', 1, [response(0, 59), response(1, 59, next)]],
    [
      'also if Remaining is not told',
      1,
      [response(0, 9), response(1, 59, { rate: { limit: LIMIT, reset: next.rate.reset } })],
    ],
    [
      'does not where the Reset of a bucket moves by minutes with each request',
      0,
      [900, 899, 898].map((left, index) => response(index, left, day(left, 86 * index))),
    ],
    [
      'does not where the headers describe another window in turn',
      0,
      [
        response(0, 9),
        response(1, 900, day(900, 40_000)),
        response(2, 8),
        response(3, 899, day(899, 40_000)),
      ],
    ],
  ])('%s', (_what, ended, exchanges) => {
    expect(useOf(exchanges).ended).toBe(ended);
  });
});
