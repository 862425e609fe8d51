import { expect, test } from 'vitest';
import { bundledCatalogue } from '../../selfcheck/catalogue.ts';
import { loadContract } from '../load.ts';
import { readingsOf } from './readings.ts';

const contract = loadContract();
const { of, placeOf } = await readingsOf(contract);

test('each reading is of a requirement, and each of its variants exists', () => {
  const ids = contract.requirements.map(({ id }) => id);
  const variants = bundledCatalogue.variants.map(({ id }) => id);
  expect(Object.keys(of).filter((id) => !ids.includes(id))).toEqual([]);
  const named = Object.values(of).flatMap((each) => each.variants ?? []);
  expect(named.filter((id) => !variants.includes(id))).toEqual([]);
});

test('the sentences that leave most room are read', () => {
  // Vocabulary of the design: what is judged literally, and what is often read otherwise.
  const often = [
    'listPets.page',
    'createPet.400',
    'Pet.status',
    'authentication.first',
    'service.content-type',
  ];
  const rates = [
    'rate-limit.count',
    'rate-limit.reset',
    'rate-limit.early',
    'rate-limit.recovery',
    'TooManyRequests',
  ];
  for (const id of [...often, ...rates]) expect(of[id]?.not, id).not.toEqual([]);
  expect(Object.keys(of).length).toBeGreaterThanOrEqual(25);
});

test('a requirement comes from a line of a file', () => {
  const placeOfId = (id: string) => {
    const requirement = contract.requirements.find((each) => each.id === id);
    return requirement && placeOf(requirement);
  };
  for (const { id } of contract.requirements)
    expect(placeOfId(id), id).toMatch(/^(openapi|requirements)\.yaml line \d+$/);
  expect(placeOfId('listPets.limit')).toMatch(/^requirements/);
  expect(placeOfId('Pet.name')).toMatch(/^openapi/);
});
