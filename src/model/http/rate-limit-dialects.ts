import { createRequire } from 'node:module';
import type { Contract } from '../contract.ts';
import { type HeaderLine, headerValues, type RateLimit } from '../exchange.ts';
import { readRateLimit, serverTime } from '../rate-limit.ts';

/** Larger numbers are times since 1970, and no times to go. */
export const FIRST_EPOCH = 1_000_000_000;
export const FIRST_EPOCH_MS = 1_000_000_000_000;

/**
 * The rate limit headers of a response in the dialects in use: `RateLimit` with `RateLimit-Policy` (structured fields, as in
 * draft-ietf-httpapi-ratelimit-headers), `RateLimit-Limit` and its like of older drafts, and `X-RateLimit-Limit` and its like,
 * whose reset is a time or seconds to go.
 * @param receivedAt ms since the epoch
 */
export function readAnyRateLimit(headers: readonly HeaderLine[], receivedAt: number): RateLimit {
  const { retryAfter } = readRateLimit(headers, receivedAt);
  const now = Math.floor(serverTime(headers, receivedAt) / 1000);
  const after = retryAfter === undefined ? {} : { retryAfter };
  const found = structured(headers, now) ?? named(headers, now);
  return { ...found, ...after };
}

/** How the rate limit headers of an interface are read: the bundled one says which there are. */
export function readLimitOf({ file }: Pick<Contract, 'file'>): typeof readRateLimit {
  return file === undefined ? readRateLimit : readAnyRateLimit;
}

/** How the names of the headers of a limit begin, where each has one figure. */
export const PREFIXES = ['RateLimit-', 'X-RateLimit-', 'X-Rate-Limit-'];

/** One header for each figure. */
function named(headers: readonly HeaderLine[], now: number): RateLimit {
  for (const prefix of PREFIXES) {
    const [limit, remaining, reset] = ['Limit', 'Remaining', 'Reset'].map((name) =>
      // `100, 100;w=60`: the limit in force comes first.
      Number(
        /^\s*(\d{1,15})(?![\d.])/.exec(headerValues(headers, prefix + name)[0] ?? '')?.[1] ?? Number.NaN,
      ),
    );
    const known = {
      ...figure('limit', limit),
      ...figure('remaining', remaining),
      ...figure('reset', endOf(reset, now)),
    };
    if (Object.keys(known).length > 0) return known;
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

/** `RateLimit: "default";r=50;t=30`, and of draft 07 `limit=100, remaining=50, reset=30`. The tightest limit counts. */
function structured(headers: readonly HeaderLine[], now: number): RateLimit | undefined {
  const text = headerValues(headers, 'RateLimit').join(', ');
  if (text === '') return undefined;
  const policies = new Map(itemsOf(headerValues(headers, 'RateLimit-Policy').join(', ')));
  const [tightest] = itemsOf(text)
    .filter(([, { r }]) => typeof r === 'number')
    .toSorted(([, one], [, other]) => Number(one.r) - Number(other.r));
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
  const known = {
    ...numberIn('limit', limit),
    ...numberIn('remaining', remaining),
    ...numberIn('reset', typeof reset === 'number' ? now + reset : undefined),
  };
  return Object.keys(known).length === 0 ? undefined : known;
}

function numberIn(name: 'limit' | 'remaining' | 'reset', value: unknown): RateLimit {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? { [name]: value } : {};
}

type Parameters = Readonly<Record<string, unknown>>;

/** The members of a list by their names, with their parameters; empty if the text is not a list (RFC 9651). */
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

/** Loaded when the first such header comes. */
function library(): typeof import('structured-headers') {
  return require('structured-headers');
}
