import { describe, expect, test } from 'vitest';
import type { HeaderLine } from './exchange.ts';
import { parseHttpDate, parseRetryAfter, readRateLimit, serverTime } from './rate-limit.ts';

/** The example of RFC 9110 section 5.6.7, as the number of ms that `date -u` gives for it. */
const EXAMPLE = 784_111_777_000;
/** Sat, 21 Nov 2026 12:00:00 GMT. */
const NOON = 1_795_262_400_000;

describe('HTTP-dates', () => {
  test.each([
    ['Sun, 06 Nov 1994 08:49:37 GMT', EXAMPLE, 'imf-fixdate'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', EXAMPLE, 'rfc850'],
    ['Sun Nov  6 08:49:37 1994', EXAMPLE, 'asctime'],
    ['Sat, 21 Nov 2026 12:00:00 GMT', NOON, 'imf-fixdate'],
    ['Saturday, 21-Nov-26 12:00:00 GMT', NOON, 'rfc850'],
    ['Sat Nov 21 12:00:00 2026', NOON, 'asctime'],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0, 'imf-fixdate'],
    ['Tue, 29 Feb 2028 23:59:59 GMT', 1_835_481_599_000, 'imf-fixdate'],
    // The grammar allows for a leap second, wherever it is.
    ['Sat, 31 Dec 2016 23:59:60 GMT', 1_483_228_800_000, 'imf-fixdate'],
    ['Wed, 05 Dec 2029 07:00:60 GMT', 1_891_148_460_000, 'imf-fixdate'],
  ])('%s', (text, ms, form) => {
    expect(parseHttpDate(text)).toEqual({ ms, form });
  });

  test.each([
    ['a day that is not there', 'Tue, 31 Feb 2026 08:49:37 GMT'],
    ['29 February in a common year', 'Mon, 29 Feb 2027 08:49:37 GMT'],
    ['day 0', 'Sun, 00 Nov 1994 08:49:37 GMT'],
    ['day 31 of a month of 30', 'Thu, 31 Nov 1994 08:49:37 GMT'],
    ['day 32, and in asctime', 'Sun Nov 32 08:49:37 1994'],
    ['31 Feb in the form of RFC 850', 'Tuesday, 31-Feb-26 08:49:37 GMT'],
    ['hour 24', 'Sun, 06 Nov 1994 24:00:00 GMT'],
    ['minute 60', 'Sun, 06 Nov 1994 08:60:37 GMT'],
    ['second 61', 'Sun, 06 Nov 1994 08:49:61 GMT'],
    ['an unknown weekday', 'Sux, 06 Nov 1994 08:49:37 GMT'],
    ['a long weekday in the short form', 'Sunday, 06 Nov 1994 08:49:37 GMT'],
    ['a short weekday in the form of RFC 850', 'Sun, 06-Nov-94 08:49:37 GMT'],
    ['an unknown month', 'Sun, 06 Nob 1994 08:49:37 GMT'],
    ['no weekday', '06 Nov 1994 08:49:37 GMT'],
    ['names in another case', 'sun, 06 nov 1994 08:49:37 gmt'],
    ['another zone', 'Sun, 06 Nov 1994 08:49:37 UTC'],
    ['an offset', 'Sun, 06 Nov 1994 08:49:37 +0000'],
    ['no zone', 'Sun, 06 Nov 1994 08:49:37'],
    ['one digit for the day', 'Sun, 6 Nov 1994 08:49:37 GMT'],
    ['one digit for the hour', 'Sun, 06 Nov 1994 8:49:37 GMT'],
    ['two digits for the year', 'Sun, 06 Nov 94 08:49:37 GMT'],
    ['four digits for the year in the form of RFC 850', 'Sunday, 06-Nov-1994 08:49:37 GMT'],
    ['asctime with one space', 'Sun Nov 6 08:49:37 1994'],
    ['asctime with a zone', 'Sun Nov  6 08:49:37 1994 GMT'],
    ['more behind it', 'Sun, 06 Nov 1994 08:49:37 GMT, 1'],
    ['ISO 8601', '1994-11-06T08:49:37Z'],
    ['seconds', '784111777'],
    ['nothing', ''],
  ])('%s is none: %s', (_what, text) => {
    expect(parseHttpDate(text)).toBeUndefined();
  });
});

