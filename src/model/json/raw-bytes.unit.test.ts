import { expect, test } from 'vitest';
import { bytesOf, rawByte } from './raw-bytes.ts';

test.each([
  ['a text is UTF-8', 'Zoë 🐈', '5a6fc3ab20f09f9088'],
  ['a raw byte stays alone', `a${rawByte(0xff)}b`, '61ff62'],
  ['between characters of several bytes', `é${rawByte(0x80)}🐈`, 'c3a980f09f9088'],
  ['several in a row', rawByte(0xff) + rawByte(0xfe), 'fffe'],
])('%s', (_what, text, hex) => {
  expect(bytesOf(text).toString('hex')).toBe(hex);
});
