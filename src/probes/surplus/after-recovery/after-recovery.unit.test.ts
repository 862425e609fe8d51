import { expect, test } from 'vitest';
import { allChecks } from '../../../../suites/index.ts';
import { loadContract } from '../../../contract/load.ts';
import { afterRecoveryOf, probesOf } from '../../../run/plan/probes.ts';

const contract = loadContract();
const checks = allChecks(contract);
const SEEDS = [0, 1, 2, 3];

/** What fits into the next window of the smallest plan beside what sees findings again. */
const ROOM = 42;

const probesWith = (seed: number) => afterRecoveryOf(contract, checks, seed);
const bodiesOf = (seed: number) =>
  probesWith(seed)
    .filter(({ key }) => key === 'valid')
    .slice(0, ROOM)
    .flatMap(({ body, query }) => [body, ...query.map((pair) => pair.join('='))]);

test.each(SEEDS)('what is certain has room on every plan, whatever the seed: seed %i', (seed) => {
  const sent = bodiesOf(seed);
  for (const json of [{}, 'Rex', false, [], '']) expect(sent).toContainEqual({ json });
  expect(sent).toContainEqual({ text: expect.stringMatching(/^\{.*\} x$/) });
  expect(sent).toContain('limit=-1');
  expect(sent).toContain('limit=99999999999999999999');
  for (const value of [false, [], {}])
    expect(sent).toContainEqual({ json: expect.objectContaining({ name: value }) });
  for (const value of ['', false, [], {}])
    expect(sent).toContainEqual({ json: expect.objectContaining({ categoryId: value }) });
  for (const value of ['', false, [], {}])
    expect(sent).toContainEqual({ json: expect.objectContaining({ status: value }) });
});

test.each(SEEDS)('no probe has the id of another one: seed %i', (seed) => {
  const ids = [...probesOf(contract, checks, seed), ...probesWith(seed)].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('open inputs ride together, on what is open alone', () => {
  const ridden = probesWith(0).map((probe) => ({
    ...probe,
    odd: (probe.variations ?? []).filter(({ kind }) => kind === 'undocumented').length,
  }));
  expect(ridden.filter(({ odd }) => odd > 0).length).toBeGreaterThan(5);
  for (const { odd, validity } of ridden.filter(({ odd: number }) => number > 0)) {
    expect(odd).toBeGreaterThan(5);
    expect(validity).toBe('open');
  }
});

test.each(SEEDS)('every wrong key goes to every operation, with those of the plan: seed %i', (seed) => {
  const all = [...probesOf(contract, checks, seed), ...probesWith(seed)];
  const kinds = new Set(all.map(({ key }) => key).filter((key) => key !== 'valid'));
  expect(kinds.size).toBe(9);
  for (const operation of ['listPets', 'createPet', 'getPet', 'getStoreOrders']) {
    const sent = all.filter((each) => each.operation === operation && each.key !== 'valid' && !each.spelling);
    expect(new Set(sent.map(({ key }) => key))).toEqual(kinds);
  }
});
