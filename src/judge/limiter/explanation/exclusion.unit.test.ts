import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  downTo,
  everywhere,
  exhausting,
  falling,
  lowOnce,
  NOON,
  refused,
  shown,
} from '../../../../test/limiters/limited-runs.ts';
import type { Misfit } from '../../../limiter/models/model.ts';
import type { Variation } from '../../../model/exchange.ts';
import { exclusionOf } from './exclusion.ts';
import { wrongHeader } from './wrong-header.ts';

describe('a header that is wrong by itself', () => {
  test.each<[requirement: string | undefined, answers: Answer[]]>([
    ['rate-limit.remaining', falling([59, 61])],
    ['rate-limit.constant', [...falling([59]), { limit: 61, remaining: 58 }]],
    ['rate-limit.plan', falling([5], { limit: 61 })],
    ['rate-limit.reset', falling([59, 58], { reset: NOON - 1_000 })],
    ['rate-limit.falls', everywhere(() => 42)],
    [undefined, downTo(40)],
  ])('%s', (requirement, answers) => {
    expect(wrongHeader(shown(answers))).toBe(requirement);
  });

  test('is to blame, so that nothing else is excluded', () => {
    expect(exclusionOf(shown(lowOnce), 'remaining')).toMatchObject({ status: 'violated' });
    expect(exclusionOf(shown([...lowOnce, { remaining: 61 }]), 'remaining')).toBeUndefined();
  });
});

