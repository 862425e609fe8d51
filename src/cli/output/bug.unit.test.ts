import { afterEach, expect, test, vi } from 'vitest';
import { bugLine, bugStack } from './bug.ts';
import { withoutSecrets } from './secrets.ts';

vi.mock('./secrets.ts');

const SECRET = 'sk-live-4f9ZQ';
const HEAD = 'internal error, which says nothing about the target: ';

afterEach(() => vi.resetAllMocks());

test('the message of a bug is redacted', () => {
  vi.mocked(withoutSecrets).mockImplementation((text) => text.replaceAll(SECRET, '[key]'));
  const bug = new TypeError(`lost ${SECRET}`);
  expect(bugLine(bug)).toBe(`${HEAD}TypeError: lost [key]`);
  expect(bugStack(bug)).toMatch(/^TypeError: lost \[key\]\n +at /);
  expect(bugLine(`lost ${SECRET}`)).toBe(`${HEAD}Error: lost [key]`);
});

test('a bug of redaction itself: only the name of the error and its places are shown', () => {
  vi.mocked(withoutSecrets).mockImplementation(() => {
    throw new SyntaxError(`Invalid regular expression: /${SECRET}/`);
  });
  const bug = new SyntaxError(`Invalid regular expression: /${SECRET}/`);
  expect(bugLine(bug)).toBe(`${HEAD}SyntaxError (message hidden)`);
  expect(bugStack(bug)).not.toContain(SECRET);
  expect(bugStack(bug)).toMatch(/^at .*bug\.unit\.test/);
});

test('a very long message is hidden: it may quote a secret in a form that redaction does not know', () => {
  vi.mocked(withoutSecrets).mockImplementation((text) => text);
  const bug = new Error(`${SECRET} ${'x'.repeat(1_000)}`);
  expect(bugLine(bug)).toBe(`${HEAD}Error (message hidden)`);
  expect(bugStack(bug)).not.toContain(SECRET);
});
