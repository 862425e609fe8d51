import { describe, expect, test } from 'vitest';
import { contract, probes, RATE_HEADERS } from '../../../test/exchanges/exchanges.ts';
import { type Answer, heldAgainst, judge } from '../../../test/exchanges/judged-answers.ts';
import type { Operation } from '../../model/contract.ts';
import { expecting, SOME_REFUSAL } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';

/** A document that asks for a key, and documents no 401: nothing says with which status a wrong key is rejected. */
function withoutStatus(each: Operation): Operation {
  const responses = each.responses.filter(({ status }) => status !== '401' && status !== '429');
  return { ...each, mayRefuse: true, responses };
}

const lenient = {
  contract: { ...contract, operations: contract.operations.map(withoutStatus) },
  probes: probes.map((each): Probe => {
    if (each.key === 'valid') return each;
    const { rule: _, ...probe } = each;
    const key = each.key === 'absent' ? { rule: `${each.operation}.key` } : {};
    return { ...probe, ...key, expectation: SOME_REFUSAL };
  }),
};

const heldFor = (name: string, answer: Answer) =>
  heldAgainst({ 'listPets:plain': 200, [name]: answer }, lenient);

describe('where nothing says how a wrong key is rejected', () => {
  test.each([300, 302, 400, 401, 403, 404])('%s rejects it', (status) => {
    expect(heldFor('listPets:key-absent', status)).toEqual([]);
    expect(heldFor('listPets:key-unknown', status)).toEqual([]);
  });

  test.each([200, 204, 299])('%s lets it in', (status) => {
    expect(heldFor('listPets:key-absent', status)).toEqual(['listPets.key']);
    expect(heldFor('listPets:key-unknown', status)).toEqual(['listPets.key']);
  });

  test.each([500, 503])('%s is a service that breaks, which is one fault', (status) => {
    expect(heldFor('listPets:key-absent', status)).toEqual(['listPets.responses']);
  });

  test('a 429 says nothing of the key', () => {
    expect(heldFor('listPets:key-absent', 429)).toMatch(/refused with 429/);
  });

  test('the body of a redirect may be a page, and the body of a success may not', () => {
    const page = (status: number) => ({ response: { status, headers: [], body: '<p>' } });
    expect(heldFor('listPets:key-absent', page(302))).toEqual([]);
    expect(judge({ 'listPets:plain': page(200) }, lenient)[0]?.deviations).not.toEqual([]);
  });
});

describe('a redirect that is documented with a body', () => {
  /** The document lists a redirect, with the body of a success. */
  const redirecting = {
    ...lenient,
    contract: {
      ...contract,
      operations: lenient.contract.operations.map((each) => ({
        ...each,
        responses: [
          ...each.responses,
          ...each.responses.slice(0, 1).map((first) => ({ ...first, status: '302' })),
        ],
      })),
    },
  };
  const page = { response: { status: 302, headers: RATE_HEADERS, body: '<p>' } };

  test('may lead to a login with a page, where it rejects a wrong key', () => {
    const answers = { 'listPets:plain': 200, 'listPets:key-absent': page };
    expect(heldAgainst(answers, redirecting)).toEqual([]);
  });

  test('has that body where a right request is redirected', () => {
    const due = redirecting.probes.map((each) =>
      each.id === 'listPets:plain' ? { ...each, expectation: expecting(['302']) } : each,
    );
    const heldFor = (answer: Answer) =>
      heldAgainst({ 'listPets:plain': answer }, { ...redirecting, probes: due });
    expect(heldFor(page)).toEqual(['service.content-type']);
    expect(heldFor({ response: { status: 302, body: '[]' } })).toEqual([]);
  });
});

test('what the right key gets is not about the key', () => {
  expect(heldAgainst({ 'listPets:plain': 500 }, lenient)).toEqual(['listPets.200']);
});

test('the body of a rejection is judged where its status is documented', () => {
  const rejected = (body: string) =>
    heldAgainst(
      { 'createPet:minimal': 201, 'createPet:key-absent': { response: { status: 400, body } } },
      lenient,
    );
  expect(rejected('{"code":"c","message":"m","status":400}')).toEqual([]);
  expect(rejected('{}')).toEqual(['Error']);
});

describe('a rejection by a service that rejects the right key as well shows nothing', () => {
  const rejected = (right: Answer) =>
    judge({ 'listPets:plain': right, 'listPets:key-absent': 403 }, lenient)[1]?.met.includes('listPets.key');

  test.each<[right: number, isShown: boolean]>([
    [200, true],
    [403, false],
    [404, false],
  ])('the right key gets %s', (right, isShown) => {
    expect(rejected(right)).toBe(isShown);
  });
});
