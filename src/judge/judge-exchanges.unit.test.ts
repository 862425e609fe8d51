import { describe, expect, test } from 'vitest';
import {
  contract,
  exchangeOf,
  JSON_HEADERS,
  judgedOf,
  probeNamed,
  probes,
  RATE_HEADERS,
  responseTo,
} from '../../test/exchanges/exchanges.ts';
import { heldAgainst, judge } from '../../test/exchanges/judged-answers.ts';
import type { Exchange, Received } from '../model/exchange.ts';
import type { Deviation } from '../model/finding.ts';
import { OPEN } from '../model/http/expectation.ts';
import type { Circumstances, Judged } from './evidence/judged.ts';
import { judgeExchanges, withoutVaried } from './judge-exchanges.ts';

const DAY = 86_400_000;
const REMOVAL = Date.parse('2030-12-05');

test('a body that petspec did not read is held against nobody, and its headers are judged all the same', () => {
  const [judged] = judge({
    'listPets:plain': { response: { body: '', unread: 'larger than petspec reads' } },
  });
  expect(judged?.deviations).toEqual([]);
  expect(judged?.met).toContain('X-RateLimit-Limit');
  expect(judged).toMatchObject({ isSound: false, inconclusive: { reason: 'larger than petspec reads' } });
});

test('headers that petspec did not read are held against nobody', () => {
  const failure = { kind: 'too-large', phase: 'headers', message: 'larger than petspec reads' } as const;
  expect(judge({ 'listPets:plain': { failure } })).toMatchObject([
    { deviations: [], inconclusive: { reason: 'larger than petspec reads' } },
  ]);
});

test.each([
  ['reset', 'headers'],
  ['closed', 'body'],
  ['timeout', 'headers'],
] as const)('what a service that goes away leaves behind is held against no operation: %s', (kind, phase) => {
  // It failed at 1.
  const violated = (change: Partial<Circumstances>) =>
    judge({ 'listPets:plain': { failure: { kind, phase, message: 'gone' } } }, change).flatMap(
      ({ deviations }) => deviations.map(({ requirement }) => requirement),
    );
  expect(violated({ goneSince: 0 })).toEqual([]);
  expect(violated({ goneSince: 1 })).toEqual([]);
  // Another request was sent after it had failed, and was answered: the service was still there.
  expect(violated({ goneSince: 2 })).toEqual(['service.http']);
  expect(violated({})).toEqual(['service.http']);
});

test('what is right fulfils what it shows, and nothing else', () => {
  const [list] = judge({ 'listPets:plain': 200 });
  expect(list).toMatchObject({ outcome: 'answered', isSound: true, deviations: [] });
  expect(list).not.toHaveProperty('inconclusive');
  expect(new Set(list?.met)).toEqual(
    new Set([
      'service.http',
      'service.content-type',
      'service.json',
      'listPets.responses',
      'listPets.200',
      'X-RateLimit-Limit',
      'X-RateLimit-Limit.schema',
      'X-RateLimit-Remaining',
      'X-RateLimit-Remaining.schema',
      'X-RateLimit-Reset',
      'X-RateLimit-Reset.schema',
      'listPets.200.body',
      'Pet',
      'Pet.id',
      'Pet.name',
      'Pet.categoryId',
      'authentication.accepted',
    ]),
  );
});

test('exchanges are judged in their order, whatever is compared with what; those of other plans are left out', () => {
  const judged = judge({
    'listPets:status=sold': 200,
    'createPet:full-1': 201,
    'createPet:minimal': 201,
    'listPets:plain': 200,
  });
  expect(judged.map(({ exchange }) => exchange.id)).toEqual([1, 2, 3, 4]);
  const [known] = judged;
  if (!known) throw new Error('nothing was judged');
  const strangers: Exchange[] = [
    { ...known.exchange, probe: 'listPets:of-tomorrow' },
    { ...known.exchange, operation: 'removePet' },
  ];
  expect(judgeExchanges(strangers, { contract, probes, today: 0, referencesKnown: true })).toEqual([]);
});

