import { describe, expect, test } from 'vitest';
import {
  contract,
  exchangeOf as exchangeWith,
  JSON_HEADERS,
  probeNamed,
  probes,
  RATE_HEADERS,
  responseTo,
} from '../../../test/exchanges.ts';
import type { Exchange, FailureKind, Received } from '../../model/exchange.ts';
import { type Circumstances, inconclusiveOf, type Judged } from '../judged.ts';
import { judgeExchanges } from './judge-exchanges.ts';

const DAY = 86_400_000;
const REMOVAL = Date.parse('2030-12-05');

/** What came back: a status, with the body that the interface documents for it; or something of a test's own. */
type Answer = number | { response?: Partial<Received>; failure?: Exchange['failure'] };

function exchangeOf(id: number, name: string, answer: Answer): Exchange {
  const probe = probeNamed(name);
  const { response, failure } =
    typeof answer === 'number' ? { response: { status: answer } } : { failure: undefined, ...answer };
  return exchangeWith(probe, {
    id,
    sentAt: id,
    receivedAt: id,
    ...(response ? { response: responseTo(probe.operation, response) } : {}),
    ...(failure ? { failure } : {}),
  });
}

type Answers = Record<string, Answer | Answer[]>;

/** The exchanges of these probes, judged, in the order in which they are written. */
function judge(answers: Answers, change: Partial<Circumstances> = {}): Judged[] {
  const exchanges = Object.entries(answers)
    .flatMap(([name, answer]) => [answer].flat().map((each) => [name, each] as const))
    .map(([name, answer], index) => exchangeOf(index + 1, name, answer));
  return judgeExchanges(exchanges, { contract, probes, today: 0, referencesKnown: true, ...change });
}

/** What is held against the last of them: the requirements, or why nothing is. */
function heldAgainst(
  answers: Answers,
  change: Partial<Circumstances> = {},
): readonly string[] | string | undefined {
  const last = judge(answers, change).at(-1);
  if (!last) return undefined;
  return inconclusiveOf(last)?.reason ?? last.deviations.map(({ requirement }) => requirement);
}

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

describe('no answer', () => {
  const failing = (kind: FailureKind, phase: 'headers' | 'body' = 'headers') =>
    judge({ 'listPets:plain': { failure: { kind, phase, message: `it is ${kind}` } } })[0];

  test.each<FailureKind>(['refused', 'unreachable', 'tls', 'interrupted'])(
    '%s: nobody is there to blame',
    (kind) => {
      expect(failing(kind)).toMatchObject({
        deviations: [],
        met: [],
        inconclusive: { reason: `it is ${kind}` },
      });
    },
  );

  test.each<FailureKind>(['closed', 'reset', 'timeout', 'not-http', 'framing', 'other'])(
    '%s: the service is to blame',
    (kind) => {
      const [reason, expected] = ['no HTTP response came back', 'one complete HTTP response'];
      const received = `it is ${kind}`;
      expect(failing(kind)).toMatchObject({
        outcome: 'deviant',
        met: [],
        deviations: [{ requirement: 'service.http', reason, expected, received }],
      });
      expect(failing(kind, 'body')?.deviations[0]?.reason).toBe('the response is not complete');
    },
  );

  test('an exchange without answer and failure says nothing', () => {
    expect(judge({ 'listPets:plain': {} })[0]).toMatchObject({
      deviations: [],
      inconclusive: { reason: 'no response' },
    });
  });
});

describe('a request over the limit that is not answered', () => {
  const over = (kind: FailureKind) => {
    const failure = { kind, phase: 'headers', message: `it is ${kind}` } as const;
    return judge({ 'listPets:exhaust': [200, { failure }] }, { limits: { minute: 1 } })[1];
  };

  test('is one that is not answered 429', () => {
    const [expected, received] = ['status 429', 'it is reset'];
    const reason = 'a request over the limit was not refused with 429';
    expect(over('reset')?.deviations).toEqual([
      { requirement: 'TooManyRequests', kind: 'status', reason, expected, received },
    ]);
  });

  test('says nothing where that is not the service’s fault', () => {
    expect(over('interrupted')).toMatchObject({
      deviations: [],
      inconclusive: { reason: 'it is interrupted' },
    });
  });
});

