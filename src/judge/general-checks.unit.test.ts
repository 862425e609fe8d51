import { describe, expect, test } from 'vitest';
import { contract, exchangeOf, judgedOf, probeNamed, responseTo } from '../../test/exchanges/exchanges.ts';
import { evidenceOf } from '../../test/exchanges/suite-evidence.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import { met, notTested } from '../model/finding.ts';
import { findReads } from '../probes/reads/find-reads.ts';
import { generalChecks, withMissingValues } from './checks-of.ts';
import type { Check } from './evidence/check.ts';

const { isComplete: _, ...incomplete } = contract;

const GENERAL = [
  ...['service.http', 'service.content-type', 'service.json', 'authentication.key'],
  ...['rate-limit.enforced', 'rate-limit.recovery', 'open.refusals'],
];

function requirement(id: string, change: Partial<Requirement> = {}): Requirement {
  return {
    id,
    level: 'must',
    section: 'Every operation',
    statement: 's',
    source: 'listed',
    since: '0.1.0',
    ...change,
  };
}

/** A document with these requirements. */
const withRequirements = (...requirements: Requirement[]): Contract => ({ ...incomplete, requirements });
const general = withRequirements(...GENERAL.map((id) => requirement(id)));

function checkOf(id: string, of: Contract = general): Check {
  const check = generalChecks(of).find((each) => each.requirement === id);
  if (!check) throw new Error(`no check of ${id}`);
  return check;
}

describe('what holds for every service', () => {
  test('is judged if the document has the requirement', () => {
    expect(generalChecks(general).map((each) => each.requirement)).toEqual(GENERAL);
    const [first] = generalChecks(withRequirements(requirement('service.json')));
    expect(first?.requirement).toBe('service.json');
    expect(generalChecks(withRequirements())).toEqual([]);
  });

  test.each(['service.http', 'service.content-type', 'service.json'])('%s: of every exchange', (id) => {
    expect(checkOf(id).phase).toBe('every-exchange');
    expect(checkOf(id).probes(probeNamed('listPets:key-absent'))).toBe(true);
  });

  test('a wrong key: of the requests that are about it', () => {
    const probe = probeNamed('listPets:key-unknown');
    expect(checkOf('authentication.key').probes({ ...probe, rule: 'authentication.key' })).toBe(true);
    expect(checkOf('authentication.key').probes({ ...probe, rule: 'authentication.scheme' })).toBe(false);
  });

  test.each(['rate-limit.enforced', 'rate-limit.recovery'])(
    '%s: of what uses up the limit, and comes after',
    (id) => {
      const looked = ['listPets:plain', 'listPets:exhaust', 'listPets:recover', 'listPets:limit=above'];
      expect(looked.filter((each) => checkOf(id).probes(probeNamed(each)))).toEqual(looked.slice(1, 3));
      expect(checkOf(id).phase).toBe('limiter');
      expect(checkOf(id).judge(evidenceOf([]))).toMatchObject({ status: 'not-tested' });
    },
  );
});

describe('refusals of valid requests', () => {
  const seen = (statuses: readonly number[], { path = '/pets', probe = 'listPets:plain' } = {}) =>
    statuses.map((status, index) => {
      const judged = judgedOf(
        probeNamed(probe),
        exchangeOf(probeNamed(probe), { id: index + 1, response: responseTo('listPets', { status }) }),
      );
      return { ...judged, operation: { ...judged.operation, path, mayRefuse: true as const } };
    });
  const observed = (...judged: ReturnType<typeof seen>) =>
    checkOf('open.refusals').judge({ ...evidenceOf([]), judged }).observed;

  test('each once, by its operation', () => {
    expect(observed(...seen([402, 200, 402, 403]), ...seen([402], { path: '/shelves' }))).toBe(
      'GET /pets: 402, GET /pets: 403, GET /shelves: 402',
    );
  });

  test('not a wrong request that is refused with another status than is due, one with a wrong key, nor one that uses up the limit', () => {
    const { probes } = checkOf('open.refusals');
    const right = probeNamed('listPets:plain');
    const others = [
      { ...right, validity: 'invalid' as const },
      { ...right, key: 'unknown' as const },
      { ...right, stage: 'exhaust' as const },
    ];
    expect([right, ...others].map(probes)).toEqual([true, false, false, false]);
  });

  test('the first 20', () => {
    const statuses = Array.from({ length: 21 }, (_, index) => 430 + index);
    const expected = statuses.slice(0, 20).map((status) => `GET /pets: ${status}`);
    expect(observed(...seen(statuses))).toBe(expected.join(', '));
  });

  test('not those of requests without the right key, and none where nothing is refused', () => {
    expect(observed(...seen([200]), ...seen([403], { probe: 'listPets:key-unknown' }))).toBe(
      'no response showed this',
    );
  });
});

