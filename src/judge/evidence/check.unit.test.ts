import { describe, expect, test } from 'vitest';
import {
  contract,
  exchangeOf,
  judgedOf as judgedAs,
  probeNamed,
  probes,
} from '../../../test/exchanges/exchanges.ts';
import type { Deviation } from '../../model/finding.ts';
import {
  causeOf,
  type Evidence,
  eachExchange,
  observe,
  unexercised,
  unjudgeable,
  unobservable,
} from './check.ts';
import type { Judged } from './judged.ts';

const deviationOf = (requirement: string): Deviation => ({
  requirement,
  kind: 'meaning',
  reason: `${requirement} is not as it should be`,
  expected: 'this',
  received: 'that',
});

/** A response to a probe, and how it was judged. */
function judgedOf(
  id: number,
  name: string,
  change: Record<string, unknown> & { httpStatus?: number } = {},
): Judged {
  const { httpStatus = 200, ...rest } = change;
  const probe = probeNamed(name);
  const response = { status: httpStatus, headers: [], body: '[]' };
  return judgedAs(probe, exchangeOf(probe, { id, ...(httpStatus === 0 ? {} : { response }) }), rest);
}

function evidenceOf(judged: readonly Judged[], unsent: Evidence['unsent'] = []): Evidence {
  const circumstances = { contract, probes, today: 0, referencesKnown: true };
  return { ...circumstances, judged, unsent, baseUrl: 'http://127.0.0.1/v1', sharedKey: false };
}

const isList = ({ operation }: { operation: string }) => operation === 'listPets';

describe('where no exchange put a requirement to the test', () => {
  const held = (judged: readonly Judged[], unsent: Evidence['unsent'] = []) =>
    unexercised(evidenceOf(judged, unsent), { requirement: 'listPets.any', probes: isList });

  test('nothing of this run looks at it', () => {
    expect(held([judgedOf(1, 'createPet:minimal')])).toEqual({
      status: 'not-tested',
      untested: 'not-planned',
      exercised: false,
      reason: 'no request of this run tests it',
      evidence: [],
    });
  });

  test('something came back, and there was nothing in it to test', () => {
    expect(held([judgedOf(1, 'createPet:minimal'), judgedOf(2, 'listPets:plain')])).toStrictEqual({
      status: 'met',
      exercised: false,
      reason: 'no response could have shown a violation',
      evidence: [2],
    });
  });

  test('what came back was wrong in another way, which is named', () => {
    const wrong = judgedOf(2, 'listPets:plain', {
      deviations: [deviationOf('Pet.id'), deviationOf('Pet.name')],
    });
    expect(held([judgedOf(1, 'listPets:status=sold'), wrong])).toStrictEqual({
      status: 'not-tested',
      untested: 'blocked',
      exercised: false,
      reason: 'cannot be judged: Pet.id is not as it should be',
      cause: 'Pet.id',
      evidence: [2],
    });
  });

  test('what came back said nothing, and why', () => {
    const inconclusive = { reason: 'the rate limit refused the request', cause: 'TooManyRequests' };
    expect(
      held([
        judgedOf(1, 'listPets:plain'),
        judgedOf(2, 'listPets:status=sold', { outcome: 'inconclusive', inconclusive }),
      ]),
    ).toStrictEqual({
      status: 'not-tested',
      untested: 'inconclusive',
      exercised: false,
      reason: 'the rate limit refused the request',
      cause: 'TooManyRequests',
      evidence: [2],
    });
  });

  test('the operation is gone', () => {
    const removed = judgedOf(1, 'listPets:plain', {
      outcome: 'removed',
      deviations: [deviationOf('X-RateLimit-Limit')],
    });
    expect(held([removed])).toStrictEqual({
      status: 'observed',
      exercised: true,
      reason: 'removed as scheduled',
      observed: 'the operation was removed, as announced',
      evidence: [1],
    });
  });

  test('refusals by the rate limit count where nothing else came', () => {
    const inconclusive = { reason: 'the rate limit refused the request' };
    const refused = judgedOf(1, 'listPets:plain', { httpStatus: 429, outcome: 'inconclusive', inconclusive });
    expect(held([refused])).toMatchObject({ status: 'not-tested', untested: 'inconclusive', evidence: [1] });
    expect(held([refused, judgedOf(2, 'listPets:plain')])).toMatchObject({ status: 'met', evidence: [2] });
    expect(held([refused, judgedOf(2, 'listPets:plain', { httpStatus: 0 })])).toMatchObject({
      evidence: [2],
    });
  });

  test('its request was not sent: the reason, and the requirement to blame', () => {
    const unsent = [
      { probe: 'getPet:createPet:minimal', reason: 'of another operation', cause: 'getPet:unknown' },
      { probe: 'listPets:status=sold', reason: 'nothing to ask for', cause: 'createPet:minimal' },
    ];
    const creation = judgedOf(1, 'createPet:minimal', { deviations: [deviationOf('createPet.201')] });
    expect(held([creation], unsent)).toEqual({
      status: 'not-tested',
      exercised: false,
      reason: 'nothing to ask for',
      cause: 'createPet.201',
      evidence: [],
    });
    expect(held([], [{ probe: 'listPets:of-another-plan', reason: 'unknown' }])).toMatchObject({
      reason: 'no request of this run tests it',
    });
  });
});

