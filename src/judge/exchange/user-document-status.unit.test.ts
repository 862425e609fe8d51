import { describe, expect, test } from 'vitest';
import { contract, probeNamed } from '../../../test/exchanges/exchanges.ts';
import { heldAgainst, judge } from '../../../test/exchanges/judged-answers.ts';
import type { Operation } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import type { Circumstances } from '../evidence/judged.ts';
import { documentedStatus, isAcceptable, isRefusedForNow, statusDeviations } from './status.ts';

/** A probe of an operation that may refuse any request, as in a document that does not say when a 4xx comes. */
function of(name: string, change: Partial<Probe> = {}, ...listed: string[]) {
  const probe: Probe = { ...probeNamed(name), ...change };
  const own = contract.operations.find(({ id }) => id === probe.operation);
  const [first] = own?.responses ?? [];
  if (!own || !first) throw new Error(`no operation of ${name}`);
  const others = listed.map((status) => ({ ...first, status, requirement: `${own.id}.${status}` }));
  const operation: Operation = { ...own, mayRefuse: true, responses: [...own.responses, ...others] };
  return { probe, operation };
}

test.each<[status: number, listed: string[], documented: string | undefined]>([
  [200, ['DEFAULT'], '200'],
  [404, ['DEFAULT', '4XX'], '4XX'],
  [404, ['DEFAULT'], 'DEFAULT'],
  [404, [], undefined],
])('a status %s stands for what is listed beside %j: %s', (status, listed, documented) => {
  expect(documentedStatus(of('listPets:plain', {}, ...listed).operation, status)).toBe(documented);
});

describe('a service that refuses for now what is asked for', () => {
  const either = { expectation: expecting(['200', 'DEFAULT']) };

  test.each<[status: number, isRefused: boolean, what: string, sent: ReturnType<typeof of>]>([
    [299, false, 'a success', of('listPets:plain', {}, '2XX')],
    [300, true, 'a redirect that is listed', of('listPets:plain', {}, '300')],
    [302, true, 'a redirect that is listed', of('listPets:plain', {}, '302')],
    [307, true, 'a redirect whose class is listed', of('listPets:plain', {}, '3XX')],
    [302, false, 'a redirect that is not listed', of('listPets:plain', {}, '307')],
    [
      302,
      false,
      'a redirect for which only the entry for all others stands',
      of('listPets:plain', {}, 'DEFAULT'),
    ],
    [400, true, 'a 4xx that is not listed', of('listPets:plain')],
    [403, true, 'a 4xx that is not listed', of('listPets:plain')],
    [
      404,
      true,
      'a 4xx for which only the entry for all others stands',
      of('listPets:plain', either, 'DEFAULT'),
    ],
    [404, false, 'a 4xx that is due', of('getPet:unknown')],
    [401, true, 'a 4xx that is listed, and not due', of('getPet:unknown')],
    [500, false, 'a 5xx that is not listed', of('listPets:plain', {}, '503')],
    [503, true, 'a 5xx that is listed', of('listPets:plain', {}, '503')],
    [503, true, 'a 5xx whose class is listed', of('listPets:plain', {}, '5XX')],
    [503, false, 'a 5xx for which only the entry for all others stands', of('listPets:plain', {}, 'DEFAULT')],
    [400, false, 'a refusal of what a parameter may be', of('listPets:limit=maximum')],
    [422, false, 'a refusal of what a parameter may be', of('listPets:limit=maximum')],
    [403, true, 'a refusal that is not about the parameter', of('listPets:limit=maximum')],
    [422, true, 'a refusal of what a field may not be', of('createPet:name-missing')],
    [403, false, 'what is open anyway', of('listPets:limit=below')],
    [
      404,
      true,
      'a 4xx that is listed by itself, where another one of its class is due',
      of('listPets:plain', { expectation: expecting(['200'], ['4XX']) }, '404', '4XX'),
    ],
  ])('%s: %s, as %s', (status, isRefused, _what, { probe, operation }) => {
    expect(isRefusedForNow(probe, operation, status)).toBe(isRefused);
  });

  const versioned = { headers: [['If-None-Match', '"1"']] } as const;

  test.each<[status: number, isRefused: boolean, what: string, sent: ReturnType<typeof of>]>([
    [304, true, 'a request that names a version', of('listPets:plain', versioned)],
    [302, false, 'a request that names a version', of('listPets:plain', versioned)],
    [304, false, 'a request that names none', of('listPets:plain')],
    [304, false, 'a request for which all is open', of('listPets:limit=below', versioned)],
  ])('%s is about the version: %s, of %s', (status, isRefused, _what, { probe, operation }) => {
    expect(isRefusedForNow(probe, operation, status)).toBe(isRefused);
  });

  test('does so only where the document leaves it open', () => {
    const { probe, operation } = of('listPets:plain');
    const { mayRefuse: _, ...strict } = operation;
    expect(isRefusedForNow(probe, strict, 403)).toBe(false);
  });
});

