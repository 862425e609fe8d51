import { describe, expect, test } from 'vitest';
import { exchange } from '../../../../test/exchanges/exchange.ts';
import type { Span } from '../../../limiter/models/span.ts';
import type { HeaderLine } from '../../../model/exchange.ts';
import { readAnyRateLimit } from '../../../model/limits/rate-limit.ts';
import type { Probe } from '../../../model/probe.ts';
import { headerStatements } from './headers.ts';
import type { ProfileExchange } from './statement.ts';

const NOW_S = 1_795_000_000;

/** A response and when it came (s after the first); without a status, none came. */
interface Answer {
  status?: number;
  at?: number;
  headers?: Readonly<Record<string, string | number>>;
}

function sentOf({ status, at = 0, headers: stated = {} }: Answer, index: number): ProfileExchange {
  const headers = Object.entries(stated).map(([name, value]): HeaderLine => [name, String(value)]);
  const receivedAt = (NOW_S + at) * 1_000;
  return {
    role: 'fill',
    probe: { operation: 'listItems' } as Probe,
    exchange: exchange({
      id: index + 1,
      sentAt: receivedAt,
      receivedAt,
      ...(status === undefined
        ? {}
        : { response: { status, headers, body: '' }, rate: readAnyRateLimit(headers, receivedAt) }),
    }),
  };
}

/** What is said about one thing; undefined if nothing is. */
function saidAbout(about: string, answers: readonly Answer[], windowMs?: Span) {
  return headerStatements(answers.map(sentOf), windowMs).find((each) => each.about === about);
}

const X = { 'X-RateLimit-Limit': 20, 'X-RateLimit-Remaining': 19 };
const SPAN = { lo: 58_000, hi: 61_000 };
const MINUTE = { lo: 60_000, hi: 60_000 };

describe('which headers there are', () => {
  test.each<[what: string, answers: Answer[], said: object]>([
    [
      'three figures, in whichever responses',
      [
        {},
        { status: 200 },
        { status: 200, headers: X },
        { status: 429, headers: { 'X-RateLimit-Reset': 9 } },
      ],
      {
        value: 'X-RateLimit-Limit',
        text: 'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
        shownBy: [3],
      },
    ],
    [
      'the figures in one header',
      [{ status: 200, headers: { RateLimit: '"default";r=19;t=9' } }],
      { value: 'RateLimit', text: 'RateLimit', shownBy: [1] },
    ],
    [
      'one figure without X',
      [{ status: 200, headers: { 'RateLimit-Remaining': 19 } }],
      { value: 'RateLimit-Remaining', text: 'RateLimit-Remaining', shownBy: [1] },
    ],
  ])('%s', (_what, answers, said) => expect(saidAbout('headers', answers)).toMatchObject(said));

  test.each<[what: string, answers: Answer[]]>([
    ['other headers', [{ status: 200, headers: { 'X-Quota-Left': 19 } }]],
    ['no responses', [{}]],
  ])('%s tell none', (_what, answers) => {
    const said = saidAbout('headers', answers);
    expect(said).not.toHaveProperty('value');
    expect(said).toMatchObject({
      text: 'cannot be told: no response has rate limit headers of a dialect that petspec reads',
      shownBy: [],
    });
  });
});

describe('how Reset is written', () => {
  test.each<[value: string | number, form: string | undefined]>([
    [NOW_S + 30, 'seconds since 1970'],
    [(NOW_S + 30) * 1_000, 'milliseconds since 1970'],
    [30, 'seconds to go'],
    [0, 'seconds to go'],
    ['soon', undefined],
    ['', undefined],
  ])('"%s"', (value, form) => {
    const said = saidAbout('reset form', [
      { status: 200, headers: X },
      { status: 200, headers: { 'X-RateLimit-Reset': value } },
    ]);
    expect(said).toEqual(
      form && {
        about: 'reset form',
        value: form,
        text: `X-RateLimit-Reset is in ${form}`,
        shownBy: [2],
      },
    );
  });
});

describe('what Reset means, by a 429 with Retry-After', () => {
  const meaning = (reset: number, wait: number, windowMs?: Span) =>
    saidAbout(
      'reset meaning',
      [
        { status: 200, headers: { 'X-RateLimit-Reset': 40, 'Retry-After': 1 } },
        { status: 429, headers: { 'X-RateLimit-Reset': reset, 'Retry-After': wait } },
      ],
      windowMs,
    );

  const SAME = 'Reset is the end of Retry-After';
  const LATER = 'when more or all requests are back';

  test.each<[what: string, reset: number, windowMs: Span | undefined, value: string, text: string]>([
    ['both are the same', 30, SPAN, 'next request', SAME],
    ['both are rounded', 32, SPAN, 'next request', SAME],
    ['Reset is rounded down', 28, SPAN, 'next request', SAME],
    ['Reset comes first', 27, SPAN, 'earlier', 'Reset is 3 s before the end of Retry-After'],
    ['Reset comes later, within a window', 63, SPAN, 'later', `Reset is 33 s after Retry-After: ${LATER}`],
    [
      'Reset comes after a window',
      64,
      SPAN,
      'later',
      'Reset is 34 s after Retry-After: later than the window lasts',
    ],
    ['the window is not known', 640, undefined, 'later', `Reset is 610 s after Retry-After: ${LATER}`],
  ])('%s', (_what, reset, windowMs, value, text) => {
    expect(meaning(reset, 30, windowMs)).toMatchObject({ value, text, shownBy: [2] });
  });

  test.each<[what: string, answers: Answer[]]>([
    ['no 429', [{ status: 200, headers: { 'X-RateLimit-Reset': 30, 'Retry-After': 30 } }]],
    [
      'the two in different responses',
      [
        { status: 429, headers: { 'X-RateLimit-Reset': 30 } },
        { status: 429, headers: { 'Retry-After': 30 } },
      ],
    ],
  ])('it is not told by %s', (_what, answers) => {
    const said = saidAbout('reset meaning', answers);
    expect(said).not.toHaveProperty('value');
    expect(said?.text).toBe('cannot be told: no 429 has both Reset and Retry-After');
  });

  test('without a Reset, nothing is said of it', () => {
    expect(saidAbout('reset meaning', [{ status: 429, headers: { 'Retry-After': 3 } }])).toBeUndefined();
  });
});

