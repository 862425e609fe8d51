import { expect, test } from 'vitest';
import { ownValue } from './own-value.ts';

const TEXTS = ['AB-1', 'CD-2', 'EF-3'];
const PROBES = Array.from({ length: 50 }, (_, index) => `createPet:${index}`);

test('one of several texts: each is sent by some probe, and a probe sends the same one each time', () => {
  const sent = () => PROBES.map((of) => ownValue({ late: 'own', as: 'one-of', texts: TEXTS, of }, 7n));
  expect([...new Set(sent())].sort()).toEqual(TEXTS);
  expect(sent()).toEqual(sent());
});

test.each([
  ['email', /^petspec-[a-z]{8}@example\.com$/],
  // RFC 9562 section 5.4.
  ['uuid', /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/],
] as const)('another %s for each probe and run', (as, form) => {
  const sent = [1n, 2n].flatMap((run) => PROBES.map((of) => ownValue({ late: 'own', as, of }, run)));
  for (const value of sent) expect(value).toMatch(form);
  expect(new Set(sent).size).toBe(sent.length);
});
