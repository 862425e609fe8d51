import { describe, expect, test } from 'vitest';
import { contract } from '../test/exchanges/exchanges.ts';
import { checkOf, findingBeside, probesFor } from '../test/exchanges/suite-evidence.ts';
import {
  type Answer,
  again,
  downTo,
  exhausting,
  falling,
  type Run,
  refused,
  shown,
} from '../test/limiters/limited-runs.ts';
import { allChecks } from './index.ts';

const judge = (requirement: string, answers: readonly Answer[], run: Run = {}) =>
  checkOf(requirement).judge(shown(answers, run));

/** The limit of no plan of the interface. */
const CUSTOM = { limit: 77 };
const UNSTATED: Run = { plan: '' };

describe('Retry-After in the preferred form of a date', () => {
  const preferred = 'Sat, 21 Nov 2026 12:00:30 GMT';
  const obsolete = {
    status: 'violated',
    kind: 'header',
    headers: ['Retry-After'],
    reason: 'Retry-After has an obsolete date format',
    expected: 'Retry-After: Sun, 06 Nov 1994 08:49:37 GMT, or seconds',
  };

  test.each<[what: string, values: string[], expected: object]>([
    ['seconds', ['30'], { status: 'met', evidence: [2] }],
    ['a date', [preferred], { status: 'met', evidence: [2] }],
    ['neither: another requirement says so', ['soon'], { status: 'met' }],
    [
      'the date of RFC 850',
      ['Saturday, 21-Nov-26 12:00:30 GMT'],
      { ...obsolete, received: 'Retry-After: Saturday, 21-Nov-26 12:00:30 GMT', evidence: [2] },
    ],
    [
      'the date of asctime, in a later response',
      [preferred, 'Sat Nov 21 12:00:30 2026'],
      { ...obsolete, received: 'Retry-After: Sat Nov 21 12:00:30 2026', evidence: [2, 3] },
    ],
  ])('%s', (_what, values, expected) => {
    const refusals = values.map((retryAfter) => refused({ retryAfter }));
    expect(judge('rate-limit.http-date', [{ remaining: 1 }, ...refusals])).toMatchObject(expected);
  });

  test('without a refusal it is not tested', () => {
    expect(
      judge('rate-limit.http-date', [{ remaining: 1, retryAfter: 'Sat Nov 21 12:00:30 2026' }]),
    ).toMatchObject({
      status: 'not-tested',
      untested: 'no-refusal',
    });
  });
});

describe('the plan of the key', () => {
  test.each<[what: string, answers: Answer[], run: Run, observed: string]>([
    ['is stated', falling([59]), {}, 'stated: free (60 per minute, 1000 per day)'],
    [
      'is told by the headers',
      falling([59]),
      UNSTATED,
      'inferred from the headers: free (60 per minute, 1000 per day)',
    ],
    [
      'is not told by the headers',
      falling([59], CUSTOM),
      { plan: '', limits: { minute: 77 } },
      'the headers do not show it (77 per minute, unknown per day)',
    ],
    [
      'has figures of the day alone',
      falling([59], CUSTOM),
      { plan: 'enterprise', limits: { day: 5000 } },
      'stated: enterprise (unknown per minute, 5000 per day)',
    ],
  ])('%s', (_what, answers, run, observed) => {
    expect(judge('open.plan', answers, run)).toMatchObject({ status: 'observed', observed });
  });

  test('has no figures', () => {
    const { limits: _, ...evidence } = shown(falling([59], CUSTOM), UNSTATED);
    expect(checkOf('open.plan').judge(evidence)).toMatchObject({
      observed: 'the headers do not show it (figures unknown)',
    });
  });
});

