import { describe, expect, test } from 'vitest';
import { contract, exchangeOf, judgedOf, probeNamed, probes } from '../../../test/exchanges/exchanges.ts';
import type { Level } from '../../model/contract.ts';
import type { Unsent } from '../../model/exchange.ts';
import type { Deviation, DeviationKind } from '../../model/finding.ts';
import { type Evidence, unexercised } from './check.ts';
import type { Judged } from './judged.ts';

const GOOD_PRACTICE = 'Pet.any';
const probe = probeNamed('listPets:plain');

const wrong = (kind: DeviationKind): Deviation => ({
  requirement: GOOD_PRACTICE,
  kind,
  reason: 'it is not as documented',
  expected: 'this',
  received: 'that',
});

/** What is found of a requirement that this run did not put to the test. */
function foundOf(judged: readonly Judged[], level: Level, unsent: readonly Unsent[] = []) {
  const requirement = {
    ...{ id: GOOD_PRACTICE, level, section: 'Pets', statement: 'It is so.', since: '0.1.0' },
    source: 'openapi' as const,
  };
  const evidence: Evidence = {
    contract: { ...contract, requirements: [...contract.requirements, requirement] },
    ...{ probes, today: 0, referencesKnown: true, judged, unsent },
    ...{ baseUrl: 'http://127.0.0.1/v1', sharedKey: false },
  };
  const isList = ({ operation }: { operation: string }) => operation === 'listPets';
  return unexercised(evidence, { requirement: 'listPets.any', probes: isList });
}

const blocked = { untested: 'blocked', cause: GOOD_PRACTICE };
const notBlocked = { status: 'met', exercised: false };
const inconclusive = { untested: 'inconclusive', reason: 'refused with 403' };
const refusal = { outcome: 'inconclusive', inconclusive: { reason: 'refused with 403' } };

describe('a response that is wrong in another way', () => {
  test.each<
    [
      what: string,
      mayRefuse: boolean,
      kind: DeviationKind | undefined,
      level: Level,
      as: object,
      found: object,
    ]
  >([
    ['in a body that is against good practice alone', true, 'shape', 'should', {}, notBlocked],
    ['in a body that the document forbids', true, 'shape', 'must', {}, blocked],
    ['in a header that is against good practice alone', true, 'header', 'should', {}, blocked],
    ['in the body of a refusal, whose reason says more', true, 'shape', 'must', refusal, inconclusive],
    ['in nothing', true, undefined, 'must', {}, notBlocked],
    ['in a body, where the interface says all', false, 'shape', 'should', {}, blocked],
    ['in a refusal, where the interface says all', false, 'shape', 'must', refusal, blocked],
    ['in nothing, where the interface says all', false, undefined, 'must', {}, notBlocked],
  ])('%s', (_what, mayRefuse, kind, level, as, found) => {
    const exchange = exchangeOf(probe, { id: 1, response: { status: 200, headers: [], body: '[]' } });
    const judged = judgedOf(probe, exchange, { deviations: kind ? [wrong(kind)] : [], ...as });
    const ofUser = { ...judged, operation: { ...judged.operation, mayRefuse } };
    expect(foundOf([ofUser], level)).toMatchObject({ ...found, evidence: [1] });
  });
});

test('of a request that was kept back several times, the first reason counts', () => {
  const unsent: Unsent[] = [
    { probe: probe.id, kind: 'value-unknown', reason: 'no value is known' },
    { probe: probe.id, kind: 'run-stopped', reason: 'the run was ended' },
  ];
  expect(foundOf([], 'must', unsent)).toMatchObject({
    untested: 'value-unknown',
    reason: 'no value is known',
  });
});
