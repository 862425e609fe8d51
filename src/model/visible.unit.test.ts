import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { clip, cutAt, notACommand, quote, shown, visible } from './visible.ts';

test.each([
  ['a\nb\r\tc', 'a\\nb\\r\\tc'],
  ['\u001b[31m', '\\u001b[31m'],
  ['\u009b', '\\u009b'],
  ['\ud83d\ude00', '\ud83d\ude00'],
  ['\ud83d', '\\ud83d'],
  ['\u202e', '\\u202e'],
  ['\u{e0041}', '\\udb40\\udc41'],
  ['\ufffe', '\\ufffe'],
  ['Мурка 小白 é', 'Мурка 小白 é'],
])('hidden characters are shown: %j', (text, expected) => {
  expect(visible(text)).toBe(expected);
});

test('replaced characters keep their meaning inside a JSON string', () => {
  const value = { name: '\u202eevil\u{e0041}\u2028' };
  expect(JSON.parse(visible(JSON.stringify(value)))).toEqual(value);
});

test.each([
  '::error::x',
  ' ::error::x',
  '\t::error::x',
  '##[error]x',
  'a ##[error]x',
  'a ##vso[task.setvariable]x',
  '##teamcity[x]',
  '::::error::',
])('no runner takes it for a command: %j', (line) => {
  const safe = notACommand(line);
  expect(safe.trim().startsWith('::')).toBe(false);
  expect(safe).not.toMatch(/##\w*\[/);
});

test.each(['a::b', 'https://example.com', '# heading', ':'])(
  'what is no command stays as it is: %j',
  (line) => {
    expect(notACommand(line)).toBe(line);
  },
);

test('color codes in front of a command do not hide it', () => {
  expect(stripVTControlCharacters(notACommand('    \u001b[2m \u001b[31m::stop-commands::x'))).toMatch(
    /^ *: :/,
  );
});

test('a cut text says so, and no surrogate pair is split', () => {
  expect(clip('abc', 3)).toBe('abc');
  expect(clip('abcd', 3)).toBe('abc… (4 characters)');
  expect(cutAt('ab😀', 3)).toBe('ab');
  expect(cutAt('ab😀', 4)).toBe('ab😀');
  expect(cutAt('', 3)).toBe('');
});

test('every text and name in plain data is made visible; nothing else changes', () => {
  const data = { 'a\n': ['b\u0000', 1, null, true, { __proto__: null, c: '\u001b' }], d: undefined };
  expect(shown(data)).toEqual({ 'a\\n': ['b\\u0000', 1, null, true, { c: '\\u001b' }], d: undefined });
});

test('a command may be longer than other texts', () => {
  const long = 'x'.repeat(10_000);
  const safe = shown({ curl: long, reason: long });
  expect(safe.curl).toBe(long);
  expect(safe.reason.length).toBeLessThan(5_000);
});

test('a script is made visible line by line', () => {
  expect(shown({ script: 'a\u0000\n::b\r' })).toEqual({ script: 'a\\u0000\n: :b\\r' });
});

test('what occurs several times is copied once', () => {
  const result = { reason: 'a\u0000' };
  const [first, second] = shown([result, { results: [result] }]) as [unknown, { results: unknown[] }];
  expect(first).toEqual({ reason: 'a\\u0000' });
  expect(second.results[0]).toBe(first);
});

const EMOJI = '\u{1F600}';

test.each([
  ['nothing', '', ''],
  ['200 characters', 'x'.repeat(200), 'x'.repeat(200)],
  ['201', 'x'.repeat(201), `${'x'.repeat(200)}…`],
  ['a hundred thousand', 'x'.repeat(100_000), `${'x'.repeat(200)}…`],
  ['200 that are two units each', EMOJI.repeat(200), EMOJI.repeat(200)],
  ['201 that are two units each', EMOJI.repeat(201), `${EMOJI.repeat(200)}…`],
  ['200 of one unit and two', `${'x'.repeat(199)}${EMOJI}`, `${'x'.repeat(199)}${EMOJI}`],
  ['201 of one unit and two', `${'x'.repeat(200)}${EMOJI}`, `${'x'.repeat(200)}…`],
])('a quotation has at most 200 characters, and none is halved: %s', (_, text, quoted) => {
  expect(quote(text)).toBe(quoted);
});
