import { expect, test } from 'vitest';
import { allChecks } from '../../suites/index.ts';
import { loadContract } from '../contract/load.ts';
import { DEFAULT_OPTIONS } from './options.ts';
import { makePlan } from './plan.ts';

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

test('what the first list shows costs nothing else', () => {
  expect(stagesOf('versioning.address')).toEqual(new Set(['first']));
});

test('without POSTs nothing is planned that only what was created could answer; a listed animal is read, and counted', () => {
  const whole = { ...DEFAULT_OPTIONS, baseUrl: 'https://staging.example.com/v1', exhaust: 'none' as const };
  const { probes } = makePlan(contract, checks, { ...whole, readOnly: true });
  const reads = probes.filter(({ stage, operation }) => stage === 'read' && operation === 'getPet');
  expect(reads.map(({ id }) => id)).toEqual(['getPet:listPets:plain']);
  expect(reads[0]?.onlyIf).toBeUndefined();
  expect(makePlan(contract, checks, whole).probes.map(({ id }) => id)).toContain('getPet:createPet:minimal');
});

test('the limit is used up for what looks at it alone', () => {
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