test('a response that the document lists, without saying when it comes, is counted', () => {
  const of = withRequirements(requirement('getPet.404', { level: 'open' }), requirement('getPet.200'));
  expect(generalChecks(of).map((each) => each.requirement)).toEqual(['getPet.404']);
  const looked = ['getPet:unknown', 'listPets:plain'].map((name) => probeNamed(name));
  expect(looked.map(checkOf('getPet.404', of).probes)).toEqual([true, false]);
  const get = (status: number) => ({
    ...{ probe: 'getPet:unknown', status, body: { code: 'c', message: 'm', status } },
  });
  const judge = (...statuses: number[]) => {
    const list = { probe: 'listPets:plain', body: [] };
    return checkOf('getPet.404', of).judge(evidenceOf([list, ...statuses.map(get)]));
  };
  expect(judge(404, 410, 404)).toMatchObject({ status: 'observed', observed: '2 of 3 responses' });
  expect(judge(410)).toMatchObject({ observed: 'no response showed this' });
});

describe('an operation that cannot be asked', () => {
  /** No list shows the ids of animals. */
  const unlisted: Contract = {
    ...incomplete,
    operations: incomplete.operations.filter(({ id }) => id !== 'listPets'),
    requirements: [
      requirement('getPet.200', { operation: 'getPet' }),
      requirement('getPet.petId', { operation: 'getPet' }),
      requirement('getStoreOrders.responses', { operation: 'getStoreOrders' }),
      ...['Pet.name', 'nowhere'].map((id) => requirement(id)),
    ],
  };
  const alone: Contract = {
    ...unlisted,
    operations: unlisted.operations.filter(({ id }) => id === 'getPet'),
  };
  const missing = findReads(unlisted).missing.get('getPet') ?? 'nothing is missing';
  const unplanned = notTested('not-planned', 'no request of this run tests it');
  const judged = (id: string, of = unlisted, finding = unplanned) => {
    const check: Check = {
      requirement: id,
      phase: 'functional',
      probes: () => false,
      needs: [],
      judge: () => finding,
    };
    return withMissingValues([check], of, findReads(of).missing)[0]?.judge(evidenceOf([]));
  };

  test.each(['getPet.200', 'getPet.petId'])('%s says what is missing', (id) => {
    expect(judged(id)).toEqual(notTested('value-unknown', missing));
    expect(missing).toMatch(/petId/);
  });

  test('so does a part of a body that only it shows', () => {
    expect(judged('Pet.name', alone)).toEqual(
      notTested('value-unknown', findReads(alone).missing.get('getPet') ?? ''),
    );
    expect(judged('Pet.name')).toBe(unplanned);
    expect(judged('Pet.name', { ...unlisted, operations: unlisted.operations.toReversed() })).toBe(unplanned);
  });

  test.each(['getStoreOrders.responses', 'nowhere'])('nothing is missing for %s', (id) => {
    expect(judged(id)).toBe(unplanned);
  });

  test('what was judged anyway stays as it is', () => {
    for (const finding of [met([1]), notTested('inconclusive', 'r')])
      expect(judged('getPet.200', unlisted, finding)).toBe(finding);
  });
});
