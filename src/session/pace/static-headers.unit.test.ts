import { describe, expect, test } from 'vitest';
import { exchange } from '../../../test/exchanges/exchange.ts';
import type { RateLimit } from '../../model/exchange.ts';
import { Pace } from './pace.ts';

const NOW = 1_795_262_400_000;
const LIST = { operation: 'listPets', address: 'baseUrl' } as const;

/** What a service says to a request at a time (ms): the status, and its headers. */
type Service = (now: number) => { status: number; rate: RateLimit };

/** Sends requests one after the other, each when the pace says so. Returns the waits (s) and how often a note was given. */
function sent(requests: number, service: Service): { waits: number[]; refusals: number; notes: number } {
  let notes = 0;
  let now = NOW;
  let refusals = 0;
  const waits: number[] = [];
  const pace = new Pace(
    () => undefined,
    () => {
      notes += 1;
    },
  );
  for (let count = 0; count < requests; count += 1) {
    const { ms } = pace.wait(LIST, now);
    if (ms > 0) waits.push(ms / 1000);
    now += Math.max(0, ms) + 20;
    const { status, rate } = service(now);
    if (status === 429) refusals += 1;
    const response = { status, headers: [], body: '' };
    pace.received(exchange({ ...LIST, sentAt: now, receivedAt: now, response, rate }));
  }
  return { waits, refusals, notes };
}

const always =
  (limit: number | undefined, remaining: number, seconds: number): Service =>
  (now) => ({
    status: 200,
    rate: { ...(limit === undefined ? {} : { limit }), remaining, reset: now / 1000 + seconds },
  });

describe('headers that never change are waited for twice at most, and that is said once', () => {
  test.each([
    [undefined, 30],
    [undefined, 5],
    [undefined, 60],
    [1, 30],
    [2, 30],
    [5, 3],
    [60, 30],
    [60, 1],
    [1_000, 60],
  ])('limit %s, reset in %d s', (limit, seconds) => {
    const { waits, notes } = sent(30, always(limit, 0, seconds));
    expect(waits.length).toBeLessThanOrEqual(2);
    expect(notes).toBe(1);
    expect(sent(30, always(limit, 1, seconds))).toEqual({ waits: [], refusals: 0, notes: 0 });
  });
});

/** A bucket that gives back a request every so many seconds. */
function bucket(size: number, everySeconds: number): Service {
  let tokens = size;
  let at = NOW;
  return (now) => {
    tokens = Math.min(size, tokens + (now - at) / 1000 / everySeconds);
    at = now;
    const isThrough = tokens >= 1;
    if (isThrough) tokens -= 1;
    const next = Math.ceil(everySeconds * (1 - (tokens % 1)));
    const rate = {
      limit: Math.round(60 / everySeconds),
      remaining: Math.floor(tokens),
      reset: now / 1000 + next,
    };
    return isThrough ? { status: 200, rate } : { status: 429, rate: { ...rate, retryAfter: next } };
  };
}

/** A window with so many requests. */
function windowOf(size: number, seconds: number, isStated: boolean): Service {
  let ends = 0;
  let used = 0;
  return (now) => {
    if (now >= ends) [ends, used] = [now + seconds * 1000, 0];
    used += 1;
    const reset = ends / 1000;
    const rate = { ...(isStated ? { limit: size } : {}), remaining: Math.max(0, size - used), reset };
    const retryAfter = Math.ceil((ends - now) / 1000);
    return used <= size ? { status: 200, rate } : { status: 429, rate: { ...rate, retryAfter } };
  };
}

describe('an honest limiter is believed, and refuses nothing:', () => {
  test.each<[what: string, service: () => Service]>([
    ['a bucket with ten a minute', () => bucket(4, 6)],
    ['a bucket with two a minute', () => bucket(2, 30)],
    ['a window with two requests', () => windowOf(2, 60, true)],
    ['a window with three requests, without its limit', () => windowOf(3, 30, false)],
  ])('%s', (_, service) => {
    const { waits, refusals, notes } = sent(30, service());
    expect(refusals).toBe(0);
    expect(notes).toBe(0);
    expect(waits.length).toBeGreaterThan(2);
  });

  test.each([[true], [false]])(
    'one request in each window cannot be told from headers that never change: it refuses one, and is believed then (limit stated: %s)',
    (isStated) => {
      const { refusals, notes } = sent(30, windowOf(1, 30, isStated));
      expect(refusals).toBe(1);
      expect(notes).toBe(1);
    },
  );
});
