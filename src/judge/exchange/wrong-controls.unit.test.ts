import { describe, expect, test } from 'vitest';
import { contract, exchangeOf, probeNamed, probes, responseTo } from '../../../test/exchanges/exchanges.ts';
import { type Answer, type Answers, heldAgainst, judge } from '../../../test/exchanges/judged-answers.ts';
import { inconclusiveOf } from '../evidence/judged.ts';
import { judgeExchanges } from '../judge-exchanges.ts';

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
    expect(heldAgainst({ 'getStoreOrders:plain': right, 'getStoreOrders:key-absent': wrong })).toEqual([
      'Unauthorized',
    ]);
  });

  test('a key that gets what no key gets is no reason: the right one is answered', () => {
    const answers = { 'listPets:plain': 200, 'listPets:key-absent': 404, 'listPets:key-unknown': 404 };
    expect(heldAgainst(answers)).toEqual(['Unauthorized']);
  });

  test('nor is a wrong body that gets what it gets without a key: the key comes first', () => {
    const answers = { 'createPet:minimal': 201, 'createPet:malformed': 500, 'createPet:key-absent': 500 };
    expect(probes.find(({ id }) => id === 'createPet:key-absent')?.controls).toContain('createPet:malformed');
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
        'and not where it was sent later',
        { 'getPet:createPet:full-1': 500, 'getPet:createPet:minimal': 200, 'getPet:unknown': 500 },
        ['getPet.404'],
      ],
      [
        'none where that was answered',
        { 'getPet:createPet:full-1': 200, 'getPet:unknown': 500 },
        ['getPet.404'],
      ],
      [
        'one read is enough',
        { 'getPet:createPet:full-1': 200, 'getPet:createPet:full-2': 500, 'getPet:unknown': 500 },
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

  test('a refusal that may be right says nothing, and its body is no finding', () => {
    const answers = {
      'createPet:minimal': 500,
      'createPet:maximum': { response: { status: 400, body: '{"code":"c","message":"m","status":409}' } },
    };
    const [first, refused] = judge(answers);
    expect(first).toMatchObject({ outcome: 'deviant', met: ['service.http'] });
    expect(refused).toMatchObject({
      outcome: 'answered',
      isSound: false,
      deviations: [],
      hidden: [{ requirement: 'Error.status' }],
      inconclusive: { reason: words('createPet:minimal'), control: 1, cause: 'createPet.201' },
    });
    const headers = ['Limit', 'Remaining', 'Reset'].map((each) => `X-RateLimit-${each}`);
    expect(new Set(refused?.met)).toEqual(
      new Set([
        'service.http',
        ...headers,
        ...headers.map((each) => `${each}.schema`),
        'createPet.responses',
        'createPet.400',
        'authentication.accepted',
      ]),
    );
  });

  test('one of several answers to the same request is enough', () => {
    expect(heldAgainst({ 'createPet:minimal': [429, 201], 'createPet:full-1': 403 })).toEqual([
      'createPet.201',
    ]);
    expect(heldAgainst({ 'createPet:minimal': [201, 429], 'createPet:full-1': 403 })).toEqual([
      'createPet.201',
    ]);
  });

  test.each<[what: string, control: Answer, change: object]>([
    ['refused by the rate limit', 429, {}],
    ['refused for a category that petspec guessed', 400, { referencesKnown: false }],
  ])('a 5xx is wrong, also where what it is compared with was %s', (_what, control, change) => {
    const answers = { 'createPet:minimal': control, 'createPet:name-missing': 500, 'createPet:full-1': 503 };
    const [, invalid, full] = judge(answers, change);
    expect(invalid?.deviations.map(({ requirement }) => requirement)).toEqual(['createPet.400']);
    expect(full?.deviations.map(({ requirement }) => requirement)).toEqual(['createPet.201']);
  });

  test('what was refused by the rate limit passes its reason on', () => {
    const [, full] = judge({ 'createPet:minimal': 429, 'createPet:full-1': 403 });
    expect(full && inconclusiveOf(full)).toEqual({
      reason: 'the rate limit refused the request',
      control: 1,
    });
  });

  test('of two that are compared with each other one is wrong by itself, and the other for that reason', () => {
    const names = ['createPet:minimal', 'createPet:full-1'];
    const circular = names.map((name) => ({
      ...probeNamed(name),
      controls: names.filter((other) => other !== name),
    }));
    const refused = circular.map((probe, index) =>
      exchangeOf(probe, { id: index + 1, response: responseTo('createPet', { status: 403 }) }),
    );
    const judged = judgeExchanges(refused, { contract, probes: circular, today: 0, referencesKnown: true });
    expect(judged.map(({ outcome }) => outcome).sort()).toEqual(['deviant', 'inconclusive']);
    expect(judged.flatMap(({ deviations }) => deviations.map(({ requirement }) => requirement))).toEqual([
      'createPet.201',
    ]);
  });
});
