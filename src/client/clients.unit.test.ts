import { expect, test } from 'vitest';
import { printedText } from './clients.ts';

const KEY = 'petspec-0123456789abcdef01234567';

/** What is passed on of text that arrives in these parts. */
function passedOn(...parts: string[]): string[] {
  const passed: string[] = [];
  const printed = printedText(KEY, (text) => passed.push(text));
  for (const part of parts) printed.add(part);
  printed.end();
  return passed;
}

test('lines are passed on as they end, the last one at the end', () => {
  expect(passedOn('one\ntw', 'o\n', '\n', 'three')).toEqual(['one\n', 'two\n', '\n', 'three']);
  expect(passedOn()).toEqual([]);
});

test('the key is replaced, wherever it is cut', () => {
  for (let cut = 0; cut <= KEY.length; cut += 1)
    expect(passedOn(`at ${KEY.slice(0, cut)}`, `${KEY.slice(cut)} end\n`)).toEqual(['at [key] end\n']);
});

test('a line without end is passed on in parts, and no part of the key with it', () => {
  for (let before = 65_480; before <= 65_560; before += 1) {
    const passed = passedOn('x'.repeat(before) + KEY.slice(0, 20), `${KEY.slice(20)}y`, 'z'.repeat(70_000));
    expect(passed.length).toBeGreaterThan(1);
    expect(passed.join('')).toBe(`${'x'.repeat(before)}[key]y${'z'.repeat(70_000)}`);
    expect(passed.filter((each) => /petspec-|0123|abcd/.test(each))).toEqual([]);
  }
});
