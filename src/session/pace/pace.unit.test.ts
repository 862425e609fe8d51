import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import type { RatePlan } from '../../model/contract.ts';
import type { Exchange, RateLimit } from '../../model/exchange.ts';
import { Pace } from './pace.ts';

const NOW = 1_795_262_400_000;
const FREE = { minute: 60, day: 1_000 };
const list = { operation: 'listPets', address: 'baseUrl' } as const;
const fetch = { operation: 'getPet', address: 'baseUrl' } as const;
const message = { operation: 'sendMessage', address: 'apiUrl' } as const;

type Answer = RateLimit & {
  to?: typeof list | typeof fetch | typeof message;
  status?: number;
  at?: number;
  key?: Exchange['key'];
  variation?: Exchange['variation'];
  /** Seconds from the answer to Reset. */
  resetIn?: number;
};

function exchangeOf({
  to = list,
  status = 200,
  at = NOW,
  key = 'valid',
  variation,
  resetIn,
  ...rate
}: Answer): Exchange {
  return exchange({
    ...to,
    ...(variation ? { variation } : {}),
    probe: '',
    stage: 'list',
    key,
    url: 'http://127.0.0.1/',
    sentAt: at,
    receivedAt: at,
    response: { status, headers: [], body: '' },
    rate: { ...rate, ...(resetIn === undefined ? {} : { reset: at / 1000 + resetIn }) },
  });
}

/** A pace that has seen these answers, each to a request that was sent alone. */
function paceAfter(answers: readonly Answer[], limits: RatePlan | undefined = FREE): Pace {
  const pace = new Pace(() => limits);
  for (const answer of answers) answerTo(pace, answer);
  return pace;
}

function answerTo(pace: Pace, answer: Answer): void {
  pace.received(exchangeOf(answer));
}

const minute = (remaining: number, change: Answer = {}): Answer => ({
  limit: 60,
  remaining,
  resetIn: 30,
  ...change,
});
const day = (remaining: number, change: Answer = {}): Answer => ({
  limit: 1_000,
  remaining,
  resetIn: 40_000,
  ...change,
});

describe('when the next request may be sent', () => {
  test('at once while nothing is known about an address', () => {
    const pace = new Pace(() => undefined);
    expect(pace.wait(list, NOW).ms).toBe(0);
    expect(pace.remaining(list, NOW)).toBeUndefined();
  });

  test('at once while requests remain, otherwise a second after Reset', () => {
    expect(paceAfter([minute(1)]).wait(list, NOW).ms).toBe(0);
    expect(paceAfter([minute(0)]).wait(list, NOW).ms).toBe(31_000);
    expect(paceAfter([minute(0)]).wait(list, NOW + 31_000).ms).toBe(0);
  });

  test('nothing left in the last response counts, even if another operation has more left', () => {
    const pace = paceAfter([minute(9, { to: fetch }), minute(0)]);
    expect(pace.wait(list, NOW).ms).toBe(31_000);
    expect(pace.wait(fetch, NOW).ms).toBe(31_000);
  });

  test('the message address has a count of its own', () => {
    const pace = paceAfter([minute(0, { to: message })]);
    expect(pace.wait(message, NOW).ms).toBe(31_000);
    expect(pace.wait(list, NOW).ms).toBe(0);
  });

  test('an exhausted day lasts until its reset', () => {
    expect(paceAfter([day(0)]).wait(list, NOW).ms).toBe(40_001_000);
  });

  test('if the headers describe the day, our own count applies to the minute', () => {
    const answers = Array.from({ length: 60 }, (_, index) => day(900 - index, { at: NOW + index * 100 }));
    const pace = paceAfter(answers);
    const now = NOW + 6_000;
    expect(pace.remaining(list, now)).toBe(0);
    expect(pace.wait(list, now).ms).toBe(55_000);
    expect(pace.wait(list, NOW + 61_000).ms).toBe(0);
    expect(pace.remaining(list, NOW + 61_000)).toBe(1);
  });

  test('if the headers are not numbers, our own count applies to a known rate plan', () => {
    const answers = Array.from({ length: 58 }, () => ({}));
    expect(paceAfter(answers).remaining(list, NOW)).toBe(2);
    expect(paceOfUnknownPlan(answers).remaining(list, NOW)).toBeUndefined();
  });

  test('wrong keys and refusals are not in our own count', () => {
    const pace = paceAfter([{}, { status: 401, key: 'unknown' }, { status: 429, retryAfter: 0 }]);
    expect(pace.remaining(list, NOW)).toBe(59);
  });
});

function paceOfUnknownPlan(answers: readonly Answer[]): Pace {
  const pace = new Pace(() => undefined);
  for (const answer of answers) answerTo(pace, answer);
  return pace;
}

