import { expect, test } from 'vitest';
import { cut, plain, stretches } from './visible-text.ts';

test.each([
  ['a line break', 'a\nb\tc\r', 'a\\nb\\tc\\r'],
  ['an escape sequence', '\u001b[31m', '\\u001b[31m'],
  ['what turns the direction', '\u202eabc', '\\u202eabc'],
  ['half of a character', 'x\ud83dy', 'x\\ud83dy'],
  ['a whole character beyond the basic plane', '🐈', '🐈'],
  ['a hidden one there', '\u{e0041}', '\\u{e0041}'],
  ['a no-break space', 'a\u00a0b c', 'a\\u00a0b c'],
  ['no characters', '\uffff\u2028', '\\uffff\\u2028'],
])('%s is made visible', (_, text, shown) => {
  expect(plain(text)).toBe(shown);
});

test('a text is cut, and says how much is left out', () => {
  expect(plain('abcdef', 4)).toBe('abcd … (2 more characters)');
  expect(plain('abcdef', 5)).toBe('abcde … (1 more character)');
  expect(plain('x'.repeat(1_000_000)).length).toBeLessThan(2_100);
});

test('no pair of surrogates is split', () => {
  expect(cut('a🐈b', 2)).toEqual({ kept: 'a', left: 3 });
  expect(cut('a🐈b', 3)).toEqual({ kept: 'a🐈', left: 1 });
});

test('an escape differs from text that looks like one', () => {
  expect(stretches('\\u0007\u0007')).toEqual([
    { text: '\\u0007', isEscape: false },
    { text: '\\u0007', isEscape: true },
  ]);
});
