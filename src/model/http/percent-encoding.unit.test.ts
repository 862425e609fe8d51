import { expect, test } from 'vitest';
import { isEncodable, percentDecoded, percentDecodedBytes, percentEncoded } from './percent-encoding.ts';

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

test.each([
  ['caf%C3%A9%3a', '636166c3a93a'],
  ['caf%e9', '636166e9'],
  ['%ff%zz%4', 'ff257a7a2534'],
])('the bytes of %s', (text, hex) => {
  expect(percentDecodedBytes(text).toString('hex')).toBe(hex);
});

test.each([
  ['a/b ä', 'a%2Fb%20%C3%A4', true],
  ['🐈', '%F0%9F%90%88', true],
  ['a\ud800', 'a%EF%BF%BD', false],
  ['\udc00\ud83d', '%EF%BF%BD%EF%BF%BD', false],
])('%j is encoded as %s, which loses nothing: %s', (text, encoded, isWhole) => {
  expect(percentEncoded(text)).toBe(encoded);
  expect(isEncodable(text)).toBe(isWhole);
});
