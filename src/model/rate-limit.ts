import { type Exchange, type HeaderLine, headerValue, type RateLimit } from './exchange.ts';
import { parseHttpDate } from './http/http-date.ts';

/**
 * Retry-After as seconds from receipt (RFC 9110 section 10.2.3): a whole number of seconds, or an HTTP-date, which
 * counts from the server's Date if it sends one. Undefined if it is neither.
 * @param receivedAt ms since the epoch
 */
export function parseRetryAfter(
  value: string,
  headers: readonly HeaderLine[],
  receivedAt: number,
): number | undefined {
  const seconds = wholeNumber(value);
  if (seconds !== undefined) return seconds;
  const date = parseHttpDate(value, receivedAt);
  return date && Math.max(0, Math.ceil((date.ms - serverTime(headers, receivedAt)) / 1000));
}

/** The number that a text of digits says, capped: hundreds of digits would give Infinity, which JSON does not have. */
function wholeNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Math.min(Number(text), Number.MAX_SAFE_INTEGER) : undefined;
}

/** The server's time at a response by its Date header, else petspec's, in ms since the epoch. */
export function serverTime(headers: readonly HeaderLine[], receivedAt: number): number {
  return dateOf(headers, receivedAt) ?? receivedAt;
}

/** Cached, because the limiter is judged by many rules. */
const dates = new WeakMap<readonly HeaderLine[], number | null>();

/** The Date header of a response in ms since the epoch, if it has a valid one. */
export function dateOf(headers: readonly HeaderLine[], receivedAt: number): number | undefined {
  let ms = dates.get(headers);
  if (ms === undefined) {
    const date = headerValue(headers, 'Date');
    ms = (date === undefined ? undefined : parseHttpDate(date, receivedAt)?.ms) ?? null;
    dates.set(headers, ms);
  }
  return ms ?? undefined;
}

const BURST = /^x-?ratelimit-burst$/i;

/** The largest burst on top of the limit that a service announces in a header, `X-RateLimit-Burst` for example; 0 if none. */
export function announcedBurst(exchanges: readonly Pick<Exchange, 'response'>[]): number {
  const stated = exchanges.flatMap(({ response }) =>
    (response?.headers ?? []).flatMap(([name, value]) =>
      BURST.test(name) && /^\d{1,9}$/.test(value) ? [Number(value)] : [],
    ),
  );
  return stated.reduce((largest, burst) => Math.max(largest, burst), 0);
}

/** No plan has a larger Limit: a key without a limit may state one, and its Remaining is as large. */
const MAX_LIMIT = 10 ** 15 - 1;

/** The rate limit headers that are plain numbers. @param receivedAt ms since the epoch */
export function readRateLimit(headers: readonly HeaderLine[], receivedAt: number): RateLimit {
  const rate: RateLimit = {};
  const integer = (name: string) => wholeNumber(headerValue(headers, name) ?? '');
  const limit = integer('X-RateLimit-Limit');
  const remaining = integer('X-RateLimit-Remaining');
  const reset = integer('X-RateLimit-Reset');
  const after = headerValue(headers, 'Retry-After');
  const retryAfter = after === undefined ? undefined : parseRetryAfter(after, headers, receivedAt);
  if (limit !== undefined && limit <= MAX_LIMIT) rate.limit = limit;
  // A larger Remaining (-1 as an unsigned number, for example) is wrong only beside a Limit.
  if (remaining !== undefined && (remaining <= MAX_LIMIT || rate.limit !== undefined))
    rate.remaining = remaining;
  if (reset !== undefined) rate.reset = reset;
  if (retryAfter !== undefined) rate.retryAfter = retryAfter;
  return rate;
}
