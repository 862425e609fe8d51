import { createRequire } from 'node:module';
import type { Contract } from '../contract.ts';
import { type HeaderLine, headerValues, type RateLimit } from '../exchange.ts';
import { readRateLimit, serverTime } from '../rate-limit.ts';

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