describe('what an open question gets is of the shape of a success, or JSON of any shape', () => {
  test.each<[what: string, response: Partial<Received>, held: readonly string[]]>([
    ['a list', { status: 200 }, []],
    [
      'an animal in place of a list',
      { status: 200, body: '{"id":1,"name":"Rex","categoryId":1}' },
      ['listPets.200.body'],
    ],
    ['a redirection without a body', { status: 302, body: '' }, []],
    ['a redirection with a page', { status: 302, body: '<p>', headers: RATE_HEADERS }, []],
    ['a page that knows no such path', { status: 404, body: '<p>', headers: RATE_HEADERS }, []],
    ['a refusal in any shape', { status: 400, body: '"no"' }, []],
    ['a refusal without a body', { status: 400, body: '', headers: RATE_HEADERS }, []],
    ['a refusal as text', { status: 400, body: 'no' }, ['service.json']],
    ['a refusal as a page', { status: 422, body: '<p>', headers: RATE_HEADERS }, ['service.content-type']],
    [
      'a refusal without rate limit headers',
      { status: 400, headers: JSON_HEADERS.slice(0, 1) },
      ['X-RateLimit-Limit'],
    ],
    ['a status of a server at fault', { status: 500 }, ['listPets.responses']],
  ])('%s', (_what, response, held) => {
    expect(heldAgainst({ 'listPets:plain': 200, 'listPets:limit=below': { response } })).toEqual(held);
  });

  test('a refusal fulfils that it is an answer in JSON, and its headers', () => {
    const [, refused] = judge({
      'listPets:plain': 200,
      'listPets:limit=below': { response: { status: 400, headers: [['Content-Type', 'application/json']] } },
    });
    expect(refused?.met).toEqual([
      'service.http',
      'listPets.responses',
      'service.content-type',
      'service.json',
      'authentication.accepted',
    ]);
  });
});

test.each<[what: string, status: number, held: readonly string[] | string]>([
  ['accepted', 200, []],
  ['refused', 403, 'the service rejects a request that was varied to get around the limit'],
  ['too much', 503, ['listPets.responses']],
])('a request that was varied to get around the limit is %s', (_what, status, held) => {
  const varied = { response: { status }, variation: 'forwarded-for' } as const;
  expect(heldAgainst({ 'listPets:plain': [200, varied] })).toEqual(held);
});

test.each<[what: string, statuses: number[], held: readonly string[]]>([
  ['it succeeds', [200, 200], []],
  ['it breaks', [500, 500], ['listPets.limit.minimum', 'listPets.limit.minimum']],
  ['it breaks now and then', [200, 500, 200], ['listPets.200']],
  ['it is refused now and then', [200, 404, 200], ['listPets.limit.minimum']],
])('only what a value always gets is held against its parameter: %s', (_what, statuses, held) => {
  const judged = judge({ 'listPets:limit=minimum': statuses });
  expect(judged.flatMap(({ deviations }) => deviations.map(({ requirement }) => requirement))).toEqual(held);
});

test('a guess that is refused is refused as documented, and its answer is judged', () => {
  const refused = { response: { status: 400, headers: JSON_HEADERS.slice(0, 3), body: '{"code":1}' } };
  const [judged] = judge({ 'createPet:minimal': refused }, { referencesKnown: false });
  expect(judged?.deviations.map(({ requirement }) => requirement)).toEqual([
    'X-RateLimit-Reset',
    'Error.message',
    'Error.status',
    'Error.code',
  ]);
});

describe('a category that was guessed may not exist', () => {
  const referenceOption = '--an-option';
  const guessed =
    'the list shows no categoryId, and the service refused the one that petspec guessed; name one with --an-option';

  test.each<
    [what: string, name: string, status: number, referencesKnown: boolean, held: readonly string[] | string]
  >([
    ['400', 'createPet:minimal', 400, false, guessed],
    ['400, though it was learnt', 'createPet:minimal', 400, true, ['createPet.201']],
    ['another refusal', 'createPet:minimal', 422, false, ['createPet.201']],
    ['a body without a category', 'sendMessage:minimal', 400, false, ['sendMessage.2XX']],
    ['what is wrong is accepted', 'createPet:name-missing', 201, false, ['NewPet.name']],
  ])('%s', (_what, name, status, referencesKnown, held) => {
    expect(heldAgainst({ [name]: status }, { referencesKnown, referenceOption })).toEqual(held);
  });

  test('one that is accepted elsewhere does exist', () => {
    const answers = { 'createPet:full-1': 201, 'createPet:minimal': 400 };
    expect(heldAgainst(answers, { referencesKnown: false, referenceOption })).toEqual(['createPet.201']);
    const later = judge(
      { 'createPet:minimal': 400, 'createPet:full-1': 201 },
      { referencesKnown: false, referenceOption },
    );
    expect(later[0]?.deviations).toMatchObject([{ requirement: 'createPet.201' }]);
  });

  test('nothing is known of it from a wrong body, or from one without a category', () => {
    const others = { 'createPet:name-missing': 201, 'createPet:maximum': 201, 'sendMessage:minimal': 200 };
    expect(
      heldAgainst({ ...others, 'createPet:minimal': 400 }, { referencesKnown: false, referenceOption }),
    ).toBe(guessed);
  });
});

