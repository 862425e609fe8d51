import { type HeaderLine, headerValue, type RateLimit } from './exchange.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = MONTHS.join('|');
const FORMS: readonly { name: HttpDateForm; pattern: RegExp }[] = [
  {
    name: 'imf-fixdate',
    pattern: new RegExp(
      `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (\\d{2}) (${MONTH}) (\\d{4}) (\\d{2}):(\\d{2}):(\\d{2}) GMT$`,
    ),
  },
  {
    name: 'rfc850',
    pattern: new RegExp(
      `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (\\d{2})-(${MONTH})-(\\d{2}) (\\d{2}):(\\d{2}):(\\d{2}) GMT$`,
    ),
  },
  {
    name: 'asctime',
    pattern: new RegExp(
      `^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (${MONTH}) ([ \\d]\\d) (\\d{2}):(\\d{2}):(\\d{2}) (\\d{4})$`,
    ),
  },
];

export type HttpDateForm = 'imf-fixdate' | 'rfc850' | 'asctime';

/** An HTTP-date in one of its three forms (RFC 9110 section 5.6.7), as ms since the epoch; undefined if it is none. */
export function parseHttpDate(text: string): { ms: number; form: HttpDateForm } | undefined {
  for (const { name, pattern } of FORMS) {
    const match = pattern.exec(text);
    if (!match) continue;
    const parts = match.slice(1);
    const [day, month, year, ...time] =
      name === 'asctime' ? [parts[1], parts[0], parts[5], ...parts.slice(2, 5)] : parts;
    // Two digits mean the past where they would be far in the future (RFC 9110 section 5.6.7).
    const century = Number(year) >= 70 ? 1900 : 2000;
    const fullYear = name === 'rfc850' ? century + Number(year) : Number(year);
    const [hour, minute, second] = time.map(Number);
    const monthIndex = MONTHS.indexOf(month ?? '');
    const ms = Date.UTC(fullYear, monthIndex, Number(day), hour, minute, second);
    // Date.UTC carries 31 Feb over into March: such a date does not exist. A leap second is 60.
    const date = new Date(Date.UTC(fullYear, monthIndex, Number(day)));
    const exists =
      date.getUTCDate() === Number(day) && Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60;
    return exists ? { ms, form: name } : undefined;
  }
  return undefined;
}

/**
 * Retry-After as seconds from receipt (RFC 9110 section 10.2.3): a whole number of seconds, or an HTTP-date, which is
 * counted from the server's own Date where it sends one. Undefined where it is neither.
 * @param receivedAt ms since the epoch
 */
export function parseRetryAfter(
  value: string,
  headers: readonly HeaderLine[],
  receivedAt: number,
): number | undefined {
  // Hundreds of digits would be Infinity, which JSON does not have.
  if (/^\d+$/.test(value)) return Math.min(Number(value), Number.MAX_SAFE_INTEGER);
  const date = parseHttpDate(value);
  return date && Math.max(0, Math.ceil((date.ms - serverTime(headers, receivedAt)) / 1000));
}

/** The server's time at a response, by its Date header, else by ours. In ms since the epoch. */
export function serverTime(headers: readonly HeaderLine[], receivedAt: number): number {
  const date = headerValue(headers, 'Date');
  return (date === undefined ? undefined : parseHttpDate(date)?.ms) ?? receivedAt;
}

/** The rate limit headers that are plain numbers. @param receivedAt ms since the epoch */
export function readRateLimit(headers: readonly HeaderLine[], receivedAt: number): RateLimit {
  const rate: RateLimit = {};
  const integer = (name: string) => {
    const value = headerValue(headers, name);
    return value !== undefined && /^\d{1,15}$/.test(value) ? Number(value) : undefined;
  };
  const limit = integer('X-RateLimit-Limit');
  const remaining = integer('X-RateLimit-Remaining');
  const reset = integer('X-RateLimit-Reset');
  const after = headerValue(headers, 'Retry-After');
  const retryAfter = after === undefined ? undefined : parseRetryAfter(after, headers, receivedAt);
  if (limit !== undefined) rate.limit = limit;
  if (remaining !== undefined) rate.remaining = remaining;
  if (reset !== undefined) rate.reset = reset;
  if (retryAfter !== undefined) rate.retryAfter = retryAfter;
  return rate;
}
