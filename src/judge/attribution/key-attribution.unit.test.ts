import { describe, expect, test } from 'vitest';
import {
  exchangeOf,
  JSON_HEADERS,
  judgedOf,
  probeNamed,
  responseTo,
} from '../../../test/exchanges/exchanges.ts';
import { type Answers, heldAgainst, judge as judged } from '../../../test/exchanges/judged-answers.ts';
import { loadContract, readSources } from '../../contract/load.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import type { Probe } from '../../model/probe.ts';
import { deriveProbes } from '../../probes/derive.ts';
import type { Judged } from '../evidence/judged.ts';
import { judgeExchanges } from '../judge-exchanges.ts';
import { attributeRefusedKeys, attributeToOpenness } from './key-attribution.ts';

/** Probes and the statuses that they get, judged in this order. */
function judge(statuses: Record<string, number>, set?: string): Judged[] {
  const contract = loadContract(readSources(), set);
  const probes = deriveProbes(contract);
  const exchanges = Object.entries(statuses).map(([name, status], index): Exchange => {
    const probe = probeNamed(name, probes);
    return exchangeOf(probe, { id: index + 1, response: responseTo(probe.operation, { status }) });
  });
  return judgeExchanges(exchanges, { contract, probes, today: 0, referencesKnown: true });
}

const owners = (judged: readonly Judged[]) =>
  judged.flatMap(({ deviations }) => deviations.map(({ requirement }) => requirement));

describe('without a key, 401 comes before what else is wrong', () => {
  const RIGHT = { 'createPet:minimal': 201, 'createPet:malformed': 400 };
  const FETCHED = { 'getPet:createPet:minimal': 200, 'getPet:unknown': 404 };

  test.each<[what: string, statuses: Record<string, number>, owned: string[]]>([
    ['it does', { ...RIGHT, 'createPet:key-absent': 401, 'createPet:key-unknown': 401 }, []],
    ['the body is parsed first', { ...RIGHT, 'createPet:key-absent': 400 }, ['authentication.first']],
    [
      'the body is parsed first, as a wrong key is refused',
      { ...RIGHT, 'createPet:key-absent': 400, 'createPet:key-unknown': 401 },
      ['authentication.first'],
    ],
    ['by another refusal, too', { ...RIGHT, 'createPet:key-absent': 422 }, ['authentication.first']],
    [
      'the query is validated first',
      { 'listPets:plain': 200, 'listPets:status=non-member': 400, 'listPets:key-absent': 400 },
      ['authentication.first'],
    ],
    ['the animal is looked up first', { ...FETCHED, 'getPet:key-absent': 404 }, ['authentication.first']],
    [
      'no key is asked for: wrong ones are let in',
      { ...RIGHT, 'createPet:key-absent': 400, 'createPet:key-unknown': 201 },
      ['Unauthorized', 'Unauthorized'],
    ],
    [
      'any key is let in, but none is not',
      { ...RIGHT, 'createPet:key-absent': 401, 'createPet:key-unknown': 201 },
      ['authentication.key'],
    ],
    [
      'a missing key is a bad request wherever it is missing',
      {
        'getStoreOrders:plain': 200,
        'getStoreOrders:key-absent': 400,
        ...RIGHT,
        'createPet:key-absent': 400,
      },
      ['Unauthorized', 'Unauthorized'],
    ],
    [
      'another status elsewhere is no reason',
      {
        'getStoreOrders:plain': 200,
        'getStoreOrders:key-absent': 403,
        ...RIGHT,
        'createPet:key-absent': 400,
      },
      ['Unauthorized', 'authentication.first'],
    ],
    [
      'no key is asked for, and what is wrong with a body is another matter',
      { ...RIGHT, 'createPet:name-missing': 201, 'createPet:key-absent': 400, 'createPet:key-unknown': 201 },
      ['NewPet.name', 'Unauthorized', 'Unauthorized'],
    ],
    ['all of it is let in', { ...RIGHT, 'createPet:key-absent': 201 }, ['Unauthorized']],
    ['it breaks the service', { ...RIGHT, 'createPet:key-absent': 500 }, ['Unauthorized']],
  ])('%s', (_what, statuses, owned) => {
    expect(owners(judge(statuses))).toEqual(owned);
  });

  test('what is not the owner is contradicted all the same', () => {
    const hiddenOf = (status: number, unknown: number) =>
      judge({ ...RIGHT, 'createPet:key-absent': status, 'createPet:key-unknown': unknown })
        .slice(-2)
        .map(({ hidden }) => hidden.map(({ requirement }) => requirement));
    expect(hiddenOf(400, 401)).toEqual([['Unauthorized'], []]);
    expect(hiddenOf(400, 201)).toEqual([['authentication.first'], ['authentication.key']]);
    expect(hiddenOf(500, 401)).toEqual([['authentication.first', 'createPet.responses'], []]);
  });

  test('what comes without a key at another spelling of the address shows that none is asked for', () => {
    const keyless = probeNamed('listPets:key-absent');
    const deviation = (requirement: string): Deviation => ({
      requirement,
      kind: 'status',
      reason: 'r',
      expected: 'e',
      received: 'r',
    });
    const of = (probe: Probe, status: number, ...deviations: Deviation[]) =>
      judgedOf(probe, exchangeOf(probe, { response: responseTo(probe.operation, { status }) }), {
        deviations,
        hidden: [deviation('Unauthorized')],
      });
    const refused = of(keyless, 400, deviation('authentication.first'));
    const spelled = { ...keyless, spelling: 'encoded' } as const;
    const owned = (status: number, ...deviations: Deviation[]) =>
      owners(attributeToOpenness([refused, of(spelled, status, ...deviations)]));
    expect(owned(200, deviation('Unauthorized'))).toEqual(['Unauthorized', 'Unauthorized']);
    expect(owned(401)).toEqual(['authentication.first']);
  });

  test('the wrong key that is let in is enough to see it, and comes before what it explains', () => {
    const [, , keyless, unknown] = judge({
      ...RIGHT,
      'createPet:key-absent': 400,
      'createPet:key-unknown': 201,
    });
    expect(keyless?.deviations[0]?.repetition).toEqual({
      kind: 'in-turn',
      exchanges: [4, 3],
    });
    expect(unknown?.deviations[0]).not.toHaveProperty('repetition');
  });

  test('an operation that is not there refuses nothing, whatever else is wrong', () => {
    const [, , keyless] = judge({
      'getPet:createPet:minimal': 404,
      'getPet:unknown': 404,
      'getPet:key-absent': 404,
    });
    expect(keyless).toMatchObject({ deviations: [], inconclusive: { cause: 'getPet.200' } });
  });
});