describe('a key that every operation refuses is the user’s to mend', () => {
  const refused = 'every operation refused the key';

  test.each<[what: string, answers: Answers, held: readonly string[] | string]>([
    ['the right key gets 401', { 'listPets:plain': 401 }, refused],
    ['the right key gets 403', { 'listPets:plain': 403 }, ['listPets.200']],
    ['the right key gets 500', { 'listPets:plain': 500 }, ['listPets.200']],
    ['a wrong one gets 401', { 'listPets:key-absent': 401 }, []],
    [
      'a wrong one gets 401 as HTML',
      { 'listPets:key-absent': { response: { status: 401, body: '<p>' } } },
      ['service.json'],
    ],
  ])('%s', (_what, answers, held) => {
    expect(heldAgainst(answers, { isKeyRefused: true })).toEqual(held);
  });

  test('otherwise its 401 is a wrong status', () => {
    expect(heldAgainst({ 'listPets:plain': 401 })).toEqual(['listPets.200']);
  });
});

describe('a refusal by the rate limit', () => {
  test('says nothing about what was asked, and is judged as what it is', () => {
    const [refused] = judge({ 'createPet:minimal': 429 });
    expect(refused).toMatchObject({
      outcome: 'inconclusive',
      deviations: [],
      inconclusive: { reason: 'the rate limit refused the request' },
    });
    expect(refused?.met).toEqual(
      expect.arrayContaining(['Retry-After', 'Retry-After.schema', 'Error', 'Error.status']),
    );
    expect(refused?.met).not.toContain('createPet.responses');
  });

  test('of a question that is open, too', () => {
    const answer = { response: { status: 429, body: '{}' } };
    expect(judge({ 'listPets:limit=below': answer })[0]?.deviations).toMatchObject([
      { requirement: 'Error' },
    ]);
  });
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

describe('what is wrong behind what owns an exchange is hidden, and still known', () => {
  const hiddenIn = (answers: Answers, change: Partial<Circumstances> = {}) =>
    judge(answers, change)
      .at(-1)
      ?.hidden.map(({ requirement }) => requirement);
  const page = { headers: RATE_HEADERS.slice(1), body: '<p>' };

  test.each<[what: string, answers: Answers, hidden: string[]]>([
    ['nothing', { 'listPets:plain': 200 }, []],
    [
      'behind a status that was not due: headers and body',
      { 'createPet:minimal': { response: { status: 400, ...page } } },
      ['X-RateLimit-Limit', 'service.content-type', 'service.json', 'Error'],
    ],
    [
      'behind a wrong key that is let in: the list that it gets',
      { 'listPets:key-unknown': { response: { status: 200, body: '[{"id":1}]' } } },
      ['Unauthorized', 'Pet.name', 'Pet.categoryId'],
    ],
    [
      'behind what a control got: the status, too',
      {
        'createPet:minimal': 403,
        'createPet:full-1': { response: { status: 500, headers: JSON_HEADERS.slice(0, 3) } },
      },
      ['createPet.201', 'createPet.responses', 'X-RateLimit-Reset'],
    ],
    [
      'behind a body that is not declared: its shape',
      {
        'getPet:createPet:minimal': { response: { status: 200, headers: RATE_HEADERS, body: '{"id":"1"}' } },
      },
      ['Pet.name', 'Pet.categoryId', 'Pet.id'],
    ],
    [
      'behind no answer: what was due',
      { 'listPets:limit=maximum': { failure: { kind: 'reset', phase: 'headers', message: 'reset' } } },
      ['listPets.limit.maximum', 'listPets.200'],
    ],
    [
      'nothing of what may get this or that, behind no answer',
      { 'createPet:maximum': { failure: { kind: 'reset', phase: 'headers', message: 'reset' } } },
      [],
    ],
  ])('%s', (_what, answers, hidden) => {
    expect(hiddenIn(answers)).toEqual(hidden);
  });

  test('over the limit, all that is wrong with what is not a 429', () => {
    const broken = { response: { status: 503, headers: JSON_HEADERS } };
    const answers = { 'listPets:exhaust': [200, broken] };
    expect(hiddenIn(answers, { limits: { minute: 1 } })).toEqual([
      'listPets.limit.minimum',
      'listPets.200',
      'listPets.responses',
    ]);
  });

  test('what comes instead of a recovery', () => {
    expect(hiddenIn({ 'listPets:recover': 503 })).toEqual([
      'listPets.limit.minimum',
      'listPets.200',
      'listPets.responses',
    ]);
  });

  test('an animal that is lost though it is listed is not found as it should be: its Error is wrong all the same', () => {
    const list = { response: { body: '[{"id":1,"name":"Rex","categoryId":1}]' } };
    const lost = { response: { status: 404, body: '{"code":"c","message":"m","status":400}' } };
    const read = judge({
      'listPets:plain': list,
      'getPet:listPets:plain': lost,
      'listPets:limit=maximum': list,
    })[1];
    expect(read?.deviations).toMatchObject([{ requirement: 'getPet.200' }]);
    expect(read?.hidden).toMatchObject([{ requirement: 'Error.status' }]);
  });
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

describe('if the response to compare with is wrong', () => {
  const words = (name: string) =>
    `"${probes.find(({ id }) => id === name)?.title}" did not get a documented response`;

  test.each([404, 405, 410, 500, 503])('an operation that answers %s refuses no key', (status) => {
    expect(heldAgainst({ 'listPets:plain': status, 'listPets:key-absent': status })).toBe(
      words('listPets:plain'),
    );
  });

  test.each<[what: string, right: Answer, wrong: Answer]>([
    ['the right key is answered otherwise', 404, 500],
    ['the right key is refused, too, as it should not be', 403, 403],
    ['the right key is let in', 200, 200],
    ['the right key gets no answer', { failure: { kind: 'reset', phase: 'headers', message: 'reset' } }, 500],
  ])('a wrong key that is not refused is one where %s', (_what, right, wrong) => {
    expect(heldAgainst({ 'listPets:plain': right, 'listPets:key-absent': wrong })).toEqual(['Unauthorized']);
  });

  test('a key that gets what no key gets is no reason: the right one is answered', () => {
    const answers = { 'listPets:plain': 200, 'listPets:key-absent': 404, 'listPets:key-unknown': 404 };
    expect(heldAgainst(answers)).toEqual(['Unauthorized']);
  });

  test('what is answered as it should be is so by itself', () => {
    const [, full] = judge({ 'createPet:minimal': 403, 'createPet:full-1': 201 });
    expect(full).toMatchObject({ outcome: 'answered', isSound: true, deviations: [] });
    expect(full).not.toHaveProperty('inconclusive');
  });

  test('a wrong status of what differs in more is no finding of its own, and names what caused it', () => {
    const [, full] = judge({ 'createPet:minimal': 403, 'createPet:full-1': 403 });
    expect(full).toMatchObject({
      outcome: 'inconclusive',
      deviations: [],
      inconclusive: { reason: words('createPet:minimal'), cause: 'createPet.201' },
    });
  });

  test('a refusal of what is wrong says nothing where what is right is refused as well', () => {
    const [, invalid] = judge({ 'createPet:minimal': 403, 'createPet:name-missing': 400 });
    expect(invalid).toMatchObject({ deviations: [], inconclusive: { cause: 'createPet.201' } });
    expect(invalid?.met).toContain('createPet.400');
    expect(invalid?.met).not.toContain('NewPet.name');
    expect(judge({ 'createPet:minimal': 201, 'createPet:name-missing': 400 })[1]?.met).toContain(
      'NewPet.name',
    );
  });

  describe('where what it is compared with was not sent', () => {
    const caused = words('getPet:createPet:full-1');

    test.each<[what: string, answers: Answers, held: readonly string[] | string]>([
      ['another read is used instead', { 'getPet:createPet:full-1': 500, 'getPet:unknown': 500 }, caused],
      [
        'for a read of what was listed, too',
        { 'getPet:createPet:full-1': 500, 'getPet:listPets:plain': 500 },
        caused,
      ],
      [
        'and not where it was sent',
        { 'getPet:createPet:minimal': 200, 'getPet:createPet:full-1': 500, 'getPet:unknown': 500 },
        ['getPet.404'],
      ],
      [
        'none where that was answered',
        { 'getPet:createPet:full-1': 200, 'getPet:unknown': 500 },
        ['getPet.404'],
      ],
      ['none of another operation', { 'listPets:status=sold': 500, 'getPet:unknown': 500 }, ['getPet.404']],
      [
        'none that may be refused itself',
        { 'getPet:listPets:plain': 500, 'getPet:unknown': 500 },
        ['getPet.404'],
      ],
      ['nothing but a read', { 'getPet:exhaust': 500, 'getPet:unknown': 500 }, ['getPet.404']],
      [
        'none for another read',
        { 'getPet:createPet:full-1': 500, 'getPet:createPet:full-2': 500 },
        ['getPet.200'],
      ],
      ['none for a wrong key', { 'getPet:createPet:full-1': 404, 'getPet:key-case': 404 }, ['Unauthorized']],
    ])('%s', (_what, answers, held) => {
      expect(heldAgainst(answers)).toEqual(held);
    });
  });

  test('one of several answers to the same request is enough', () => {
    expect(heldAgainst({ 'createPet:minimal': [429, 201], 'createPet:full-1': 403 })).toEqual([
      'createPet.201',
    ]);
    expect(heldAgainst({ 'createPet:minimal': [201, 429], 'createPet:full-1': 403 })).toEqual([
      'createPet.201',
    ]);
  });

  test('what was refused by the rate limit passes its reason on', () => {
    const [, full] = judge({ 'createPet:minimal': 429, 'createPet:full-1': 403 });
    expect(full && inconclusiveOf(full)).toStrictEqual({
      reason: 'the rate limit refused the request',
      control: 1,
    });
  });
});

describe('a category that was guessed may not exist', () => {
  const guessed =
    'the list shows no category, and the service refused the one that petspec guessed; name one with --category-id';

  test.each<
    [what: string, name: string, status: number, referencesKnown: boolean, held: readonly string[] | string]
  >([
    ['400', 'createPet:minimal', 400, false, guessed],
    ['400, though it was learnt', 'createPet:minimal', 400, true, ['createPet.201']],
    ['another refusal', 'createPet:minimal', 422, false, ['createPet.201']],
    ['a body without a category', 'sendMessage:minimal', 400, false, ['sendMessage.2XX']],
    ['what is wrong is accepted', 'createPet:name-missing', 201, false, ['NewPet.name']],
  ])('%s', (_what, name, status, referencesKnown, held) => {
    expect(heldAgainst({ [name]: status }, { referencesKnown })).toEqual(held);
  });

  test('one that is accepted elsewhere does exist', () => {
    const answers = { 'createPet:full-1': 201, 'createPet:minimal': 400 };
    expect(heldAgainst(answers, { referencesKnown: false })).toEqual(['createPet.201']);
    const later = judge({ 'createPet:minimal': 400, 'createPet:full-1': 201 }, { referencesKnown: false });
    expect(later[0]?.deviations).toMatchObject([{ requirement: 'createPet.201' }]);
  });

  test('nothing is known of it from a wrong body, or from one without a category', () => {
    const others = { 'createPet:name-missing': 201, 'createPet:maximum': 201, 'sendMessage:minimal': 200 };
    expect(heldAgainst({ ...others, 'createPet:minimal': 400 }, { referencesKnown: false })).toBe(guessed);
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