describe('from the day of its removal on an operation may be gone', () => {
  const READ = 'getPet:createPet:minimal';

  test.each<[status: number, today: number, gone: boolean]>([
    [404, REMOVAL, true],
    [404, REMOVAL - DAY, true],
    [404, REMOVAL - DAY - 1, false],
    [410, REMOVAL, true],
    [300, REMOVAL, true],
    [308, REMOVAL, true],
    [499, REMOVAL, true],
    [299, REMOVAL, false],
    [200, REMOVAL, false],
    [429, REMOVAL, false],
    [500, REMOVAL, false],
    [503, REMOVAL, false],
  ])('%s at %s: %s', (status, today, removed) => {
    expect(judge({ [READ]: status }, { today })[0]?.outcome === 'removed').toBe(removed);
  });

  test('its headers are judged all the same, its body is not', () => {
    const answer = { response: { status: 410, body: 'gone', headers: RATE_HEADERS.slice(1) } };
    const [judged] = judge({ [READ]: answer }, { today: REMOVAL });
    expect(judged?.deviations.map(({ requirement }) => requirement)).toEqual(['X-RateLimit-Limit']);
    expect(judged).toMatchObject({ outcome: 'removed' });
    expect(judged?.met).toEqual([
      'service.http',
      ...['Remaining', 'Reset'].flatMap((each) => [`X-RateLimit-${each}`, `X-RateLimit-${each}.schema`]),
    ]);
  });

  test('a 404 for an animal that is unknown is due where the operation is still there', () => {
    const unknown = (status: number) =>
      judge({ [READ]: status, 'getPet:unknown': 404 }, { today: REMOVAL })[1];
    expect(unknown(200)).toMatchObject({ outcome: 'answered' });
    expect(unknown(404)).toMatchObject({ outcome: 'removed' });
  });

  test('an animal that was listed may have been removed by somebody, or the operation is gone: it need not say', () => {
    expect(judge({ 'getPet:listPets:plain': 404 }, { today: REMOVAL })[0]).toMatchObject({
      outcome: 'removed',
    });
    expect(judge({ 'getPet:listPets:plain': 404 })[0]).toMatchObject({ outcome: 'answered' });
  });

  test('what one of those that it is compared with shows to be gone is gone', () => {
    const answers = { [READ]: 404, 'getPet:key-absent': 500, 'getPet:key-case': 401 };
    expect(judge(answers, { today: REMOVAL })[2]).toMatchObject({ outcome: 'removed' });
  });

  test('another operation may not', () => {
    expect(heldAgainst({ 'listPets:plain': 404 }, { today: REMOVAL })).toEqual(['listPets.200']);
  });
});

const WRONG: Deviation = {
  requirement: 'listPets.200',
  kind: 'status',
  reason: 'r',
  expected: 'e',
  received: 'r',
};

const plain = probeNamed('listPets:plain');
const got = (status: number) => ({ response: responseTo('listPets', { status }) });
/** A header of a proxy: how the limiter counts. */
const forwarded = { variation: 'forwarded-for' } as const;
/** What a service may refuse. */
const lenient = { variation: 'origin' } as const;

/** A wrong exchange of a probe; without a response, unless `change` has one. */
function wrong(change: Partial<Exchange>, probe = plain, deviations: readonly Deviation[] = [WRONG]): Judged {
  return judgedOf(probe, exchangeOf(probe, change), { outcome: 'deviant', deviations });
}

