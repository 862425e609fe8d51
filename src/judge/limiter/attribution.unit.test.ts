import { describe, expect, test } from 'vitest';
import {
  type Answer,
  again,
  contract,
  downTo,
  exchangeOf,
  exhausting,
  FREE,
  falling,
  refused,
  shown,
} from '../../../test/limiters/limited-runs.ts';
import type { RatePlan } from '../../model/contract.ts';
import { exchangesOverLimit } from './attribution.ts';

const next: Answer = { ...exhausting };
const broken: Answer = { ...exhausting, status: 503 };
const reset = { kind: 'reset', phase: 'headers', message: 'connection reset' } as const;
const timeout = { kind: 'timeout', phase: 'headers', message: 'no response within 10 s' } as const;
const untold = (count: number, change: Answer = {}): Answer[] => Array.from({ length: count }, () => change);

test.each<[what: string, answers: Answer[], over: number[], limits?: RatePlan]>([
  ['nothing was left', [...falling([1, 0]), next], [3]],
  ['nothing was left, twice', [...falling([1, 0]), { ...next, remaining: 0 }, next], [3, 4]],
  ['nothing was left, and it is refused', [...falling([1, 0]), refused()], []],
  ['nothing was left before what is no exhaustion', falling([1, 0, 0]), []],
  ['one was left before the last', [...falling([2, 1], exhausting), next], [3]],
  ['two were left before the last', [...falling([3, 2], exhausting), next], [3]],
  ['three were left before the last', [...falling([4, 3], exhausting), next], []],
  ['what was left is not told', [...untold(2, exhausting), next], []],
  ['one was left, and there is a next', [...falling([2, 1], exhausting), next, next], []],
  ['more than the limit were sent', [...untold(60), next], [61]],
  ['as many as the limit were sent', [...untold(59), next], []],
  ['more were sent than a minute that nobody knows', [...untold(60), next], [], { day: 10 }],
  ['what a wrong key was told says nothing', [...falling([0], { key: 'absent', status: 401 }), next], []],
  ['wrong keys are not counted', [...untold(60, { key: 'absent', status: 401 }), next], []],
  ['it was taken off what was left', [...falling([2, 1], exhausting), { ...next, remaining: 0 }], []],
  ['it was taken off, and one is left', [...falling([3, 2], exhausting), { ...next, remaining: 1 }], []],
  ['nothing was left, and nothing came back', [...falling([1, 0]), { ...next, failure: reset }], [3]],
  [
    'what broke before it says that nothing is left',
    [...falling([3]), { ...broken, remaining: 0 }, next],
    [3],
  ],
  ['something else came after the last', [...falling([2, 1], exhausting), next, ...falling([0])], [3]],
  [
    'it was taken off, and told to wait',
    [...falling([2, 1], exhausting), { ...next, remaining: 0, retryAfter: '9' }],
    [3],
  ],
  ['nothing was taken off', [...falling([2, 1], exhausting), { ...next, remaining: 1 }], [3]],
  ['it broke, as those before it', [...untold(59, exhausting), broken, broken], [60, 61]],
  ['it broke, and another one before it', [broken, ...untold(60, exhausting), broken], [62]],
  ['what broke before it does not say what is left', [...falling([1, 0], exhausting), broken, next], [3, 4]],
  ['a recovery is not over the limit', [...falling([1, 0]), next, again({ remaining: 0 }), again()], [3]],
  ['a recovery is not counted', [...untold(59), next, again()], []],
])('requests over the limit: %s', (_what, answers, over, limits = FREE) => {
  const exchanges = answers.map((answer, index) => exchangeOf(answer, index + 1));
  const circumstances = { contract, probes: [], today: 0, referencesKnown: true, limits };
  expect([...exchangesOverLimit(exchanges, circumstances)]).toEqual(over);
});

test('without figures only Remaining tells', () => {
  const circumstances = { contract, probes: [], today: 0, referencesKnown: true };
  const exchanges = [...untold(99), next].map((answer, index) => exchangeOf(answer, index + 1));
  expect([...exchangesOverLimit(exchanges, circumstances)]).toEqual([]);
});

