import { describe, expect, test } from 'vitest';
import { falling, type Read, silent, statementsOf } from '../../../../test/limiters/profiled.ts';
import { tellsSomething } from './profile.ts';
import { type ProfileStatement, untold } from './statement.ts';

describe('a Retry-After that is longer than the limiter asks for rules nothing out', () => {
  // As a log of ten seconds does that blocks for ten more who exceeds it: its Reset is that of the first hit.
  test('of a sliding log that blocks', () => {
    const kind = statementsOf(
      [
        ...falling(29, 4, 0, 10),
        ...falling(3, 0, 3.7, 10),
        { at: 3.8, status: 429, retryAfter: 10 },
        ...falling(29, 28, 14.8, 25),
        { at: 19.8, remaining: 27, reset: 25 },
      ],
      30,
    ).get('kind');
    expect(kind).not.toHaveProperty('value');
    expect(kind?.text).toContain('sliding log');
  });

  // Its Reset, and so its Retry-After, is always a window after the last request.
  test('of a sliding log that always names a whole window', () => {
    const statements = statementsOf(
      [
        ...falling(19, 2, 0, 10),
        ...falling(1, 0, 3.7, 14),
        { at: 3.8, status: 429, remaining: 0, reset: 14, retryAfter: 10 },
        ...falling(19, 18, 14.8, 25),
        { at: 19.8, remaining: 17, reset: 30 },
      ],
      20,
    );
    expect(statements.get('kind')?.text).toContain('sliding log');
    expect(statements.get('kind')?.value).not.toBe('fixed window');
    expect(statements.get('window')?.value).not.toBe(0);
  });

  test('of a service without headers that always asks to wait as long', () => {
    const kind = statementsOf([
      ...silent(20, 0),
      { at: 0.5, status: 429, retryAfter: 10 },
      ...silent(15, 11.6),
      ...silent(5, 15.2),
      { at: 15.3, status: 429, retryAfter: 10 },
      ...silent(20, 26.4),
      { at: 26.9, status: 429, retryAfter: 10 },
    ]).get('kind');
    expect(kind?.text).toContain('sliding log');
  });
});

/** A limit of 20 is used up at once, and then in two parts with a pause between them. */
const USED_UP_TWICE = [
  ...silent(20, 0),
  { at: 0.5, status: 429, retryAfter: 8 },
  ...silent(15, 9.5),
  ...silent(5, 13.8),
  { at: 13.9, status: 429, retryAfter: 4 },
];

describe('without headers, what is let through tells', () => {
  test('a fixed window: all come back at its end, also those of a moment ago', () => {
    const statements = statementsOf([
      ...USED_UP_TWICE,
      ...silent(20, 18.9),
      { at: 19.4, status: 429, retryAfter: 8 },
    ]);
    expect(statements.get('kind')?.value).toBe('fixed window');
    expect(statements.get('limit')?.value).toBe(20);
  });

  test('a sliding log: those of a moment ago still count', () => {
    const statements = statementsOf([
      ...USED_UP_TWICE,
      ...silent(15, 18.9),
      { at: 19.3, status: 429, retryAfter: 3 },
    ]);
    expect(statements.get('kind')?.text).toContain('sliding log');
    expect(statements.get('kind')?.text).not.toContain('fixed window');
    expect(statements.get('limit')?.value).toBe(20);
  });

  // Ten at once and two a second: one came back while they were sent.
  test('no limit, if some may have come back meanwhile', () => {
    const limit = statementsOf([...silent(11, 0), { at: 0.6, status: 429 }]).get('limit');
    expect(limit).not.toHaveProperty('value');
    expect(limit?.text).toContain('11 requests: as many were let through before the 429');
  });
});

test('a Remaining without a Limit shows what the limit is at least', () => {
  const limit = statementsOf([
    { at: 0, remaining: 19 },
    { at: 0.1, remaining: 18 },
    { at: 0.2, status: 429 },
  ]).get('limit');
  expect(limit).not.toHaveProperty('value');
  expect(limit?.text).toContain('at least 20 requests');
});

