import { expect, test } from 'vitest';
import { percentDecoded } from './percent-encoding.ts';

test.each([
  ['a%20b', 'a b'],
  ['%C3%A4', 'ä'],
  ['1+1', '1+1'],
  ['100%', '100%'],
  ['%C3', '%C3'],
  ['%20 100%', '%20 100%'],
])('%s is decoded to %s', (text, decoded) => {
  expect(percentDecoded(text)).toBe(decoded);
});