/** What the last of these answers is blamed for, and what else is wrong with it. */
function blamed(answers: readonly Answer[]) {
  const { deviations = [], hidden = [] } = shown(answers).judged.at(-1) ?? {};
  return { deviations, hidden: hidden.map(({ requirement }) => requirement) };
}

const OWN = 'listPets.200';
const used = downTo(0, exhausting);

describe('a wrong answer over the limit', () => {
  test('was due to be a 429', () => {
    const { deviations, hidden } = blamed([...used, { ...exhausting, status: 404 }]);
    const reason =
      'GET /pets got 404 over the limit, in place of 429, without X-RateLimit-Remaining, Retry-After';
    expect(deviations).toEqual([
      {
        requirement: 'TooManyRequests',
        kind: 'status',
        reason,
        expected: 'status 429',
        received: 'status 404',
      },
    ]);
    expect(hidden).toContain(OWN);
  });

  test('so was none at all', () => {
    const { deviations, hidden } = blamed([...used, { ...exhausting, failure: reset }]);
    expect(deviations).toMatchObject([{ requirement: 'TooManyRequests', received: 'connection reset' }]);
    expect(hidden).toContain('service.http');
  });

  test.each<[what: string, before: Answer[], last: Answer, blamed: string]>([
    ['breaks as the operation did before', [{ status: 503 }], { status: 503 }, OWN],
    [
      'breaks as the operation did before, and says it otherwise',
      [{ status: 503, body: '{"trace":1}' }],
      { status: 503, body: '{"trace":2}' },
      OWN,
    ],
    ['breaks otherwise', [{ status: 500 }], { status: 503 }, 'TooManyRequests'],
    [
      'breaks as another operation did',
      [{ operation: 'getPet', status: 503 }],
      { status: 503 },
      'TooManyRequests',
    ],
    [
      'breaks as one with a wrong key did',
      [{ key: 'absent', status: 503 }],
      { status: 503 },
      'TooManyRequests',
    ],
    [
      'breaks where only what came before the exhaustion was refused',
      [{ status: 429, remaining: 0, retryAfter: '1' }],
      { status: 503 },
      'TooManyRequests',
    ],
    ['breaks where nothing came back before', [{ failure: reset }], { status: 503 }, 'TooManyRequests'],
    ['is missing, as it was before', [{ failure: reset }], { failure: reset }, 'service.http'],
    [
      'is missing for another reason than before',
      [{ failure: timeout }],
      { failure: reset },
      'TooManyRequests',
    ],
    ['breaks where another request was refused', [refused({ at: 0 })], { status: 503 }, OWN],
    [
      'breaks where a wrong key was refused',
      [{ ...exhausting, key: 'absent', status: 429 }],
      { status: 503 },
      'TooManyRequests',
    ],
  ])('%s', (_what, before, last, requirement) => {
    const { deviations } = blamed([...before, ...used, { ...exhausting, ...last }]);
    expect(deviations[0]?.requirement).toBe(requirement);
  });
});

describe('a wrong answer after the wait', () => {
  const RECOVERY = 'rate-limit.recovery';

  test.each<[what: string, before: Answer[], last: Answer, blamed: string]>([
    ['shows that the limit did not recover', [], { status: 404 }, RECOVERY],
    ['is usual, as the exhaustion got it', [{ ...exhausting, status: 404 }], { status: 404 }, OWN],
    [
      'is not usual if another operation got it',
      [{ ...exhausting, operation: 'getPet', status: 404 }],
      { status: 404 },
      RECOVERY,
    ],
    ['is not usual if it came before the exhaustion', [{ status: 404 }], { status: 404 }, RECOVERY],
    [
      'is missing, and was for another reason before',
      [{ ...exhausting, failure: timeout }],
      { failure: reset },
      RECOVERY,
    ],
  ])('%s', (_what, before, last, requirement) => {
    const { deviations } = blamed([...before, ...used, refused(), again(last)]);
    expect(deviations[0]?.requirement).toBe(requirement);
  });

  test('has what else is wrong with it, too', () => {
    expect(blamed([...used, refused(), again({ status: 404 })]).hidden).toContain(OWN);
  });
});