describe('after a 429', () => {
  const refused = (change: Answer = {}): Answer => minute(0, { status: 429, retryAfter: 7, ...change });

  test('nothing is sent before a second after Retry-After, to any operation or address', () => {
    const pace = paceAfter([minute(40, { to: fetch }), refused()]);
    for (const to of [list, fetch, message]) expect(pace.wait(to, NOW).ms).toBe(8_000);
    expect(pace.closedFor(NOW + 3_000)).toBe(5_000);
    expect(pace.closedFor(NOW + 8_000)).toBe(0);
  });

  test('Retry-After counts from when the 429 arrived, however long it took', () => {
    const pace = new Pace(() => FREE);
    pace.received({ ...exchangeOf(refused()), sentAt: NOW - 5_000 });
    expect(pace.closedFor(NOW)).toBe(8_000);
  });

  test('the longest of several Retry-After counts, in any order', () => {
    const pace = paceAfter([refused({ retryAfter: 50 }), refused({ retryAfter: 3 })]);
    expect(pace.closedFor(NOW)).toBe(51_000);
  });

  test('without a readable Retry-After it waits for Reset, and at least a minute', () => {
    const { retryAfter: _, ...unstated } = refused();
    expect(paceAfter([unstated]).closedFor(NOW)).toBe(61_000);
    expect(paceAfter([{ ...unstated, resetIn: 90 }]).closedFor(NOW)).toBe(91_000);
    expect(paceAfter([{ status: 429 }]).closedFor(NOW)).toBe(61_000);
  });

  test('it says what it waits for: the Retry-After that it waits for the longest, if there is one', () => {
    const stated = 'the limit was exceeded; Retry-After asks to wait';
    const unstated = 'the limit was exceeded, and no valid Retry-After says how long to wait';
    expect(paceAfter([refused()]).wait(list, NOW).why).toBe(stated);
    expect(paceAfter([{ status: 429 }]).wait(list, NOW).why).toBe(unstated);
    expect(paceAfter([refused({ retryAfter: 90 }), { status: 429 }]).wait(list, NOW).why).toBe(stated);
    expect(paceAfter([refused(), { status: 429 }]).wait(list, NOW).why).toBe(unstated);
  });

  test('a 429 to a wrong key also closes the window, and is no sign that the limit was exceeded', () => {
    const pace = paceAfter([{ status: 429, retryAfter: 7, key: 'longer' }]);
    expect(pace.closedFor(NOW)).toBe(8_000);
    expect(pace.wait(list, NOW).why).toBe('a wrong key got 429; Retry-After asks to wait');
  });

  test('a Retry-After of 0 waits for one second', () => {
    expect(paceAfter([refused({ retryAfter: 0 })]).closedFor(NOW)).toBe(1_000);
  });
});

describe('where only a 429 shows the limit', () => {
  const through = (count: number, from: number): Answer[] =>
    Array.from({ length: count }, (_, index) => ({ at: from + index * 20 }));

  test('as many requests as before it are sent in the time until the end of its Retry-After', () => {
    const pace = paceOfUnknownPlan([...through(5, NOW), { status: 429, retryAfter: 2, at: NOW + 100 }]);
    expect(pace.wait(list, NOW + 3_100).ms).toBe(0);
    for (const answer of through(5, NOW + 3_200)) answerTo(pace, answer);
    expect(pace.wait(list, NOW + 3_300)).toEqual({
      ms: 3_000,
      why: 'as many requests were sent as before the last 429',
    });
  });

  test('in a minute if Retry-After says so', () => {
    const pace = paceOfUnknownPlan([...through(5, NOW), { status: 429, retryAfter: 60, at: NOW + 100 }]);
    for (const answer of through(4, NOW + 61_200)) answerTo(pace, answer);
    expect(pace.wait(list, NOW + 61_300).ms).toBe(0);
    answerTo(pace, { at: NOW + 61_300 });
    expect(pace.wait(list, NOW + 61_300).ms).toBe(60_900);
  });

  test('a later 429 shows how fast a bucket fills that was full at first', () => {
    const pace = paceOfUnknownPlan([...through(5, NOW), { status: 429, retryAfter: 1, at: NOW + 100 }]);
    for (const answer of through(2, NOW + 2_100)) answerTo(pace, answer);
    answerTo(pace, { status: 429, retryAfter: 1, at: NOW + 2_200 });
    for (const answer of through(2, NOW + 4_200)) answerTo(pace, answer);
    expect(pace.wait(list, NOW + 4_300).ms).toBeGreaterThan(1_000);
  });

  test('of requests that were sent at the same time, the first 429 counts', () => {
    const pace = paceOfUnknownPlan([
      ...through(5, NOW),
      { status: 429, retryAfter: 2, at: NOW + 100 },
      { status: 429, retryAfter: 60, at: NOW + 110 },
    ]);
    for (const answer of through(5, NOW + 61_200)) answerTo(pace, answer);
    expect(pace.wait(list, NOW + 61_300).ms).toBe(3_000);
  });
});

test('a window that is over says nothing about the next', () => {
  const pace = paceAfter([minute(0)]);
  expect(pace.remaining(list, NOW + 31_000)).toBe(59);
});

test('a request without a response does not count', () => {
  const pace = paceAfter([minute(2)]);
  const { response: _, ...lost } = exchangeOf({});
  pace.received({ ...lost, rate: {} });
  expect(pace.wait(list, NOW).ms).toBe(0);
  expect(pace.remaining(list, NOW)).toBe(2);
});
