import { describe, expect, test } from 'vitest';
import { parseHttpDate } from './http-date.ts';

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
    expect(parseHttpDate(text, NOON)).toEqual({ ms, form });
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
  ])('%s is not a date: %s', (_what, text) => {
    expect(parseHttpDate(text, NOON)).toBeUndefined();
  });
});

describe('years', () => {
  const yearOf = (text: string, now = NOON) => {
    const date = parseHttpDate(text, now);
    return date && new Date(date.ms).getUTCFullYear();
  };

  test.each([
    ['76', '2026-11-21T12:00:00Z', 2076],
    ['77', '2026-11-21T12:00:00Z', 1977],
    ['99', '2026-11-21T12:00:00Z', 1999],
    ['00', '2026-11-21T12:00:00Z', 2000],
    ['26', '2026-11-21T12:00:00Z', 2026],
    ['10', '2090-01-01T00:00:00Z', 2110],
    ['89', '2090-01-01T00:00:00Z', 2089],
    ['40', '2090-01-01T00:00:00Z', 2140],
    ['41', '2090-01-01T00:00:00Z', 2041],
  ])('two digits are never more than 50 years ahead: %s at %s is %d', (digits, now, year) => {
    expect(yearOf(`Sunday, 01-Jan-${digits} 00:00:00 GMT`, Date.parse(now))).toBe(year);
  });

  test('50 years ahead to the second', () => {
    expect(yearOf('Saturday, 21-Nov-76 12:00:00 GMT')).toBe(2076);
    expect(yearOf('Saturday, 21-Nov-76 12:00:01 GMT')).toBe(1976);
  });

  test('four digits are what they say', () => {
    expect(yearOf('Thu, 01 Jan 0099 00:00:00 GMT')).toBe(99);
    expect(yearOf('Fri, 01 Jan 1999 00:00:00 GMT')).toBe(1999);
    expect(yearOf('Thu Jan  1 00:00:00 0001')).toBe(1);
  });
});