describe('a wrong response is held against the service', () => {
  const open = { ...plain, expectation: OPEN };

  test.each<[what: string, judged: Judged]>([
    ['to a plain request', wrong(got(400))],
    ['if nothing is wrong', judgedOf(plain, exchangeOf(plain, { ...forwarded, ...got(400) }))],
    [
      'if it is not rejected where every response is right',
      judgedOf(open, exchangeOf(open, { ...forwarded, ...got(399) })),
    ],
    ['if the limit refused it', wrong({ ...forwarded, ...got(429) })],
    ['if the service failed', wrong({ ...forwarded, ...got(500) })],
    ['if it accepted what it may refuse', wrong({ ...lenient, ...got(200) })],
    ['if it redirected what it may refuse', wrong({ ...lenient, ...got(399) })],
    [
      'to what rides along on a request that is due a response',
      wrong({ variations: ['query-order'], ...got(400) }),
    ],
    [
      'to what rides along on a wrong request',
      wrong({ variations: ['query-order'], ...got(400) }, { ...open, validity: 'invalid' }),
    ],
    ['where nothing rides along', wrong(got(400), open)],
  ])('%s', (_what, judged) => {
    expect(withoutVaried(judged)).toBe(judged);
  });
});

describe('a response to a varied request tells nothing', () => {
  const around = 'a request that was varied to get around the limit';
  const open = { ...plain, expectation: OPEN };
  const ofLimit = { ...WRONG, requirement: 'service.http' };

  test.each<[what: string, judged: Judged, inconclusive: object]>([
    ['if it is rejected', wrong({ ...forwarded, ...got(400) }), { reason: `the service rejects ${around}` }],
    [
      'if it is answered in another way',
      wrong({ ...forwarded, ...got(302) }),
      { reason: `the service rejects ${around}` },
    ],
    [
      'if nothing came',
      wrong(forwarded, plain, [ofLimit, WRONG]),
      { reason: `no response came to ${around}`, cause: 'service.http' },
    ],
    [
      'if nothing came, whatever the reason',
      wrong(forwarded, plain, []),
      { reason: `no response came to ${around}` },
    ],
    [
      'if a service may refuse it, and does',
      wrong({ ...lenient, ...got(400) }),
      { reason: 'the service rejects a request that was varied' },
    ],
    [
      'if it is rejected where every response is right',
      judgedOf(open, exchangeOf(open, { ...forwarded, ...got(400) })),
      { reason: `the service rejects ${around}` },
    ],
    [
      'if what rides along may be refused',
      wrong({ variations: ['text-length'], ...got(400) }, open),
      { reason: 'the service rejects a request that was varied' },
    ],
  ])('%s', (_what, judged, inconclusive) => {
    const nothing = { outcome: 'inconclusive', met: [], deviations: [], inconclusive };
    expect(withoutVaried({ ...judged, met: ['service.http'] })).toMatchObject(nothing);
    expect(withoutVaried(judged)).toHaveProperty('inconclusive', inconclusive);
  });
});

describe('what is wrong with a refusal of a varied request is held against the service if it sent the refusal', () => {
  const probe = probeNamed('listPets:limit=wrong-type');
  const RESET = 'X-RateLimit-Reset';
  const absent: Deviation = {
    ...{ requirement: RESET, kind: 'header', headers: [RESET] },
    ...{ reason: `${RESET} is absent`, expected: RESET, received: `no ${RESET} header` },
  };
  const refused = (headers: [string, string][], change: Partial<Judged> = {}) => {
    const response = { ...responseTo('listPets', { status: 400 }), headers };
    const exchange = exchangeOf(probe, { ...lenient, response });
    return withoutVaried(judgedOf(probe, exchange, { deviations: [absent], ...change }));
  };
  const limited: [string, string][] = [['x-ratelimit-limit', '60']];

  test('it did if a header of each of its responses is there, and still the request was refused', () => {
    expect(refused(limited)).toMatchObject({ outcome: 'inconclusive', deviations: [absent] });
  });

  test('a page is no JSON, so no requirement about JSON is met beside it', () => {
    const page: Deviation = {
      ...{ requirement: 'service.json', kind: 'json', reason: 'the body is not JSON' },
      ...{ expected: 'one JSON value in UTF-8', received: '<!doctype html>' },
    };
    expect(refused(limited, { hidden: [page] })).toMatchObject({ deviations: [absent], hidden: [page] });
  });

  test.each<[what: string, judged: Judged]>([
    ['without such a header', refused([['Server', 'gateway']])],
    ['if its status is wrong', refused(limited, { outcome: 'deviant' })],
  ])('a gateway may have sent it %s', (_what, judged) => {
    expect(judged).toMatchObject({ outcome: 'inconclusive', deviations: [] });
  });
});
