import { describe, expect, test } from 'vitest';
import { exchangeOf, probeNamed } from '../../test/exchanges/exchanges.ts';
import { type Answer, contract, falling, shown } from '../../test/limiters/limited-runs.ts';
import type { Contract, DocumentedResponse } from '../model/contract.ts';
import { whole } from '../model/large/steps.ts';
import { derivingChecks, ownedCheck, responsesByRequirement } from './derived-checks.ts';

const derivedChecks = whole(derivingChecks);

/** The interface as a document that does not say of all responses when they come. */
const { isComplete: _, ...incomplete } = contract;

const checkOf = (requirement: string, of: Contract = incomplete) =>
  derivedChecks(of).find((each) => each.requirement === requirement);

test('what such a document lists without saying when it comes has no check', () => {
  const requirements = contract.requirements.map((each) =>
    each.id === 'getPet.404' ? { ...each, level: 'open' as const } : each,
  );
  expect(checkOf('getPet.404', { ...incomplete, requirements })).toBeUndefined();
  expect(checkOf('getPet.404', { ...contract, requirements })).toBeDefined();
  expect(checkOf('getPet.200', { ...incomplete, requirements })).toBeDefined();
});

test('a response that is due is shown by the requests that are due it, wrong ones as well', () => {
  const names = ['createPet:name-missing', 'createPet:minimal', 'listPets:plain', 'listPets:key-absent'];
  const shownBy = (id: string) => names.filter((name) => checkOf(id)?.probes(probeNamed(name)));
  expect(shownBy('createPet.400')).toEqual(['createPet:name-missing']);
  expect(shownBy('createPet.201')).toEqual(['createPet:minimal']);
});

test.each<[what: string, body: Partial<DocumentedResponse>, ids: string[]]>([
  ['nothing else, if it has no body', {}, []],
  ['that its body is as documented', { schema: {} }, ['body']],
  [
    'each field of its body, which is its own if the schema has no name',
    { schema: { type: 'object', properties: { code: {}, text: {} } } },
    ['body', 'body.code', 'body.text'],
  ],
])('each of two responses shows that it came, and %s', (_what, body, ids) => {
  const operations = contract.operations.slice(0, 2).map((operation) => {
    const requirement = `${operation.id}.404`;
    const bodyRequirement = body.schema ? { bodyRequirement: `${requirement}.body` } : {};
    const response = { status: '404', requirement, description: '', section: 's', headers: [], links: [] };
    return { ...operation, responses: [{ ...response, ...body, ...bodyRequirement }] };
  });
  const expected = ['listPets.404', 'createPet.404'].flatMap((id) => [
    id,
    ...ids.map((each) => `${id}.${each}`),
  ]);
  expect([...responsesByRequirement({ ...contract, operations }).keys()]).toEqual(expected);
});

describe('a part of a body', () => {
  test('is shown by any request that is not wrong, of an operation that has it', () => {
    const names = ['listPets:plain', 'listPets:limit=below', 'createPet:name-missing', 'sendMessage:minimal'];
    const looked = names.filter((name) => checkOf('Pet.id')?.probes(probeNamed(name)));
    expect(looked).toEqual(['listPets:plain', 'listPets:limit=below']);
  });

  test('is in order if a right response has it, whatever others lack', () => {
    expect(checkOf('Pet.id')?.judge(shown([{ status: 404 }, { remaining: 5 }]))).toEqual({
      status: 'met',
      exercised: false,
      reason: 'no response could have shown a violation',
      evidence: [2],
    });
    expect(checkOf('Pet.id')?.judge(shown([{ status: 404 }]))).toMatchObject({ status: 'not-tested' });
    const elsewhere = shown([{ status: 404 }, { operation: 'sendMessage', status: 200 }]);
    expect(checkOf('Pet.id')?.judge(elsewhere)).toMatchObject({ status: 'not-tested' });
  });
});

test('a header is shown by any response of an operation that has it, whatever the request is about', () => {
  expect(checkOf('X-RateLimit-Limit')?.phase).toBe('every-exchange');
  expect(checkOf('X-RateLimit-Limit')?.probes(probeNamed('createPet:name-missing'))).toBe(true);
});

describe('a header that only a 429 has', () => {
  const judged = (...answers: Answer[]) => checkOf('Retry-After')?.judge(shown(answers));

  test('has nothing to do with what a wrong request gets, if others are right', () => {
    expect(judged({ status: 500 }, { remaining: 5 })).toEqual({
      status: 'met',
      exercised: false,
      reason: 'no response could have shown a violation',
      evidence: [2],
    });
    expect(judged({ remaining: 5 }, { key: 'absent', status: 200 })).toMatchObject({ status: 'met' });
  });

  test('is not tested if nothing is right, or if the limit was not used up as it should be', () => {
    expect(judged({ status: 500 })).toMatchObject({ status: 'not-tested' });
    const broken = judged({ remaining: 5 }, { stage: 'exhaust', status: 500 });
    expect(broken).toMatchObject({ status: 'not-tested', untested: 'blocked' });
  });

  test('is violated by a 429 without it', () => {
    expect(judged({ status: 500 }, { remaining: 5 }, { status: 429 })).toMatchObject({ status: 'violated' });
  });
});

describe('how often reads fail', () => {
  const silent: Answer = { limit: undefined, remaining: 5 };
  const reasonOf = (wrong: readonly Answer[], right: number) =>
    ownedCheck('X-RateLimit-Limit', () => true).judge(
      shown([...wrong, ...falling(Array.from({ length: right }, () => 5))]),
    ).reason;

  test.each<[what: string, wrong: Answer[], right: number, words: string]>([
    ['rarely', [silent], 25, ' (1 of 26 reads)'],
    ['a quarter of them', Array(7).fill(silent), 21, ' (7 of 28 reads)'],
    ['more than a quarter', Array(8).fill(silent), 22, ''],
    ['one of few', [silent], 24, ''],
    ['rarely, and something else as well', [silent, { ...silent, key: 'absent', status: 401 }], 30, ''],
  ])('%s', (_what, wrong, right, words) => {
    expect(reasonOf(wrong, right)).toBe(`X-RateLimit-Limit is absent${words}`);
  });
});

test('a finding about the media type of refusals names no wrong bodies', () => {
  const operations = contract.operations.map((each) => ({ ...each, mayRefuse: true as const }));
  const of = { ...contract, operations };
  const probes = ['createPet:name-missing', 'createPet:name-null'].map((name) => ({
    ...probeNamed(name),
    rule: 'createPet.body',
  }));
  const judged = (requirement: string) => {
    const deviation = { requirement, kind: 'status' as const, reason: 'wrong', expected: '', received: '' };
    const evidence = shown([]);
    const operation = of.operations.find(({ id }) => id === 'createPet') ?? of.operations[0];
    if (!operation) throw new Error('no operation');
    const wrong = probes.map((probe, index) => ({
      exchange: exchangeOf(probe, { id: index + 1 }),
      probe,
      operation,
      met: [],
      deviations: [deviation],
      hidden: [],
      outcome: 'deviant' as const,
    }));
    return ownedCheck(requirement, () => true).judge({ ...evidence, judged: wrong }).reason;
  };
  expect(judged('service.content-type')).toBe('wrong');
  expect(judged('createPet.body')).toMatch(/^wrong; also /);
});
