import { expect, test } from 'vitest';
import { mediaTypeOf, partsOf } from './media-type.ts';

test.each<[text: string, type: string, parameters: string[]]>([
  ['application/json', 'application/json', []],
  ['Application/JSON; Charset = "UTF-8"', 'application/json', ['charset=utf-8']],
  ['text/plain;a=1 ; b="x;y";;c', 'text/plain', ['a=1', 'b=x;y', 'c']],
  [String.raw`a/b; q="x\";y"; z=1`, 'a/b', [String.raw`q=x\";y`, 'z=1']],
  ['a/b; q="x; y=1', 'a/b', ['q="x; y=1']],
  ['a/b; q="x\\', 'a/b', ['q="x\\']],
  ['a/b; x y', 'a/b', ['x y']],
  ['', '', []],
])('%s is %s with %j', (text, type, parameters) => {
  expect(mediaTypeOf(text)).toEqual({ type, parameters });
});

// With several ways to read each of them, they would take minutes.
test.each([
  ['escaped quotes that nothing ends', `"${'\\"'.repeat(120_000)}`],
  ['escaped quotes that a backslash ends', `"${'\\"'.repeat(120_000)}\\`],
  ['quotes', '"'.repeat(250_001)],
  ['blanks in a parameter', `a/b; x${' '.repeat(250_000)}y`],
  ['blanks before a sign', `a/b; x${' '.repeat(250_000)}=y`],
])('a header of %s is read at once', (_what, text) => {
  expect(partsOf(text).join(';').length).toBeGreaterThan(250);
  expect(mediaTypeOf(text).type.length).toBeGreaterThan(2);
});
