import { describe, expect, test } from 'vitest';
import { JSON_HEADERS } from '../../test/exchanges/exchanges.ts';
import {
  type Answer,
  again,
  contract,
  downTo,
  exhausting,
  falling,
  refused,
  shown,
} from '../../test/limiters/limited-runs.ts';
import { loadContract, readSources } from '../contract/load.ts';
import { whole } from '../model/large/steps.ts';
import { deriveProbes } from '../probes/derive.ts';
import { derivingChecks, ownedCheck } from './derived-checks.ts';
import { judgeExchanges } from './judge-exchanges.ts';

const derivedChecks = whole(derivingChecks);

const checks = derivedChecks(contract);
const finding = (requirement: string, answers: readonly Answer[]) =>
  checks.find((check) => check.requirement === requirement)?.judge(shown(answers));

test('each requirement that the OpenAPI document implies has one check, but the one of a rate limit’s answer', () => {
  const implied = contract.requirements.filter(({ source }) => source === 'openapi').map(({ id }) => id);
  expect(checks.map(({ requirement }) => requirement)).toEqual(
    implied.filter((id) => id !== 'TooManyRequests'),
  );
});

test('an interface without a rate limit has the checks of all that it implies', () => {
  const requirements = contract.requirements.filter(({ id }) => id === 'listPets.200' || id === 'Pet.id');
  const operations = contract.operations.map((each) => ({
    ...each,
    responses: each.responses.filter(({ status }) => status !== '429'),
  }));
  const limitless = derivedChecks({ ...contract, requirements, operations });
  expect(limitless.map(({ requirement }) => requirement)).toEqual(requirements.map(({ id }) => id));
});

test('what only a refusal by the rate limit shows needs one', () => {
  const needing = checks.filter(({ needs }) => needs.length > 0);
  expect(needing.map(({ requirement, needs, phase }) => [requirement, needs, phase])).toEqual([
    ['Retry-After', ['TooManyRequests'], 'every-exchange'],
    ['Retry-After.schema', ['TooManyRequests'], 'every-exchange'],
  ]);
});

test.each([
  ['X-RateLimit-Limit', 'every-exchange'],
  ['X-RateLimit-Limit.schema', 'every-exchange'],
  ['listPets.200', 'functional'],
  ['Pet.id', 'functional'],
])('%s is looked at in phase %s', (requirement, phase) => {
  expect(checks.find((check) => check.requirement === requirement)?.phase).toBe(phase);
});

describe('a check that collects what its requirement owns', () => {
  const check = ownedCheck('X-RateLimit-Limit', () => true);
  const silent: Answer = { limit: undefined, remaining: 5 };

  test('finds it behind what others own', () => {
    expect(check.judge(shown([{ status: 404 }, silent]))).toMatchObject({
      status: 'violated',
      exercised: true,
      reason: 'X-RateLimit-Limit is absent',
      expected: 'X-RateLimit-Limit: an integer of at least 0',
      received: 'no X-RateLimit-Limit header',
      evidence: [2],
    });
  });

  test('has each exchange that shows it', () => {
    const answers = [silent, { remaining: 4 }, silent, { ...silent, operation: 'getStoreOrders' }];
    expect(check.judge(shown(answers))).toMatchObject({
      reason: 'X-RateLimit-Limit is absent',
      evidence: [1, 3, 4],
    });
  });

  test('has the fingerprints of its own deviations alone', () => {
    const { seen = [] } = check.judge(shown([{ ...silent, operation: 'getPet' }, silent]));
    expect(seen.map(({ kind, at }) => [kind, at])).toEqual([['header', ['getPet 200', 'listPets 200']]]);
  });

  test('is met by those that show it', () => {
    expect(check.judge(shown([{ status: 404 }, { remaining: 4 }]))).toMatchObject({
      status: 'met',
      exercised: true,
      evidence: [2],
    });
    expect(check).toMatchObject({ phase: 'functional', needs: [], isCollecting: true });
  });
});