describe('the window that the headers describe', () => {
  test.each<[what: string, answers: Answer[], observed: string | RegExp]>([
    ['none', [{ limit: undefined }], 'no response showed this'],
    ['that of the day', falling([999], { limit: 1000, resetIn: 40_000 }), /^the headers describe the day\b/],
    [
      'both, each by some responses',
      [...falling([59]), ...falling([999], { limit: 1000, resetIn: 40_000 })],
      /^the headers describe the minute or the day; behaves as: /,
    ],
    [
      'that of the minute, which behaves as no limiter',
      falling([59, 12, 58]),
      'the headers describe the minute',
    ],
    [
      'that of the minute, which behaves as a limiter',
      [...downTo(0, exhausting), refused(), again({ resetIn: 50 })],
      /^the headers describe the minute; behaves as: .*, 60 a minute$/,
    ],
  ])('%s', (_what, answers, observed) => {
    const words = typeof observed === 'string' ? observed : expect.stringMatching(observed);
    expect(judge('open.window', answers)).toMatchObject({ status: 'observed', observed: words });
  });
});

describe('the operations on which Remaining falls', () => {
  const orders = { operation: 'getStoreOrders' };

  test.each<[what: string, answers: Answer[], observed: string]>([
    [
      'each once',
      [...falling([59, 58, 57]), { ...orders, remaining: 56 }],
      'Remaining falls on listPets, getStoreOrders',
    ],
    [
      'not those on which it stays or rises',
      [{ remaining: 58 }, { ...orders, remaining: 58 }, { operation: 'getPet', remaining: 59 }],
      'no response showed this',
    ],
    [
      'not those without the header',
      [{ remaining: 58 }, orders, { remaining: 57 }],
      'no response showed this',
    ],
  ])('%s', (_what, answers, observed) => {
    expect(judge('open.coverage', answers)).toMatchObject({ status: 'observed', observed });
  });
});

test('the requirements that the whole sequence of requests shows', () => {
  const limiter = allChecks(contract).filter(({ phase }) => phase === 'limiter');
  expect(limiter.map(({ requirement }) => requirement).sort()).toEqual([
    'TooManyRequests',
    ...['constant', 'count', 'early', 'falls', 'http-date', 'plan', 'recovery', 'remaining', 'reset'].map(
      (each) => `rate-limit.${each}`,
    ),
  ]);
});

test.each([
  ...['plan', 'constant', 'remaining', 'falls', 'reset', 'recovery', 'early'].map(
    (cause) => ['count', cause] as const,
  ),
  ...['remaining', 'falls', 'reset', 'plan', 'recovery'].map((cause) => ['early', cause] as const),
])('rate-limit.%s is not judged where rate-limit.%s explains what is wrong', (requirement, cause) => {
  expect(findingBeside(`rate-limit.${requirement}`, `rate-limit.${cause}`)).toMatchObject({
    status: 'not-tested',
    untested: 'blocked',
    cause: `rate-limit.${cause}`,
  });
});

test('rate-limit.count is not judged where the limit is not enforced', () => {
  expect(findingBeside('rate-limit.count', 'TooManyRequests')).toMatchObject({ cause: 'TooManyRequests' });
});

test('the limiter is judged by requests with the key, up to the limit and beyond', () => {
  const withKey = ['rate-limit.remaining', 'rate-limit.constant', 'rate-limit.plan', 'rate-limit.reset'];
  for (const requirement of [
    ...withKey,
    'rate-limit.falls',
    'rate-limit.count',
    'open.plan',
    'open.window',
    'open.coverage',
  ]) {
    const probes = probesFor(requirement);
    expect(probes).toEqual(
      expect.arrayContaining(['listPets:plain', 'createPet:minimal', 'getPet:exhaust', 'listPets:recover']),
    );
    expect(probes.filter((id) => id.includes('key-'))).toEqual([]);
  }
  const untilLimit = ['listPets:plain', 'listPets:exhaust', 'getPet:exhaust', 'getStoreOrders:exhaust'];
  for (const requirement of ['TooManyRequests', 'rate-limit.early', 'rate-limit.http-date'])
    expect(probesFor(requirement)).toEqual(untilLimit);
  const recovery = ['listPets:recover', 'getPet:recover', 'getStoreOrders:recover'];
  expect(probesFor('rate-limit.recovery')).toEqual([...untilLimit, ...recovery]);
});
