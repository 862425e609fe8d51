import { describe, expect, test } from 'vitest';
import { contract, probeNamed } from '../../../test/exchanges/exchanges.ts';
import type { Judged } from '../evidence/judged.ts';
import { documentedStatus, isAcceptable, statusDeviations, statusRequirement } from './status.ts';

function of(name: string) {
  const probe = probeNamed(name);
  const operation = contract.operations.find(({ id }) => id === probe.operation);
  if (!operation) throw new Error(`no operation of ${name}`);
  return { probe, operation };
}

describe('the documented status that a status stands for', () => {
  test.each<[name: string, status: number, documented: string | undefined]>([
    ['listPets:plain', 200, '200'],
    ['listPets:plain', 201, undefined],
    ['listPets:plain', 404, undefined],
    ['sendMessage:minimal', 200, '2XX'],
    ['sendMessage:minimal', 299, '2XX'],
    ['sendMessage:minimal', 300, undefined],
    ['sendMessage:minimal', 400, '400'],
  ])('%s: %s', (name, status, documented) => {
    expect(documentedStatus(of(name).operation, status)).toBe(documented);
  });
});

test.each<[name: string, status: number, acceptable: boolean]>([
  ['listPets:plain', 200, true],
  ['listPets:plain', 401, false],
  ['listPets:plain', 302, false],
  ['sendMessage:minimal', 202, true],
  ['createPet:maximum', 201, true],
  ['createPet:maximum', 400, true],
  ['createPet:maximum', 422, false],
  ['listPets:limit=below', 200, true],
  ['listPets:limit=below', 418, true],
  ['listPets:limit=below', 499, true],
  ['listPets:limit=below', 500, false],
])('%s may get %s: %s', (name, status, acceptable) => {
  const { probe, operation } = of(name);
  expect(isAcceptable(probe, operation, status)).toBe(acceptable);
});

test('the requirement of a status that is not documented is that all are', () => {
  const { operation } = of('createPet:minimal');
  expect(statusRequirement(operation, '201')).toBe('createPet.201');
  expect(statusRequirement(operation, '401')).toBe('Unauthorized');
  expect(statusRequirement(operation, '418')).toBe('createPet.responses');
  expect(statusRequirement(operation, undefined)).toBe('createPet.responses');
});

describe('whose a wrong status is', () => {
  test.each<[name: string, status: number, requirement: string, words: string, expected: string]>([
    ['listPets:plain', 404, 'listPets.200', 'rejected with 404', 'status 200'],
    ['listPets:limit=maximum', 404, 'listPets.limit.maximum', 'rejected with 404', 'status 200'],
    ['listPets:limit=below', 503, 'listPets.responses', 'returned 503', 'a status below 500'],
    ['listPets:key-unknown', 200, 'authentication.key', 'accepted with 200', 'status 401'],
    ['listPets:key-unknown', 299, 'authentication.key', 'accepted with 299', 'status 401'],
    ['listPets:key-unknown', 300, 'Unauthorized', 'returned 300', 'status 401'],
    ['listPets:key-unknown', 101, 'Unauthorized', 'returned 101', 'status 401'],
    ['listPets:key-unknown', 403, 'Unauthorized', 'rejected with 403', 'status 401'],
    ['listPets:key-absent', 200, 'Unauthorized', 'accepted with 200', 'status 401'],
    ['createPet:name-missing', 201, 'NewPet.name', 'accepted with 201', 'status 400'],
    ['createPet:name-missing', 299, 'NewPet.name', 'accepted with 299', 'status 400'],
    ['createPet:name-missing', 422, 'createPet.400', 'rejected with 422', 'status 400'],
    ['createPet:name-missing', 199, 'createPet.400', 'returned 199', 'status 400'],
    ['getPet:unknown', 200, 'getPet.404', 'accepted with 200', 'status 404'],
    ['createPet:maximum', 200, 'createPet.201', 'returned 200', 'status 201 or 400'],
    ['createPet:maximum', 302, 'createPet.201', 'returned 302', 'status 201 or 400'],
    ['createPet:maximum', 399, 'createPet.201', 'returned 399', 'status 201 or 400'],
    ['createPet:maximum', 400, 'createPet.400', 'rejected with 400', 'status 201 or 400'],
    ['createPet:maximum', 422, 'createPet.400', 'rejected with 422', 'status 201 or 400'],
    ['createPet:maximum', 409, 'createPet.400', 'rejected with 409', 'status 201 or 400'],
    ['createPet:maximum', 499, 'createPet.400', 'rejected with 499', 'status 201 or 400'],
    ['createPet:unknown-field', 422, 'createPet.400', 'rejected with 422', 'status 201 or 400'],
    ['createPet:unknown-field', 409, 'createPet.201', 'rejected with 409', 'status 201 or 400'],
    ['createPet:maximum', 500, 'createPet.responses', 'returned 500', 'status 201 or 400'],
    ['getPet:listPets:plain', 400, 'getPet.200', 'rejected with 400', 'status 200 or 404'],
  ])('%s gets %s: %s', (name, status, requirement, words, expected) => {
    const { probe, operation } = of(name);
    expect(statusDeviations(probe, operation, { status, headers: [] }, [])[0]).toEqual({
      requirement,
      kind: 'status',
      reason: `${probe.title}: ${words}`,
      expected,
      received: `status ${status}`,
    });
  });

  test.each<[status: number | undefined, key: string, requirement: string]>([
    [200, 'absent', 'Unauthorized'],
    [299, 'absent', 'Unauthorized'],
    [300, 'absent', 'authentication.key'],
    [401, 'absent', 'authentication.key'],
    [undefined, 'absent', 'authentication.key'],
    [200, 'valid', 'authentication.key'],
  ])('a wrong key is let in where %s came with the key %s', (status, key, requirement) => {
    const { probe, operation } = of('listPets:key-unknown');
    const control = of(key === 'absent' ? 'listPets:key-absent' : 'listPets:plain').probe;
    const response = status === undefined ? {} : { response: { status, headers: [], body: '' } };
    const controls = [{ probe: control, exchange: response } as unknown as Judged];
    const [owner] = statusDeviations(probe, operation, { status: 200, headers: [] }, controls);
    expect(owner.requirement).toBe(requirement);
  });
});