describe('whether the stated window is the observed one', () => {
  test.each<[policy: string, windowMs: Span, holds: boolean, text: string]>([
    ['20;w=60', SPAN, true, 'a window of 60 s, and what was seen fits'],
    ['20; w=57', SPAN, true, 'a window of 57 s, and what was seen fits'],
    ['20;w=62', SPAN, true, 'a window of 62 s, and what was seen fits'],
    ['20;w=56', SPAN, false, 'a window of 56 s, but it lasts 58 to 61 s'],
    ['20;w=63', SPAN, false, 'a window of 63 s, but it lasts 58 to 61 s'],
    ['20;w=10', MINUTE, false, 'a window of 10 s, but it lasts 60 s'],
    ['20;w=1, 1000;w=60', MINUTE, true, 'a window of 1 and 60 s, and what was seen fits'],
  ])('%s', (policy, windowMs, holds, text) => {
    const answers = [{ status: 200 }, { status: 200, headers: { 'RateLimit-Policy': policy } }];
    expect(saidAbout('policy', answers, windowMs)).toEqual({
      about: 'policy',
      value: holds,
      text: `RateLimit-Policy states ${text}`,
      shownBy: [2],
    });
  });

  test.each<[what: string, policy: string, windowMs: Span | undefined]>([
    ['a policy without a window', '20', SPAN],
    ['a window of unknown length', '20;w=60', undefined],
  ])('%s does not tell', (_what, policy, windowMs) => {
    const said = saidAbout('policy', [{ status: 200, headers: { 'RateLimit-Policy': policy } }], windowMs);
    expect(said).toEqual({
      about: 'policy',
      text: `cannot be told: RateLimit-Policy is \`${policy}\`; the length of the window is not known`,
      shownBy: [1],
    });
  });

  test('without a policy, nothing is said of it', () => {
    expect(saidAbout('policy', [{ status: 200, headers: X }], SPAN)).toBeUndefined();
  });
});

describe('how Retry-After is written', () => {
  test.each<[headers: Answer['headers'], value: string, text: string]>([
    [{ 'Retry-After': 30 }, 'seconds', 'Retry-After is seconds'],
    [{ 'Retry-After': 'Thu, 26 Nov 2026 12:00:00 GMT' }, 'an HTTP date', 'Retry-After is an HTTP date'],
    [{ 'Retry-After': '1.5 s' }, 'invalid', 'Retry-After is `1.5 s`, neither seconds nor an HTTP date'],
    [{}, 'absent', '429 has no Retry-After'],
  ])('%o', (headers = {}, value, text) => {
    const said = saidAbout('retry-after', [
      { status: 503, headers: { 'Retry-After': 'later' } },
      { status: 429, headers },
    ]);
    expect(said).toEqual({ about: 'retry-after', value, text, shownBy: [2] });
  });

  test('without a 429, nothing is said of it', () => {
    expect(saidAbout('retry-after', [{ status: 503, headers: { 'Retry-After': 3 } }])).toBeUndefined();
  });
});

describe('whether Retry-After holds, by the next request', () => {
  const refused = { status: 429, headers: { 'Retry-After': 30 } };

  test.each<[what: string, answers: Answer[], holds: boolean, text: string, shownBy: number[]]>([
    [
      'both times',
      [{ status: 200 }, refused, { status: 200 }, refused, { status: 200 }],
      true,
      'the first request after Retry-After is let through, 2 of 2 times',
      [2, 3],
    ],
    [
      'not the second time',
      [refused, { status: 200 }, refused, { status: 429 }],
      false,
      'a request after Retry-After (30 s) got 429',
      [3, 4],
    ],
  ])('%s', (_what, answers, holds, text, shownBy) => {
    expect(saidAbout('retry-after holds', answers)).toEqual({
      about: 'retry-after holds',
      value: holds,
      text,
      shownBy,
    });
  });

  test.each<[what: string, answers: Answer[]]>([
    ['a 429 at the end', [{ status: 200 }, refused]],
    ['a request without a response', [refused, {}]],
  ])('%s does not tell', (_what, answers) => {
    const said = saidAbout('retry-after holds', answers);
    expect(said).not.toHaveProperty('value');
    expect(said?.text).toBe('cannot be told: no request was sent after the time of Retry-After');
  });

  test.each<[what: string, answers: Answer[]]>([
    ['a 429 without it', [{ status: 429 }, { status: 200 }]],
    ['another status', [{ status: 503, headers: { 'Retry-After': 3 } }, { status: 200 }]],
  ])('%s says nothing of it', (_what, answers) => {
    expect(saidAbout('retry-after holds', answers)).toBeUndefined();
  });
});
