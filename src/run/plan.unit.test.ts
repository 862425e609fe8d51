import { expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import { DEFAULT_OPTIONS } from './options.ts';
import { makePlan, sharedPlans } from './plan.ts';

const contract = loadContract();
const checks = allChecks(contract);
const stagesOf = (...only: string[]) =>
  new Set(makePlan(contract, checks, { ...DEFAULT_OPTIONS, only }).probes.map(({ stage }) => stage));

test.each(contract.requirements.filter(({ level }) => level !== 'open').map(({ id }) => id))(
  '%s has requests of its own where nothing else is asked for',
  (id) => {
    expect(stagesOf(id).size).toBeGreaterThan(0);
  },
);

test('requirements of the first list cost the reads with which every run begins', () => {
  const start = ['listPets:plain', 'getStoreOrders:plain', 'getPet:unknown'];
  const { probes: address } = makePlan(contract, checks, {
    ...DEFAULT_OPTIONS,
    only: ['versioning.address'],
  });
  expect(address.filter(({ isStart }) => isStart).map(({ id }) => id)).toEqual(start);
});

test('without POSTs no request reads what they would create, but a listed animal is fetched', () => {
  const whole = { ...DEFAULT_OPTIONS, baseUrl: 'https://staging.example.com/v1', exhaust: 'none' as const };
  const { probes } = makePlan(contract, checks, { ...whole, readOnly: true });
  const reads = probes.filter(({ stage, operation }) => stage === 'read' && operation === 'getPet');
  expect(reads.map(({ id }) => id)).toEqual(['getPet:listPets:plain']);
  expect(reads[0]?.onlyIf).toBeUndefined();
  expect(makePlan(contract, checks, whole).probes.map(({ id }) => id)).toContain('getPet:createPet:minimal');
});

test('only requirements of the limiter use up the limit', () => {
  const limiting = contract.requirements
    .map(({ id }) => id)
    .filter((id) => stagesOf(id).has('exhaust'))
    .filter((id) => id.startsWith('rate-limit.'));
  expect(limiting).toEqual(
    contract.requirements.map(({ id }) => id).filter((id) => id.startsWith('rate-limit.')),
  );
  expect(stagesOf('listPets.200').has('exhaust')).toBe(false);
  expect(stagesOf('service.http').has('exhaust')).toBe(false);
});

test('targets share a plan if they are sent the same, whatever their addresses, keys and headers', () => {
  const planFor = sharedPlans();
  const staging = { ...DEFAULT_OPTIONS, baseUrl: 'https://staging.example.com/v1' };
  const shared = planFor(contract, checks, staging);
  const production = {
    ...staging,
    baseUrl: 'https://api.example.com/v1',
    apiKey: 'another-key',
    headers: [['X-Team', 'pets']] as const,
  };
  expect(planFor(contract, checks, production)).toBe(shared);
  const others = [{ readOnly: true }, { only: ['listPets.200'] }, { seed: 7 }, { exhaust: 'none' as const }];
  for (const change of others) {
    const own = planFor(contract, checks, { ...staging, ...change });
    expect(own).not.toBe(shared);
    expect(own.cost).toEqual(makePlan(contract, checks, { ...staging, ...change }).cost);
  }
  const { baseUrl: _, ...bundled } = staging;
  expect(planFor(contract, checks, bundled)).not.toBe(shared);
  expect(planFor(contract, [...checks], staging)).not.toBe(shared);
});
