import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apiKeyOf, type KeyFlags } from './api-key.ts';

const folder = mkdtempSync(join(tmpdir(), 'petspec-api-key-'));
const file = (name: string, text: string) => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const KEY_FILE = file('key', 'secret-of-a-file\n');

test.each<[what: string, flags: KeyFlags, variable: string | undefined, key: string | undefined]>([
  ['nothing', {}, undefined, undefined],
  ['a variable that is empty', {}, '', undefined],
  ['the variable', {}, 'secret-of-env', 'secret-of-env'],
  [
    'an option before the variable',
    { apiKey: 'secret-of-an-option' },
    'secret-of-env',
    'secret-of-an-option',
  ],
  ['a file before the variable', { apiKeyFile: KEY_FILE }, 'secret-of-env', 'secret-of-a-file'],
  ['a file with blanks around the key', { apiKeyFile: file('b', '\r\n  a-secret \r\n\n') }, '', 'a-secret'],
  ['a file without a line feed', { apiKeyFile: file('c', 'a-secret') }, '', 'a-secret'],
  ['a file with a byte order mark', { apiKeyFile: file('d', '\uFEFFa-secret') }, '', 'a-secret'],
  ['a variable with blanks and line breaks around the key', {}, ' \ta-secret\r\n', 'a-secret'],
  ['a variable that holds blanks alone', {}, ' \n', undefined],
  ['an option with blanks around the key', { apiKey: ' a-secret\n' }, '', 'a-secret'],
  ['a key that only begins with the letters', {}, 'bearer-of-a-secret', 'bearer-of-a-secret'],
])('%s', (_, flags, variable, key) => {
  expect(apiKeyOf(flags, { PETSPEC_API_KEY: variable })).toBe(key);
});

test('the variable that a configuration names is trimmed, too', () => {
  expect(apiKeyOf({ apiKeyVariable: 'STAGING_KEY' }, { STAGING_KEY: '\na-secret ' })).toBe('a-secret');
});

test.each<[what: string, flags: KeyFlags, variable: string, words: string]>([
  [
    'two options',
    { apiKey: 'a-secret', apiKeyFile: KEY_FILE },
    '',
    '--api-key and --api-key-file contradict each other',
  ],
  ['a file that is not there', { apiKeyFile: join(folder, 'no') }, '', 'cannot be read (ENOENT)'],
  ['a folder', { apiKeyFile: folder }, '', 'cannot be read (EISDIR)'],
  ['two lines', { apiKeyFile: file('two', 'a-secret\nb-secret') }, '', 'has more than one line'],
  ['nothing in the file', { apiKeyFile: file('empty', '\n') }, 'another', 'holds no key'],
  ['an empty option', { apiKey: '' }, 'another', '--api-key: holds no key'],
  ['an option of blanks', { apiKey: ' ' }, 'another', '--api-key: holds no key'],
  [
    'the value of the header',
    {},
    'Bearer a-secret',
    'PETSPEC_API_KEY: the key alone is expected, without "Bearer"',
  ],
  ['the same in lower case', { apiKey: 'bearer  a-secret' }, '', '--api-key: the key alone is expected'],
  [
    'the same in a file',
    { apiKeyFile: file('bearer', 'Bearer\ta-secret\n') },
    '',
    'bearer: the key alone is expected',
  ],
  [
    'its first word, and a secret that is missing',
    {},
    'Bearer ',
    'PETSPEC_API_KEY: the key alone is expected',
  ],
  ['a letter that no header carries', {}, 'sécret', 'no header can carry: check PETSPEC_API_KEY'],
  [
    'a blank inside',
    { apiKeyFile: file('blank', 'a secret') },
    '',
    'no header can carry: check --api-key-file',
  ],
])('refused, in one line without the key: %s', (_, flags, variable, words) => {
  const attempt = () => apiKeyOf(flags, { PETSPEC_API_KEY: variable });
  expect(attempt).toThrow(words);
  expect(attempt).not.toThrow(/secret|sécret|\n/);
});