describe('what else a wrong status contradicts', () => {
  test.each<[name: string, status: number | undefined, others: string[]]>([
    ['listPets:plain', 404, []],
    ['listPets:plain', 503, ['listPets.responses']],
    ['listPets:limit=maximum', 404, ['listPets.200']],
    ['listPets:limit=maximum', 500, ['listPets.200', 'listPets.responses']],
    ['listPets:limit=maximum', undefined, ['listPets.200']],
    ['listPets:limit=below', 503, []],
    ['listPets:key-unknown', 200, ['Unauthorized']],
    ['listPets:key-scheme', 200, ['Unauthorized']],
    ['listPets:key-unknown', 403, []],
    ['listPets:key-unknown', 500, ['listPets.responses']],
    ['getStoreOrders:key-absent', 200, []],
    ['listPets:key-absent', 200, ['authentication.first']],
    ['createPet:name-missing', 201, ['createPet.400']],
    ['createPet:name-missing', 422, []],
    ['createPet:name-missing', 302, ['NewPet.name']],
    ['createPet:name-missing', 500, ['NewPet.name', 'createPet.responses']],
    ['createPet:name-missing', undefined, ['NewPet.name']],
    ['getPet:unknown', 200, []],
    ['createPet:maximum', 422, []],
    ['createPet:maximum', 500, []],
  ])('%s gets %s: %j', (name, status, others) => {
    const { probe, operation } = of(name);
    const response = status === undefined ? undefined : { status, headers: [] };
    const [owner, ...rest] = statusDeviations(probe, operation, response, []);
    expect(rest).toEqual(others.map((requirement) => ({ ...owner, requirement })));
  });

  test('a wrong key that is let in as no key is asked for', () => {
    const { probe, operation } = of('listPets:key-unknown');
    const response = { status: 200, headers: [], body: '' };
    const control = { probe: of('listPets:key-absent').probe, exchange: { response } } as unknown as Judged;
    const found = statusDeviations(probe, operation, response, [control]);
    expect(found.map(({ requirement }) => requirement)).toEqual(['Unauthorized', 'authentication.key']);
  });

  test('no response is told in words', () => {
    const { probe, operation } = of('listPets:plain');
    expect(statusDeviations(probe, operation, undefined, [])[0]).toMatchObject({
      reason: 'without parameters: no response',
      received: 'no response',
    });
  });
});

test.each<[status: number, location: string | undefined, received: string]>([
  [300, '/elsewhere', 'status 300 to /elsewhere'],
  [302, '/elsewhere', 'status 302 to /elsewhere'],
  [399, '/elsewhere', 'status 399 to /elsewhere'],
  [302, undefined, 'status 302'],
  [299, '/pets/1', 'status 299'],
  [400, '/elsewhere', 'status 400'],
])('a status %s with Location %s : only a redirect leads somewhere', (status, location, received) => {
  const { probe, operation } = of('listPets:plain');
  const headers = location === undefined ? [] : [['Location', location] as const];
  expect(statusDeviations(probe, operation, { status, headers }, [])[0].received).toBe(received);
});