describe('what no honest limiter explains', () => {
  test('is shown by its kind alone', () => {
    const early = shown([...downTo(30), refused({ remaining: undefined })]);
    const finding = exclusionOf(early, 'refused');
    expect(finding).toMatchObject({ status: 'violated', kind: 'sequence', evidence: [31, 30] });
    expect(finding?.headers).toBeUndefined();
    expect(exclusionOf(early, 'remaining')).toBeUndefined();
    expect(exclusionOf(early, 'let-through')).toBeUndefined();
  });

  test('is compared with the one before it that got a response with the key, at its address', () => {
    const between: Answer[] = [
      { operation: 'sendMessage', remaining: 9 },
      { key: 'absent', status: 401 },
      { failure: { kind: 'reset', phase: 'headers', message: 'connection reset' } },
    ];
    const answers = [...lowOnce.slice(0, 21), ...between, ...lowOnce.slice(21)];
    const finding = exclusionOf(shown(answers), 'remaining');
    expect(finding?.evidence).toEqual([25, 21]);
  });

  const reset = NOON + 60;
  const usedUp = [...downTo(0, { ...exhausting, reset }), refused({ at: 1, reset, retryAfter: '8' })];
  /** In six seconds. */
  const slowly = downTo(2, { reset }).map((each, index) => ({ ...each, at: index / 10 }));
  const told = (name: string) => ({ headers: [`X-RateLimit-${name}`] });

  test.each<[what: string, answers: readonly Answer[], kind: Misfit['kind'], finding: object]>([
    [
      'Remaining rises',
      lowOnce,
      'remaining',
      {
        reason:
          'Remaining rose from 15 to 38 with GET /pets; no honest limiter does that, the nearest is a fixed window',
        // Others are seen to use the key before it, and may have used the rest.
        expected: 'X-RateLimit-Remaining: 0 to 14',
        received: 'X-RateLimit-Remaining: 38',
        ...told('Remaining'),
      },
    ],
    [
      'one is let through after none was left',
      [...usedUp, again({ at: 10, remaining: 0, reset })],
      'remaining',
      {
        expected: 'no request is let through after X-RateLimit-Remaining: 0',
        received: 'status 200 with X-RateLimit-Remaining: 0',
        ...told('Remaining'),
      },
    ],
    [
      'one is let through before Reset',
      [...usedUp, again({ at: 10, remaining: 3, reset })],
      'reset',
      {
        reason:
          'GET /pets got 200 before the Reset of an earlier response; no honest limiter does that, the nearest is a fixed window',
        expected: 'after a 429, no request is let through before X-RateLimit-Reset',
        received: 'status 200 with X-RateLimit-Remaining: 3',
        ...told('Reset'),
      },
    ],
    [
      'one is let through before Reset, whatever the other address and a wrong key were told meanwhile',
      [
        ...usedUp,
        { operation: 'sendMessage', status: 201, at: 2, remaining: 9, reset: NOON + 100 },
        { key: 'absent', status: 401, at: 3, reset: NOON + 100 },
        again({ at: 10, remaining: 3, reset }),
      ],
      'reset',
      { expected: 'after a 429, no request is let through before X-RateLimit-Reset', evidence: [64, 61] },
    ],
    [
      'one is let through before the Reset of an earlier 429, and after that of the last one',
      [
        ...usedUp,
        refused({ at: 9, reset: NOON + 9, retryAfter: '1' }),
        again({ at: 12, remaining: 3, reset }),
      ],
      'reset',
      {
        expected: `after a 429, no request is let through before X-RateLimit-Reset: ${reset} of an earlier response`,
        evidence: [63, 62, 61],
      },
    ],
    [
      'one is refused, and says that some are left',
      [refused({ remaining: 29 })],
      'refused',
      {
        expected: 'X-RateLimit-Remaining: 0 in a 429',
        received: 'status 429 with X-RateLimit-Remaining: 29',
      },
    ],
    [
      'one is refused although one is left',
      [...downTo(1), refused()],
      'refused',
      { expected: 'no 429: 1 request left', received: 'status 429 with X-RateLimit-Remaining: 0' },
    ],
    [
      'one is refused after a pause in which others may have used one of the two that are left',
      [...slowly, refused({ at: 8, reset }), { at: 8.1, remaining: 45, reset }],
      'refused',
      { expected: 'no 429: 1 to 2 requests left' },
    ],
  ])('%s', (_what, answers, kind, finding) => {
    expect(exclusionOf(shown(answers), kind)).toMatchObject(finding);
  });

  test('an addition costs two, and is let through when one is left at most', () => {
    const added: Answer = { operation: 'createPet', status: 201 };
    const odd = Array.from({ length: 29 }, (_, index) => 57 - 2 * index);
    const unknown: Answer = { operation: 'getPet', status: 404, remaining: 1 };
    const atOnce = { at: 0.9, inFlight: 2 };
    const answers = [
      ...falling([59]),
      ...falling(odd, added),
      ...Array.from({ length: 40 }, () => unknown),
      // The first time, it may have been counted.
      { ...unknown, ...atOnce, isRepeated: true as const },
      { ...added, ...atOnce, remaining: 45 },
    ];
    const run = shown(answers.map((each) => ({ ...each, reset })));
    expect(exclusionOf(run, 'let-through')).toMatchObject({
      expected: 'status 429: 0 to 1 requests left',
      received: 'status 201 with X-RateLimit-Remaining: 45',
    });
  });

  test('Reset is due in seconds, about when the window ends', () => {
    const late = refused({ at: 1, reset: NOON + 76, retryAfter: '60' });
    const answers = [...downTo(0, { ...exhausting, reset }), late, again({ at: 78, reset: NOON + 120 })];
    const { expected = '', received } = exclusionOf(shown(answers), 'reset') ?? {};
    expect(received).toBe(`X-RateLimit-Reset: ${NOON + 76}`);
    const [lo = 0, hi = 0] = (/^X-RateLimit-Reset: (\d+) to (\d+)$/.exec(expected) ?? [])
      .slice(1)
      .map(Number);
    expect(lo).toBeGreaterThan(NOON + 55);
    expect(lo).toBeLessThanOrEqual(reset);
    expect(hi).toBeGreaterThanOrEqual(reset);
    expect(hi).toBeLessThan(NOON + 65);
  });
});

test.each<[variation: Variation, reason: string]>([
  ['forwarded-for', 'a request with X-Forwarded-For is counted apart'],
  ['spelling', 'another spelling of the same request is counted apart'],
  ['accept-absent', 'a request without Accept is counted apart'],
  ['accept-any', 'a request that accepts anything is counted apart'],
  ['accept-list', 'a request that accepts several types is counted apart'],
  ['user-agent', 'a request of another program is counted apart'],
  ['origin', 'a request with an Origin is counted apart'],
  ['unknown-parameter', 'a request with an unknown parameter is counted apart'],
])('%s: %s', (variation, reason) => {
  const varied: Answer = { ...exhausting, variation, remaining: 59 };
  const run = shown([
    ...downTo(9, exhausting),
    varied,
    ...falling([8, 7, 6, 5, 4, 3, 2, 1, 0], exhausting),
    refused(),
  ]);
  expect(exclusionOf(run, 'let-through')).toMatchObject({
    status: 'violated',
    kind: 'sequence',
    reason,
    headers: ['X-RateLimit-Remaining'],
    expected: 'X-RateLimit-Remaining: 8',
    received: 'X-RateLimit-Remaining: 59',
    evidence: [52, 51],
    repetition: { kind: 'in-turn', exchanges: [51, 52] },
  });
});
