import { describe, expect, test } from 'vitest';
import { type Answers, heldAgainst, judge } from '../../../test/exchanges/judged-answers.ts';
import type { FailureKind } from '../../model/exchange.ts';

describe('no answer', () => {
  const failing = (kind: FailureKind, phase: 'headers' | 'body' = 'headers') =>
    judge({ 'listPets:plain': { failure: { kind, phase, message: `it is ${kind}` } } })[0];

  test.each<FailureKind>(['refused', 'unreachable', 'tls', 'interrupted'])(
    '%s: nobody is there to blame',
    (kind) => {
      expect(failing(kind)).toMatchObject({
        deviations: [],
        hidden: [],
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
    const reason = 'GET /pets got no response over the limit, in place of 429';
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

  test('its 401 fulfills and violates nothing, however it looks', () => {
    const answers = { 'listPets:plain': { response: { status: 401, headers: [], body: '<p>' } } };
    expect(judge(answers, { isKeyRefused: true })[0]).toMatchObject({
      outcome: 'inconclusive',
      met: [],
      deviations: [],
      hidden: [],
    });
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