describe('the time to wait', () => {
  const used = [{ status: 404 }, ...downTo(0, exhausting)];
  const { retryAfter: _, ...silent } = refused();

  test.each<[what: string, requirement: string, answers: Answer[], expected: object]>([
    [
      'it is stated',
      'Retry-After',
      [...used, refused(), again()],
      { status: 'met', exercised: true, evidence: [62] },
    ],
    ['it is not', 'Retry-After', [...used, silent], { status: 'violated', evidence: [62] }],
    [
      'it cannot be wrong where it is absent',
      'Retry-After.schema',
      [...used, silent],
      {
        status: 'not-tested',
        untested: 'blocked',
        reason: 'cannot be judged: Retry-After is absent',
        cause: 'Retry-After',
      },
    ],
    [
      'no refusal came, and another header is absent',
      'Retry-After.schema',
      [{ limit: undefined, remaining: 8 }, ...falling(Array(61).fill(7), exhausting)],
      { status: 'not-tested', untested: 'no-refusal', cause: 'TooManyRequests' },
    ],
    [
      'no refusal came',
      'Retry-After.schema',
      [{ status: 404 }, ...falling(Array(61).fill(7), exhausting)],
      {
        status: 'not-tested',
        untested: 'no-refusal',
        reason:
          'no 429 came: the 61st request of the minute got 200; no request was refused, however many were sent',
        cause: 'TooManyRequests',
      },
    ],
  ])('%s', (_what, requirement, answers, expected) => {
    expect(finding(requirement, answers)).toMatchObject(expected);
  });

  test.each<[requirement: string, when: string, answers: Answer[]]>(
    ['Retry-After', 'Retry-After.schema'].flatMap((requirement): [string, string, Answer[]][] => [
      [requirement, 'once the limit is used up', [...used, silent]],
      [requirement, 'before the limit is used up', [{ remaining: 4 }, { ...silent, stage: 'list' }]],
    ]),
  )(
    '%s: a refusal without any of the headers %s is a refusal, and names what owns it',
    (requirement, _when, answers) => {
      const evidence = shown(answers);
      const exchanges = evidence.judged.map(({ exchange }) =>
        exchange.response?.status === 429
          ? { ...exchange, response: { ...exchange.response, headers: JSON_HEADERS.slice(0, 1) } }
          : exchange,
      );
      const judged = judgeExchanges(exchanges, evidence);
      expect(checks.find((each) => each.requirement === requirement)?.judge({ ...evidence, judged })).toEqual(
        {
          status: 'not-tested',
          untested: 'blocked',
          exercised: false,
          reason:
            'cannot be judged: X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, Retry-After are absent',
          cause: 'X-RateLimit-Limit',
          evidence: [],
        },
      );
    },
  );
});

describe('the probes of a requirement', () => {
  const probesOf = (requirement: string, answers: Answer[]) => {
    const check = checks.find((each) => each.requirement === requirement);
    return shown(answers)
      .probes.filter((probe) => check?.probes(probe))
      .map(({ id }) => id);
  };
  const answers: Answer[] = [{}, { operation: 'createPet' }, { key: 'absent' }, { operation: 'sendMessage' }];

  test.each([
    ['Pet.id', ['listPets:list', 'createPet:list', 'listPets:exhaust', 'listPets:recover']],
    ['Pet', ['listPets:list', 'createPet:list', 'listPets:exhaust', 'listPets:recover']],
    ['listPets.200.body', ['listPets:list', 'listPets:exhaust', 'listPets:recover']],
    ['createPet.201', ['createPet:list']],
    ['createPet.responses', ['createPet:list']],
    ['Unauthorized', ['listPets:key-absent']],
    ['Error.code', ['listPets:key-absent']],
    ['Message.id', ['sendMessage:list']],
    ['Retry-After', ['listPets:exhaust']],
    [
      'X-RateLimit-Limit',
      [
        'listPets:list',
        'createPet:list',
        'listPets:key-absent',
        'sendMessage:list',
        'listPets:exhaust',
        'listPets:recover',
      ],
    ],
    ['listPets.limit.minimum', []],
  ])('%s: %s', (requirement, expected) => {
    expect(probesOf(requirement, answers)).toEqual(expected);
  });
});

/** The interface as a later version may have it, with a bound of a field. */
const { openapi, ...rest } = readSources();
const later = loadContract({
  ...rest,
  openapi: openapi.replace(
    'service on creation.\n              type: integer',
    'service on creation.\n              type: integer\n              maximum: 4000000000\n              x-since: { maximum: 0.2.0 }',
  ),
});
// Not in the test: what is mutated is run while this file is loaded, as with the checks above.
const laterChecks = derivedChecks(later);
const laterProbes = deriveProbes(later);
const ofBound = laterChecks.find(({ requirement }) => requirement === 'Pet.id.maximum');
const seen = laterProbes.filter((probe) => ofBound?.probes(probe)).map(({ id }) => id);

test('a bound that a later version adds is looked at where its field is', () => {
  expect(seen).toEqual(
    expect.arrayContaining(['createPet:minimal', 'getPet:createPet:minimal', 'listPets:plain']),
  );
  expect(seen).not.toContain('sendMessage:minimal');
});