describe('Retry-After', () => {
  const dated: HeaderLine[] = [['date', 'Sat, 21 Nov 2026 12:00:00 GMT']];
  const ahead: HeaderLine[] = [['Date', 'Sat, 21 Nov 2026 12:00:30 GMT']];

  test.each<[value: string, seconds: number | undefined, headers: HeaderLine[], receivedAt: number]>([
    ['0', 0, dated, NOON],
    ['120', 120, dated, NOON],
    ['007', 7, dated, NOON],
    ['Sat, 21 Nov 2026 12:00:45 GMT', 45, dated, NOON],
    ['Saturday, 21-Nov-26 12:00:45 GMT', 45, dated, NOON],
    ['Sat Nov 21 12:00:45 2026', 45, dated, NOON],
    // By the server's own clock where it sends a Date, else by ours, rounded up.
    ['Sat, 21 Nov 2026 12:00:45 GMT', 15, ahead, NOON],
    ['Sat, 21 Nov 2026 12:00:45 GMT', 45, [], NOON],
    ['Sat, 21 Nov 2026 12:00:45 GMT', 45, [], NOON + 400],
    ['Sat, 21 Nov 2026 11:00:00 GMT', 0, dated, NOON],
    ['-1', undefined, dated, NOON],
    ['+5', undefined, dated, NOON],
    ['1.5', undefined, dated, NOON],
    ['1e3', undefined, dated, NOON],
    ['0x10', undefined, dated, NOON],
    ['15s', undefined, dated, NOON],
    ['1, 2', undefined, dated, NOON],
    ['soon', undefined, dated, NOON],
    ['', undefined, dated, NOON],
    ['2026-11-21T12:00:45Z', undefined, dated, NOON],
    ['Tue, 31 Feb 2026 12:00:45 GMT', undefined, dated, NOON],
  ])('%s is %s s', (value, seconds, headers, receivedAt) => {
    expect(parseRetryAfter(value, headers, receivedAt)).toBe(seconds);
  });
});

test.each<[why: string, headers: HeaderLine[], ms: number]>([
  ['its Date', [['DATE', 'Sat, 21 Nov 2026 12:00:00 GMT']], NOON],
  ['ours without a Date', [], 5],
  ['ours where Date is none', [['Date', 'noon']], 5],
  [
    'ours where two Dates disagree',
    [
      ['Date', 'Sat, 21 Nov 2026 12:00:00 GMT'],
      ['Date', 'Sat, 21 Nov 2026 12:00:01 GMT'],
    ],
    5,
  ],
])('the server’s time: %s', (_why, headers, ms) => {
  expect(serverTime(headers, 5)).toBe(ms);
});

describe('the headers as numbers', () => {
  test('all four, whatever the case of their names', () => {
    const headers: HeaderLine[] = [
      ['x-ratelimit-LIMIT', '60'],
      ['X-RateLimit-Remaining', '0'],
      ['x-ratelimit-reset', '1795262460'],
      ['retry-after', '60'],
    ];
    expect(readRateLimit(headers, NOON)).toEqual({
      limit: 60,
      remaining: 0,
      reset: 1_795_262_460,
      retryAfter: 60,
    });
  });

  test('none of them', () => {
    expect(readRateLimit([['RateLimit-Limit', '60']], NOON)).toEqual({});
  });

  test.each<[why: string, values: string[], remaining: number | undefined]>([
    ['a plain integer', ['42'], 42],
    ['twice the same', ['42', '42'], 42],
    ['two that differ', ['42', '41'], undefined],
    ['negative', ['-1'], undefined],
    ['with a plus sign', ['+42'], undefined],
    ['a floating-point number', ['42.0'], undefined],
    ['scientific', ['4e1'], undefined],
    ['hexadecimal', ['0x2a'], undefined],
    ['grouped', ['1,000'], undefined],
    ['a word', ['none'], undefined],
    ['empty', [''], undefined],
    ['more digits than a number holds', ['99999999999999999999'], undefined],
  ])('Remaining: %s', (_why, values, remaining) => {
    const headers = values.map((value): HeaderLine => ['X-RateLimit-Remaining', value]);
    expect(readRateLimit(headers, NOON).remaining).toBe(remaining);
  });
});
