import { createRequire } from 'node:module';
import type { Contract } from '../contract.ts';
import { type Exchange, type HeaderLine, headerValue, headerValues, type RateLimit } from '../exchange.ts';
import { parseHttpDate } from '../http/http-date.ts';

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

/** From these numbers on, a reset is a time since 1970 (s, ms), not the seconds left. */
export const FIRST_EPOCH = 1_000_000_000;
export const FIRST_EPOCH_MS = 1_000_000_000_000;

/**
 * The rate limit headers of a response in the common dialects: `RateLimit` with `RateLimit-Policy` (structured fields, as in
 * draft-ietf-httpapi-ratelimit-headers), `RateLimit-Limit` etc. of older drafts, and `X-RateLimit-Limit` etc., whose reset is a time or
 * the seconds left.
 * @param receivedAt ms since the epoch
 */
export function readAnyRateLimit(headers: readonly HeaderLine[], receivedAt: number): RateLimit {
  const { retryAfter } = readRateLimit(headers, receivedAt);
  const now = Math.floor(serverTime(headers, receivedAt) / 1000);
  const after = retryAfter === undefined ? {} : { retryAfter };
  const figures = structured(headers, now) ?? named(headers, now);
  return { ...figures, ...after };
}

/** The reader for the rate limit headers of an interface: only the bundled one defines the dialect. */
export function readLimitOf({ file }: Pick<Contract, 'file'>): typeof readRateLimit {
  return file === undefined ? readRateLimit : readAnyRateLimit;
}

/** Prefixes of headers with a single figure. */
export const PREFIXES = ['RateLimit-', 'X-RateLimit-', 'X-Rate-Limit-'];

/** Reads the dialects with a header for each figure. */
function named(headers: readonly HeaderLine[], now: number): RateLimit {
  for (const prefix of PREFIXES) {
    const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
      // `100, 100;w=60`: the limit in force comes first.
      Number(
        /^\s*(\d{1,15})(?![\d.])/.exec(headerValues(headers, prefix + name)[0] ?? '')?.[1] ?? Number.NaN,
      ),
    );
    const figures = {
      ...figure('limit', limit),
      ...figure('remaining', remaining),
      ...figure('reset', endOf(reset, now)),
    };
    if (Object.keys(figures).length > 0) return figures;
  }
  return {};
}

function figure(name: 'limit' | 'remaining' | 'reset', value: number | undefined): RateLimit {
  return value === undefined || Number.isNaN(value) ? {} : { [name]: value };
}

/** When a window ends, as a Unix timestamp in seconds. */
function endOf(value: number | undefined, now: number): number | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  if (value >= FIRST_EPOCH_MS) return Math.ceil(value / 1000);
  return value >= FIRST_EPOCH ? value : now + value;
}

/** Reads `RateLimit: "default";r=50;t=30`, and `limit=100, remaining=50, reset=30` of draft 07: the limit with the fewest remaining. */
function structured(headers: readonly HeaderLine[], now: number): RateLimit | undefined {
  const text = headerValues(headers, 'RateLimit').join(', ');
  if (text === '') return undefined;
  const policies = new Map(itemsOf(headerValues(headers, 'RateLimit-Policy').join(', ')));
  const [tightest] = itemsOf(text)
    .filter(([, { r }]) => typeof r === 'number')
    .toSorted(([, a], [, b]) => Number(a.r) - Number(b.r));
  if (tightest) {
    const [name, { r, t }] = tightest;
    const { q } = policies.get(name) ?? {};
    return {
      ...numberIn('limit', q),
      ...numberIn('remaining', r),
      ...numberIn('reset', typeof t === 'number' ? now + t : undefined),
    };
  }
  const { limit, remaining, reset } = dictionaryOf(text);
  const figures = {
    ...numberIn('limit', limit),
    ...numberIn('remaining', remaining),
    ...numberIn('reset', typeof reset === 'number' ? now + reset : undefined),
  };
  return Object.keys(figures).length === 0 ? undefined : figures;
}

function numberIn(name: 'limit' | 'remaining' | 'reset', value: unknown): RateLimit {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? { [name]: value } : {};
}

type Parameters = Readonly<Record<string, unknown>>;

/** The names of the members of a list with their parameters; empty if the text is not a list (RFC 9651). */
function itemsOf(text: string): [name: string, parameters: Parameters][] {
  try {
    return library()
      .parseList(text)
      .map(([value, parameters]) => [String(value), Object.fromEntries(parameters)]);
  } catch {
    return [];
  }
}

function dictionaryOf(text: string): Parameters {
  try {
    const members = [...library().parseDictionary(text)].map(([name, [value]]) => [name, value] as const);
    return Object.fromEntries(members);
  } catch {
    return {};
  }
}

const require = createRequire(import.meta.url);

/** Loaded on demand. */
function library(): typeof import('structured-headers') {
  return require('structured-headers');
}
