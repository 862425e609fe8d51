import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { apiKeyOf, type KeyFlags, secondKeyOf } from './api-key.ts';

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
    'cannot combine --api-key and --api-key-file',
  ],
  ['a file that is not there', { apiKeyFile: join(folder, 'no') }, '', "/no' (ENOENT)"],
  ['a folder', { apiKeyFile: folder }, '', '(EISDIR)'],
  ['two lines', { apiKeyFile: file('two', 'a-secret\nb-secret') }, '', 'has more than one line'],
  ['nothing in the file', { apiKeyFile: file('empty', '\n') }, 'another', "empty': the key is empty"],
  ['an empty option', { apiKey: '' }, 'another', '--api-key: the key is empty'],
  ['an option of blanks', { apiKey: ' ' }, 'another', '--api-key: the key is empty'],
  [
    'the value of the header',
    {},
    'Bearer a-secret',
    "PETSPEC_API_KEY: the key starts with 'Bearer'; leave that out",
  ],
  ['the same in lower case', { apiKey: 'bearer  a-secret' }, '', "--api-key: the key starts with 'Bearer'"],
  [
    'the same in a file',
    { apiKeyFile: file('bearer', 'Bearer\ta-secret\n') },
    '',
    "bearer': the key starts with 'Bearer'",
  ],
  [
    'its first word, and a secret that is missing',
    {},
    'Bearer ',
    "PETSPEC_API_KEY: the key starts with 'Bearer'",
  ],
  [
    'a letter that no header carries',
    {},
    'sécret',
    'PETSPEC_API_KEY: the key has characters that a header cannot contain',
  ],
  [
    'a blank inside',
    { apiKeyFile: file('blank', 'a secret') },
    '',
    "blank': the key has characters that a header cannot contain",
  ],
])('refused, in one line without the key: %s', (_, flags, variable, words) => {
  const attempt = () => apiKeyOf(flags, { PETSPEC_API_KEY: variable });
  expect(attempt).toThrow(words);
  expect(attempt).not.toThrow(/secret|sécret|\n/);
});

test('the key of another user is from its option or its variable, and is not that of the run', () => {
  const secondOf = (flags: KeyFlags, env: NodeJS.ProcessEnv) => secondKeyOf(flags, env, 'a-key', false);
  expect(secondOf({}, { PETSPEC_SECOND_KEY: ' a-second \n' })).toBe('a-second');
  expect(secondOf({ secondKey: 'another' }, { PETSPEC_SECOND_KEY: 'a-second' })).toBe('another');
  expect(secondOf({}, { PETSPEC_SECOND_KEY: '' })).toBeUndefined();
  expect(() => secondOf({ secondKey: 'a-key' }, {})).toThrow(
    /^--second-key: it is the API key itself; expected that of another user$/,
  );
  expect(() => secondOf({ secondKey: ' ' }, {})).toThrow('--second-key: the key is empty');
});
