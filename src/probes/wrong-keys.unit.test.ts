import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { deriveProbes } from './derive.ts';

const contract = loadContract();
const wrong = deriveProbes(contract).filter(({ key }) => key !== 'valid');
const keysOf = (operation: string) =>
  wrong.filter((each) => each.operation === operation).map(({ key }) => key);

/** Wrong by their value alone: whoever looks only whether there is a key takes them. */
const LIKE_A_KEY = ['unknown', 'longer', 'shorter', 'case'];

test.each(contract.operations.filter(({ secured }) => secured).map(({ id }) => id))(
  '%s is asked without a key, and with one that nobody has',
  (operation) => {
    expect(keysOf(operation)).toContain('absent');
    expect(keysOf(operation).some((kind) => LIKE_A_KEY.includes(kind))).toBe(true);
  },
);

test('each rarer way of being wrong is tried once, and not where it might add something', () => {
  for (const kind of ['empty', 'scheme', 'longer', 'shorter', 'case', 'bare'])
    expect(wrong.filter(({ key }) => key === kind).map(({ creates }) => creates)).toEqual([false]);
});

test('what a wrong key adds where it is let in has texts of its own', () => {
  for (const { id, body } of wrong.filter(({ creates }) => creates))
    expect(body).toMatchObject({ json: { name: { late: 'own', of: id } } });
});
