import { expect, test } from 'vitest';
import { escapesIn } from './escapes.ts';

const SECRETS = ['sk-live/4f', "it's"];

test.each([
  ['JSON', '\\u0073k-live'],
  ['JSON in JSON', '\\\\u0073k-live'],
  ['JavaScript', '\\x2Dlive'],
  ['a slash as PHP escapes it', 'sk-live\\/4f'],
  ['a URL', 'sk-live%2f4f'],
  ['a URL, twice', 'sk-live%252F4f'],
  ['quoted-printable', 'sk=2dlive'],
  ['a soft line break', 'sk-li=\r\nve'],
  ['a soft line break in JSON', 'sk-li=\\r\\nve'],
  ['HTML, decimal', 'sk&#045;live'],
  ['HTML, hexadecimal', 'sk&amp;#x2D;live'],
  ['HTML, by name', 'it&apos;s'],
  ['JavaScript, in braces', '\\u{2d}live'],
  ['HTML without a semicolon', 'sk&#45 live'],
])('an escape of one of the characters is noticed: %s', (_, text) => {
  expect(escapesIn(SECRETS)(text)).toBe(true);
});

test.each([
  ['none', 'sk-live/4f'],
  ['a header with a number', 'timeout=5, max-age=60'],
  ['a quote in JSON', '{"name":"Rex \\"the dog\\""}'],
  ['a line break in JSON', '{\\n}'],
  ['another letter in JSON', '\\u00e4'],
  ['a space in a URL', '/pets?name=a%20b'],
])('escapes of other characters are not: %s', (_, text) => {
  expect(escapesIn(SECRETS)(text)).toBe(false);
});

test.each(['a\\b', 'schlüssel'])('for %s every escape may be one of its own', (secret) => {
  expect(escapesIn([secret])('\\n')).toBe(true);
  expect(escapesIn([secret])('plain')).toBe(false);
});
