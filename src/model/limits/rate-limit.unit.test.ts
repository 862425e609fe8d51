import { describe, expect, test } from 'vitest';
import type { HeaderLine } from '../exchange.ts';
import { announcedBurst, parseRetryAfter, readRateLimit, serverTime } from './rate-limit.ts';

/** Sat, 21 Nov 2026 12:00:00 GMT. */
const NOON = 1_795_262_400_000;

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
  ['ours if Date is not a date', [['Date', 'noon']], 5],
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

  test('a Remaining of more digits than a number holds is above Limit', () => {
    const headers: HeaderLine[] = [
      ['X-RateLimit-Limit', '60'],
      ['X-RateLimit-Remaining', '18446744073709551615'],
    ];
    expect(readRateLimit(headers, NOON)).toEqual({ limit: 60, remaining: Number.MAX_SAFE_INTEGER });
  });

  test('a key without a limit has no Limit to compare with', () => {
    const headers: HeaderLine[] = [
      ['X-RateLimit-Limit', '18446744073709551615'],
      ['X-RateLimit-Remaining', '18446744073709551614'],
    ];
    expect(readRateLimit(headers, NOON)).toEqual({});
  });

  test.each<[unit: string, value: string, reset: number]>([
    ['microseconds', '1795262460000000', 1_795_262_460_000_000],
    ['nanoseconds', '1795262460000000000', Number.MAX_SAFE_INTEGER],
    ['hundreds of digits', '9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ])('a Reset in %s', (_unit, value, reset) => {
    expect(readRateLimit([['X-RateLimit-Reset', value]], NOON)).toEqual({ reset });
  });
});

test('a burst is announced in a header of its own; the largest counts', () => {
  const carrying = (...headers: HeaderLine[]) => ({ response: { status: 200, headers, body: '' } });
  expect(announcedBurst([])).toBe(0);
  expect(announcedBurst(Array(150_000).fill(carrying(['X-RateLimit-Burst', '7'])))).toBe(7);
  expect(announcedBurst([{}, carrying(['X-RateLimit-Limit', '60'])])).toBe(0);
  expect(announcedBurst([carrying(['x-ratelimit-burst', '4']), carrying(['X-RateLimit-Burst', '10'])])).toBe(
    10,
  );
  expect(
    announcedBurst([carrying(['X-RateLimit-Burst', 'many']), carrying(['X-RateLimit-Burst', '-1'])]),
  ).toBe(0);
});