test.each<[what: string, change: Record<string, unknown>, expected: object]>([
  [
    'is wrong',
    { deviations: [deviationOf('Pet.id'), deviationOf('Pet.name')] },
    { untested: 'blocked', reason: 'cannot be judged: Pet.id is not as it should be', cause: 'Pet.id' },
  ],
  [
    'says nothing',
    { outcome: 'inconclusive', inconclusive: { reason: 'a control failed', cause: 'getPet.200' } },
    { untested: 'inconclusive', reason: 'cannot be judged: a control failed', cause: 'getPet.200' },
  ],
  [
    'comes from an operation that is gone',
    { outcome: 'removed' },
    { untested: 'inconclusive', reason: 'cannot be judged: the operation was removed, as announced' },
  ],
])('what only one response could show is not tested if it %s', (_what, change, expected) => {
  expect(unjudgeable(judgedOf(7, 'getPet:createPet:minimal', change))).toEqual({
    status: 'not-tested',
    exercised: false,
    evidence: [7],
    ...expected,
  });
});

describe('the requirement that a probe’s own answer violated', () => {
  const answers = [
    judgedOf(1, 'listPets:plain', { deviations: [deviationOf('listPets.200')] }),
    judgedOf(2, 'createPet:minimal'),
    judgedOf(3, 'createPet:minimal', { deviations: [deviationOf('createPet.201'), deviationOf('Pet.id')] }),
  ];
  const unsent = [
    { probe: 'getPet:createPet:full-1', reason: 'not sent', cause: 'createPet:full-1' },
    { probe: 'createPet:full-1', reason: 'not sent', cause: 'createPet:minimal' },
    { probe: 'getPet:unknown', reason: 'not sent', cause: 'getPet:unknown' },
    { probe: 'getPet:largest', reason: 'the run was ended' },
  ];

  test.each<[what: string, probe: string | undefined, cause: string | undefined]>([
    ['its answer', 'createPet:minimal', 'createPet.201'],
    ['the requirement whose violation kept it from being sent', 'createPet:full-1', 'createPet.201'],
    ['that of the one before that', 'getPet:createPet:full-1', 'createPet.201'],
    ['one that is its own cause', 'getPet:unknown', undefined],
    ['one that nothing caused', 'getPet:largest', undefined],
    ['one that is in order', 'listPets:status=sold', undefined],
    ['none', undefined, undefined],
  ])('%s', (_what, probe, cause) => {
    expect(causeOf(evidenceOf(answers, unsent), probe)).toBe(cause);
  });
});

