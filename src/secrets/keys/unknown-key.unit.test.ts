import { expect, test } from 'vitest';
import { unknownKeyFor } from './unknown-key.ts';

test.each([
  ['sk-live/4f+9ZQx7Lm2_Pq81', /^[a-z]{2}-[a-z]{4}\/\d[a-z]\+\d[A-Z]{2}[a-z]\d[A-Z][a-z]\d_[A-Z][a-z]\d\d$/],
  ['3f2504e0-4f89-11d3-9a0c-0305e82c3301', /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/],
  ['ann:pa55', /^[a-z]{3}:[a-z]{2}\d\d[a-z\d]{13}$/],
  ['Token abc', /^Token [a-z]{3}[a-z\d]{17}$/],
  ['-', /^-[a-z\d]{20}$/],
])('%s has an unknown key of the same shape', (key, shape) => {
  const unknown = unknownKeyFor(key, 7);
  expect(unknown).toMatch(shape);
  expect(unknown).not.toBe(key);
  expect(unknownKeyFor(key, 7)).toBe(unknown);
  expect(unknownKeyFor(key, 8)).not.toBe(unknown);
});

test('keys of the same shape have the same one: it tells nothing of them', () => {
  expect(unknownKeyFor('reader-7f3a', 1)).toBe(unknownKeyFor('writer-9a1b', 1));
});