test.each<[status: number, acceptable: boolean]>([
  [200, true],
  [302, true],
  [399, true],
  [400, false],
  [404, false],
  [500, false],
])('the entry for all others accepts no error: %s: %s', (status, acceptable) => {
  const { probe, operation } = of(
    'listPets:plain',
    { expectation: expecting(['200', 'DEFAULT']) },
    'DEFAULT',
  );
  expect(isAcceptable(probe, operation, status)).toBe(acceptable);
});

test('an error that is listed by its class may be accepted', () => {
  const { probe, operation } = of(
    'listPets:plain',
    { expectation: expecting([], ['4XX']) },
    '4XX',
    'DEFAULT',
  );
  expect([400, 404].map((status) => isAcceptable(probe, operation, status))).toEqual([true, true]);
});

test.each<[name: string, status: number | undefined, owners: string[]]>([
  ['createPet:name-missing', 500, ['createPet.responses']],
  ['createPet:name-missing', 302, ['createPet.400', 'NewPet.name']],
  ['createPet:name-missing', 422, ['createPet.400']],
  ['createPet:name-missing', 201, ['NewPet.name', 'createPet.400']],
  ['createPet:name-missing', undefined, ['createPet.400', 'NewPet.name']],
  ['listPets:limit=maximum', 400, ['listPets.limit.maximum']],
  ['listPets:limit=maximum', 302, ['listPets.limit.maximum', 'listPets.200']],
])('where anything may be refused, %s gets %s: %j', (name, status, owners) => {
  const { probe, operation } = of(name);
  const response = status === undefined ? undefined : { status, headers: [] };
  const found = statusDeviations(probe, operation, response, []);
  expect(found.map(({ requirement }) => requirement)).toEqual(owners);
});

test.each<[validity: Probe['validity'], owners: string[]]>([
  ['open', ['createPet.responses']],
  ['valid', ['createPet.201', 'createPet.responses']],
])('a 5xx contradicts a success as well, unless what is due is left open: %s: %j', (validity, owners) => {
  const { probe, operation } = of('createPet:minimal', { validity });
  const found = statusDeviations(probe, operation, { status: 500, headers: [] }, []);
  expect(found.map(({ requirement }) => requirement)).toEqual(owners);
});

test.each<[name: string, status: number, change: Partial<Operation>, words: string]>([
  [
    'listPets:plain',
    401,
    { needsNoKey: true },
    'rejected with 401, although its `security: []` says that it needs no key',
  ],
  ['listPets:plain', 403, { needsNoKey: true }, 'rejected with 403'],
  ['createPet:name-missing', 401, { needsNoKey: true }, 'rejected with 401'],
  ['listPets:plain', 401, {}, 'rejected with 401'],
])('%s gets %i, where the document says %o of keys: %s', (name, status, change, words) => {
  const { probe, operation } = of(name);
  const [owner] = statusDeviations(probe, { ...operation, ...change }, { status, headers: [] }, []);
  expect(owner.reason).toBe(`${probe.title}: ${words}`);
});

describe('a response is judged as one that may be a refusal', () => {
  /** What the document of the animal store says, if it did not say when a request is refused, and some of it were not listed. */
  const withOperations = (change: (operation: Operation) => Operation) => ({
    contract: { ...contract, operations: contract.operations.map(change) },
  });
  const lenient = withOperations((each) => ({ ...each, mayRefuse: true }));
  const redirecting = withOperations((each) => ({
    ...each,
    mayRefuse: true,
    responses: [
      ...each.responses,
      ...each.responses.slice(0, 1).map((first) => ({ ...first, status: '302' })),
    ],
  }));
  const unlisted = (each: Operation) => ({
    ...each,
    responses: each.responses.filter(({ status }) => status !== '429'),
  });
  const { title } = probeNamed('listPets:plain');

  test.each<
    [what: string, status: number, circumstances: Partial<Circumstances>, held: readonly string[] | string]
  >([
    ['a refusal', 403, lenient, `${title}: refused with 403`],
    ['a refusal without a reason', 400, lenient, `${title}: refused with 400`],
    ['a redirect that is listed', 302, redirecting, `${title}: redirected with 302`],
    ['a 5xx', 500, lenient, ['listPets.200']],
    ['a refusal by the rate limit', 429, lenient, 'the rate limit refused the request'],
    [
      'a 429 that is not listed',
      429,
      withOperations((each) => ({ ...unlisted(each), mayRefuse: true })),
      `${title}: refused with 429`,
    ],
    ['a 429 that is not listed, where nothing is refused', 429, withOperations(unlisted), ['listPets.200']],
  ])('%s', (_what, status, circumstances, held) => {
    expect(heldAgainst({ 'listPets:plain': status }, circumstances)).toEqual(held);
  });

  test('what refuses fulfills what holds for every response, and need not have the headers', () => {
    const answer = { response: { status: 403, headers: [], body: '<p>' } };
    const [refused] = judge({ 'listPets:plain': answer }, lenient);
    expect(refused).toMatchObject({
      outcome: 'inconclusive',
      met: ['service.http'],
      deviations: [],
      hidden: [],
    });
  });
});