test.each([
  ['in a circle', { 'a:1': 'a:2', 'a:2': 'a:3', 'a:3': 'a:1' }],
  ['each the other', { 'a:1': 'a:2', 'a:2': 'a:1' }],
  ['itself', { 'a:1': 'a:1' }],
])('a ledger whose causes name each other %s, which no run writes, names none', (_, causes) => {
  const unsent = Object.entries(causes).map(([probe, cause]) => ({ probe, reason: 'not sent', cause }));
  expect(causeOf(evidenceOf([], unsent), 'a:1')).toBeUndefined();
});

describe('a check that examines each exchange', () => {
  const check = (of?: 'sound' | 'answered') =>
    eachExchange(
      { requirement: 'listPets.ordered', probes: isList, ...(of ? { of } : {}) },
      ({ exchange: { id } }) => {
        if (id === 1) return undefined;
        return id < 10 ? 'held' : { reason: 'wrong', expected: 'this', received: 'that' };
      },
    );
  const list = (id: number, change: Record<string, unknown> = {}) => judgedOf(id, 'listPets:plain', change);

  test('is functional, and needs nothing, unless it says otherwise', () => {
    expect(check()).toMatchObject({ requirement: 'listPets.ordered', phase: 'functional', needs: [] });
    const limiter = eachExchange(
      { requirement: 'a', probes: isList, phase: 'limiter', needs: ['b'] },
      () => 'held',
    );
    expect(limiter).toMatchObject({ phase: 'limiter', needs: ['b'] });
  });

  test.each<[what: string, judged: Judged[], finding: object]>([
    [
      'one that deviates',
      [list(2), list(10), list(11)],
      { status: 'violated', reason: 'wrong', evidence: [10, 11] },
    ],
    ['all that hold', [list(1), list(2), list(3)], { status: 'met', exercised: true, evidence: [2, 3] }],
    ['none that says anything', [list(1)], { status: 'met', exercised: false, evidence: [1] }],
    ['not the unsound', [list(2), list(10, { isSound: false })], { status: 'met', evidence: [2] }],
    [
      'not those whose status is wrong',
      [list(2), list(10, { outcome: 'deviant' })],
      { status: 'met', evidence: [2] },
    ],
    ['not those of others', [list(2), judgedOf(10, 'createPet:minimal')], { status: 'met', evidence: [2] }],
  ])('%s', (_what, judged, finding) => {
    expect(check().judge(evidenceOf(judged))).toMatchObject(finding);
  });

  test('may look at all that are answered', () => {
    const unsound = list(10, { isSound: false });
    expect(check('answered').judge(evidenceOf([unsound]))).toMatchObject({ status: 'violated' });
    expect(check('answered').judge(evidenceOf([list(10, { outcome: 'deviant' })]))).toMatchObject({
      exercised: false,
    });
  });
});

describe('what is left open is written down', () => {
  const check = observe('open.ordering', isList, (seen) =>
    seen.length > 1 ? `${seen.length} lists` : undefined,
  );

  test.each<[what: string, judged: Judged[], observed: string, evidence: number[]]>([
    ['nothing came', [], 'no response showed this', []],
    ['too little came', [judgedOf(1, 'listPets:plain')], 'no response showed this', []],
    ['it came', [1, 2].map((id) => judgedOf(id, 'listPets:plain')), '2 lists', [1, 2]],
    [
      'what was not answered, or is another’s, is not counted',
      [
        judgedOf(1, 'listPets:plain', { httpStatus: 0 }),
        judgedOf(2, 'createPet:minimal'),
        judgedOf(3, 'listPets:plain'),
      ],
      'no response showed this',
      [],
    ],
  ])('%s', (_what, judged, observed, evidence) => {
    expect(check.judge(evidenceOf(judged))).toMatchObject({ status: 'observed', observed, evidence });
  });

  test('or that nothing shows it', () => {
    const unseen = unobservable('open.events', 'none are looked for');
    expect(unseen.probes(probes[0] as never)).toBe(false);
    expect(unseen.judge(evidenceOf([judgedOf(1, 'listPets:plain')]))).toStrictEqual({
      status: 'observed',
      exercised: false,
      reason: 'no response can show this',
      observed: 'none are looked for',
      evidence: [],
    });
  });
});
