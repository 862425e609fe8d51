import { describe, expect, test } from 'vitest';
import type { Received } from '../../../model/exchange.ts';
import { placeOf } from '../exchange/body.ts';
import { count, duration, moment } from '../markup/quantities.ts';
import { differenceOf } from './finding.ts';

describe('the place of a finding', () => {
  const response: Received = { status: 500, headers: [['retry-AFTER', 'soon']], body: 'no' };

  test.each<[string, Parameters<typeof placeOf>[0], ReturnType<typeof placeOf>]>([
    ['a pointer', { kind: 'shape', pointer: '/0' }, { kind: 'body', pointer: '/0' }],
    ['a status', { kind: 'status' }, { kind: 'status' }],
    ['a header', { kind: 'header', headers: ['Retry-After'] }, { kind: 'headers', names: ['Retry-After'] }],
    [
      'headers that only several responses show',
      { kind: 'sequence', headers: ['X-A', 'X-B'] },
      { kind: 'headers', names: ['X-A', 'X-B'] },
    ],
    ['a refusal that never came', { kind: 'sequence' }, { kind: 'status' }],
    ['no JSON', { kind: 'json' }, { kind: 'syntax' }],
    [
      'a media type',
      { kind: 'media-type', headers: ['Content-Type'] },
      { kind: 'headers', names: ['Content-Type'] },
    ],
    ['something else', { kind: 'meaning' }, { kind: 'none' }],
  ])('%s', (_, finding, place) => {
    expect(placeOf(finding, response)).toEqual(place);
  });

  test('a body that is empty, and no response at all', () => {
    expect(placeOf({ kind: 'shape' }, { ...response, body: '' })).toEqual({ kind: 'body', pointer: '' });
    expect(placeOf({ kind: 'status' }, undefined)).toEqual({ kind: 'none' });
  });
});

describe('where two texts differ', () => {
  test.each([
    ['status 400', 'status 401', ['status ', '400', '401', '']],
    ['name: "a <b>x</b> c"', 'name: "a x c"', ['name: "a ', '<b>x</b>', 'x', ' c"']],
    ['id: 1', 'id: 1 and 2', ['id: 1', '', ' and 2', '']],
    ['a 🐈 b', 'a 🐕 b', ['a ', '🐈', '🐕', ' b']],
  ])('%s, %s', (expected, received, parts) => {
    const found = differenceOf(expected, received);
    expect(found && [found.before, found.expected, found.received, found.after]).toEqual(parts);
  });

  test.each([
    ['the same', 'the same'],
    ['animals with status sold', 'an animal'],
    ['x'.repeat(3_000), 'y'],
  ])('nothing to mark', (expected, received) => {
    expect(differenceOf(expected, received)).toBeUndefined();
  });
});

test('numbers, durations and dates are readable', () => {
  expect([count(1, 'request'), count(2_000, 'request'), count(1, 'more', 'more')]).toEqual([
    '1 request',
    '2,000 requests',
    '1 more',
  ]);
  expect([0, 999, 1_000, 4_004, 43_210, 61_000, 3_720_000, Number.NaN].map(duration)).toEqual([
    '0 ms',
    '999 ms',
    '1 s',
    '4 s',
    '43 s',
    '1 min 1 s',
    '1 h 2 min',
    'unknown',
  ]);
  expect(moment('2026-09-01T09:00:00.000Z')).toBe('1 September 2026 at 09:00:00 UTC');
  expect(moment('yesterday')).toBeUndefined();
});