// Twenty in ten seconds, and parts of tokens are cut off at each request.
test('a bucket that gives nothing back between quick reads may be a token bucket, by its Remaining alone', () => {
  const quick = (from: number, to: number, at: number) =>
    falling(from, to, at, 0).map(({ reset: _, ...read }) => read);
  const kind = statementsOf([
    ...quick(19, 0, 0),
    { at: 0.6, status: 429, retryAfter: 5 },
    ...quick(11, 3, 6.6),
    ...quick(7, 0, 9.27),
    { at: 9.5, status: 429, retryAfter: 5 },
    ...quick(10, 10, 15.3),
  ]).get('kind');
  expect(kind?.text).toContain('token bucket');
  expect(kind?.text).not.toContain('fixed window');
});

test('a limiter may refuse with 503, which is told and not taken for a refusal', () => {
  const statements = statementsOf([...silent(10, 0), { at: 0.5, status: 503 }, { at: 0.6, status: 503 }]);
  expect(statements.get('limit')?.text).toContain('503 from #11 on');
  expect(statements.get('kind')).not.toHaveProperty('value');
});

test('what a rejected request takes is not told by the count of another operation', () => {
  const meter = { role: 'meter' } as const;
  const statements = statementsOf(
    [
      { at: 0, remaining: 9, ...meter },
      { at: 0.1, remaining: 8, ...meter },
      { at: 0.2, remaining: 9, status: 404, operation: 'getItem', role: 'rejected' },
      { at: 0.3, remaining: 8, status: 404, operation: 'getItem', role: 'rejected' },
      { at: 0.4, remaining: 7, ...meter },
      { at: 0.5, remaining: 7, operation: 'getItem', role: 'other' },
      { at: 0.6, remaining: 6, operation: 'getItem', role: 'other' },
      { at: 0.7, remaining: 6, ...meter },
    ],
    10,
  );
  expect(statements.get('cost getItem')?.value).toBe('apart');
  expect(statements.get('cost rejected')).not.toHaveProperty('value');
});

describe('the limit', () => {
  const stated = (limit: number, at: number): Read => ({ at, limit, remaining: 5 });

  test.each<[what: string, reads: Read[], said: object]>([
    [
      'as the headers state it, first of all those of a 429',
      [stated(10, 0), stated(20, 1), stated(30, 2), { at: 3, status: 429, limit: 20 }],
      { value: 20, text: '20 requests, as the headers state (the headers also state 10, 30)', shownBy: [4] },
    ],
    [
      'as they state it where nothing is refused',
      [{ at: 0 }, stated(10, 1)],
      { value: 10, text: '10 requests, as the headers state', shownBy: [2] },
    ],
    [
      'by the highest Remaining of a success',
      [
        { at: 0, status: 404, remaining: 99 },
        { at: 1, remaining: 7 },
        { at: 2, remaining: 9 },
      ],
      {
        text: 'cannot be told: at least 10 requests: no header states it, and Remaining is 9 after one',
        shownBy: [3],
      },
    ],
  ])('%s', (_what, reads, said) => expect(statementsOf(reads).get('limit')).toMatchObject(said));

  test.each<[what: string, reads: Read[], why: string, shownBy: number[]]>([
    ['nothing is refused', silent(3, 0), 'no header states it, and no request was refused', []],
    ['all fail', [{ at: 0, status: 503 }], 'no header states it, and no request was refused', []],
    ['the first request is refused', [{ at: 0, status: 429 }], 'the first request was refused already', [1]],
    [
      'nothing but other errors come',
      [...silent(2, 0), { at: 1, status: 503 }],
      'no request got 429, but 503 from #3 on, which may be a limiter or a failure',
      [3],
    ],
  ])('is unknown if %s, and so is the rest', (_what, reads, why, shownBy) => {
    const statements = statementsOf(reads);
    expect(statements.get('limit')).toEqual({ about: 'limit', text: `cannot be told: ${why}`, shownBy });
    for (const about of ['kind', 'window'])
      expect(statements.get(about)).toEqual({
        about,
        text: 'cannot be told: the limit is not known',
        shownBy: [],
      });
  });
});

test.each<[what: string, statements: ProfileStatement[], isTold: boolean]>([
  ['one thing is known', [untold('kind', 'why'), { about: 'limit', value: 0, text: '0', shownBy: [] }], true],
  ['nothing is known', [untold('kind', 'why'), untold('limit', 'why')], false],
])('a profile tells something if %s', (_what, statements, isTold) => {
  expect(tellsSomething({ statements, isReached: false })).toBe(isTold);
});
