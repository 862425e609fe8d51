import { expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { selectRequirements } from './select.ts';

const { requirements } = loadContract();
const selected = (...only: string[]) => selectRequirements(requirements, { only }).map(({ id }) => id);

test.each([
  ['listPets.200', ['listPets.200']],
  ['LISTPETS.200', ['listPets.200']],
  ['list*.200', ['listPets.200']],
  ['*.200', ['listPets.200', 'getPet.200']],
  ['*Pets*200', ['listPets.200']],
  ['l*i*s*t*P*e*t*s.2*0', ['listPets.200']],
])('%s', (pattern, ids) => {
  expect(selected(pattern)).toEqual(expect.arrayContaining(ids));
  for (const id of selected(pattern)) expect(id).toContain('200');
});

test.each(['listPets.200.', 'istPets.200', 'listPets.200*0', 'listPets.200*listPets.200', '*x*y*z*'])(
  '%s is none',
  (pattern) => {
    expect(() => selected(pattern)).toThrow('--only');
  },
);

test('thousands of stars select everything, or nothing', () => {
  expect(selected('*'.repeat(3_000))).toHaveLength(requirements.length);
  expect(() => selected(`${'*'.repeat(3_000)}nothing`)).toThrow('--only');
  expect(() => selected('*e'.repeat(3_000))).toThrow('--only');
});
