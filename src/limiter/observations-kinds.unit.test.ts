import { describe, expect, test } from 'vitest';
import { inTurn, responded, trackedWith } from '../../test/limiters/tracked.ts';
import type { Exchange } from '../model/exchange.ts';
import { isFromCache } from './observations.ts';

const aged = (age: string): Partial<Exchange> => ({
  response: { status: 200, headers: [['Age', age]], body: '' },
});

const VARIED = { variation: 'query' as never };

describe('requests count alike if they have the same', () => {
  test.each<[what: string, exchanges: Exchange[], kinds: string[]]>([
    ['operation and status', inTurn([200], [404]), ['listPets, 200', 'listPets, 404, again']],
    [
      'address, if they are read again',
      inTurn([200], [200], [200, { url: 'http://127.0.0.1/v1/pets?limit=1' }]),
      ['listPets, 200', 'listPets, 200, again', 'listPets, 200'],
    ],
    [
      'Age, if a cache may have kept them',
      inTurn([200, aged('0')], [200, aged('3')], [200, { ...aged('3'), method: 'POST' }]),
      ['listPets, 200, new in a cache', 'listPets, 200, from a cache, again', 'listPets, 200'],
    ],
    [
      'operation, if they write',
      inTurn([201, { method: 'POST' }], [201, { method: 'POST' }]),
      ['listPets, 201', 'listPets, 201'],
    ],
    [
      'operation, if they are varied',
      inTurn([200, VARIED], [200], [200, VARIED]),
      ['listPets, 200', 'listPets, 200', 'listPets, 200'],
    ],
    [
      'operation, if the key is rejected',
      inTurn([401, { key: 'absent' }], [401, { key: 'absent' }]),
      ['a rejected key, listPets', 'a rejected key, listPets'],
    ],
    ['operation, if a wrong key is not', inTurn([200, { key: 'absent' }]), ['a wrong key, listPets']],
  ])('%s', (_what, exchanges, kinds) => {
    expect(trackedWith(exchanges).map(({ kind }) => kind)).toEqual(kinds);
  });

  test('probe, if its address is spelled differently', () => {
    const exchanges = inTurn(
      [200],
      [200, { probe: 'listPets:case' }],
      [404, { probe: 'listPets:slash' }],
      [200, { probe: 'listPets:case' }],
    );
    const observations = trackedWith(exchanges, 'minute', 60, ({ probe }) => probe !== 'listPets:plain');
    expect(observations.map(({ kind }) => kind)).toEqual([
      'listPets, 200',
      'another spelling, listPets:case',
      'another spelling, listPets:slash',
      'another spelling, listPets:case',
    ]);
  });

  test('failure', () => {
    const { response: _, ...lost } = responded(0, 1, 200);
    expect(trackedWith([lost, { ...lost, key: 'absent' }]).map(({ kind }) => kind)).toEqual([
      'listPets, no response',
      'a wrong key, listPets',
    ]);
  });
});

test.each<[what: string, change: Partial<Exchange>, isCached: boolean]>([
  ['with an Age comes from a cache', aged('3'), true],
  ['that is new comes from the service', aged('0'), false],
  ['without an Age comes from the service', {}, false],
  ['that never came comes from no cache', { response: undefined }, false],
])('a response %s', (_what, change, isCached) => {
  expect(isFromCache(responded(0, 1, 200, change))).toBe(isCached);
});