describe('a key that is accepted elsewhere is not refused', () => {
  const KNOWN = { 'listPets:plain': 200, 'listPets:key-absent': 401 };
  const last = (statuses: Record<string, number>, set?: string) => {
    const judged = judge(statuses, set).at(-1);
    return {
      owned: judged?.deviations.map(({ requirement }) => requirement),
      hidden: judged?.hidden.map(({ requirement }) => requirement),
    };
  };
  const ACCEPTED = 'authentication.accepted';
  const READ = 'getPet:createPet:minimal';

  test.each<[what: string, statuses: Record<string, number>, owned: string[], hidden: string[]]>([
    ['what nothing is shown of', { ...KNOWN, 'getStoreOrders:plain': 401 }, [ACCEPTED], []],
    ['a request that may get anything else', { ...KNOWN, 'listPets:limit=below': 401 }, [ACCEPTED], []],
    ['a 403 says something else', { ...KNOWN, 'getStoreOrders:plain': 403 }, [], []],
    ['what has another status due', { ...KNOWN, 'createPet:minimal': 401 }, ['createPet.201'], [ACCEPTED]],
    ['a refusal that is due, but another', { ...KNOWN, 'getPet:unknown': 401 }, ['getPet.404'], [ACCEPTED]],
    ['a key that nobody accepts', { 'createPet:minimal': 401, 'getStoreOrders:plain': 401 }, [], []],
    [
      'one that is accepted only where any is',
      { 'listPets:plain': 200, 'listPets:key-absent': 200, 'getStoreOrders:plain': 401 },
      [],
      [],
    ],
    [
      'what is open about an operation that refuses the key altogether',
      { 'createPet:minimal': 201, 'listPets:plain': 401, 'listPets:limit=below': 401 },
      [],
      [ACCEPTED],
    ],
  ])('%s', (_what, statuses, owned, hidden) => {
    expect(last(statuses)).toEqual({ owned, hidden });
  });

  test('it is fulfilled by whatever else the key gets', () => {
    const [list, keyless, orders] = judge({ ...KNOWN, 'getStoreOrders:plain': 403 });
    expect(list?.met).toContain(ACCEPTED);
    expect(orders?.met).toContain(ACCEPTED);
    expect(keyless?.met).not.toContain(ACCEPTED);
    const [, , refused] = judge({ ...KNOWN, 'getStoreOrders:plain': 401 });
    expect(refused).toMatchObject({ outcome: 'deviant', met: [] });
  });

  test('all else that is wrong with the refusal is still known', () => {
    const [, , refused] = judged({
      'listPets:plain': 200,
      'listPets:key-absent': 401,
      'getStoreOrders:plain': { response: { status: 401, headers: JSON_HEADERS.slice(0, 3) } },
    });
    expect(refused?.deviations).toMatchObject([{ requirement: ACCEPTED }]);
    expect(refused?.hidden).toMatchObject([{ requirement: 'X-RateLimit-Reset' }]);
  });

  test('a refusal whose body petspec did not read is one as well', () => {
    const unread = { response: { status: 401, body: '', unread: 'larger than petspec reads' } };
    expect(heldAgainst({ ...KNOWN, 'getStoreOrders:plain': unread })).toEqual([ACCEPTED]);
  });

  test.each<[what: string, answers: Answers, today: number, hidden: string[]]>([
    ['while the limit is used up, a 429 may be due', { 'getStoreOrders:exhaust': 401 }, 0, [ACCEPTED]],
    ['an operation that was removed may refuse anything', { [READ]: 401 }, Date.parse('2030-12-05'), []],
  ])('it is no finding of its own: %s', (_what, answers, today, hidden) => {
    const last = judged({ 'listPets:plain': 200, 'listPets:key-absent': 401, ...answers }, { today }).at(-1);
    expect(last?.deviations).toEqual([]);
    expect(last?.hidden.map(({ requirement }) => requirement)).toEqual(hidden);
  });

  test('what comes without a key at another spelling of an address does not show that the key is accepted', () => {
    const spelled = { ...probeNamed('listPets:key-absent'), spelling: 'slash' } as const;
    const orders = probeNamed('getStoreOrders:plain');
    const of = (probe: Probe, status: number) =>
      judgedOf(probe, exchangeOf(probe, { response: responseTo(probe.operation, { status }) }));
    const [, refused] = attributeRefusedKeys([of(spelled, 200), of(orders, 401)], loadContract());
    expect(refused).toEqual(of(orders, 401));
  });

  test('the set of 0.1.0 does not ask it', () => {
    expect(last({ ...KNOWN, 'getStoreOrders:plain': 401 }, '0.1.0')).toEqual({ owned: [], hidden: [] });
    expect(judge({ 'listPets:plain': 200 }, '0.1.0')[0]?.met).not.toContain(ACCEPTED);
  });
});
