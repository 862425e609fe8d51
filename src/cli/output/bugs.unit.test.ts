import { expect, test } from 'vitest';
import { bugLine, bugStack } from './bugs.ts';

const SECRET = 'sk-live-4f9ZQ';
const HEAD = 'internal error, which says nothing about the target: ';

test('the message of a bug is redacted', () => {
  const redact = (text: string) => text.replaceAll(SECRET, '[key]');
  const bug = new TypeError(`lost ${SECRET}`);
  expect(bugLine(bug, redact)).toBe(`${HEAD}TypeError: lost [key]`);
  expect(bugStack(bug, redact)).toMatch(/^TypeError: lost \[key\]\n +at /);
  expect(bugLine(`lost ${SECRET}`, redact)).toBe(`${HEAD}Error: lost [key]`);
});

test('a bug of redaction itself: only the name of the error and its places are shown', () => {
  const redact = () => {
    throw new SyntaxError(`Invalid regular expression: /${SECRET}/`);
  };
  const bug = new SyntaxError(`Invalid regular expression: /${SECRET}/`);
  expect(bugLine(bug, redact)).toBe(`${HEAD}SyntaxError (message hidden)`);
  expect(bugStack(bug, redact)).not.toContain(SECRET);
  expect(bugStack(bug, redact)).toMatch(/^at .*bugs\.unit\.test/);
});

test('a very long message is hidden: it may quote a secret in a form that redaction does not know', () => {
  const redact = (text: string) => text;
  const bug = new Error(`${SECRET} ${'x'.repeat(1_000)}`);
  expect(bugLine(bug, redact)).toBe(`${HEAD}Error (message hidden)`);
  expect(bugStack(bug, redact)).not.toContain(SECRET);
});
