import { expect, test } from 'vitest';
import { shownCommand } from './shown-command.ts';

test.each([
  ['--token s3cret-value', '--token [hidden]'],
  ['--token=s3cret-value', '--token=[hidden]'],
  ['--api-key s3cret-value --verbose', '--api-key [hidden] --verbose'],
  ['--key s3cret --password hunter2', '--key [hidden] --password [hidden]'],
  ['-u ada:hunter2', '-u ada:[hidden]'],
  ['https://ada:hunter2@api.example.com/v1', 'https://ada:[hidden]@api.example.com/v1'],
  ['STORE_TOKEN=s3cret-value', 'STORE_TOKEN=[hidden]'],
  ['STOREKEY=s3cret-value --storeKey s3cret-value', 'STOREKEY=[hidden] --storeKey [hidden]'],
  ['--hmac s3cret-value --auth-mode basic', '--hmac [hidden] --auth-mode basic'],
  ['run own-key-in-words', 'run [hidden]-in-words'],
  ['--token {apiKey} --base {baseUrl}', '--token {apiKey} --base {baseUrl}'],
  ['node sync.js --limit 20 --mode=fast', 'node sync.js --limit 20 --mode=fast'],
  ['--keep --tokenize', '--keep --tokenize'],
])('%s', (command, shown) => {
  expect(shownCommand(command.split(' '), ['own-key']).join(' ')).toBe(shown);
});

test.each([
  ['Authorization: Bearer s3cret', 'Authorization: Bearer [hidden]'],
  ['Authorization: Bearer {apiKey}', 'Authorization: Bearer {apiKey}'],
  ['X-Api-Key: s3cret-value', 'X-Api-Key: [hidden]'],
  [
    "fetch(url, { headers: { authorization: 'Bearer s3cret' } })",
    "fetch(url, { headers: { authorization: 'Bearer [hidden]' } })",
  ],
  ['Accept: application/json', 'Accept: application/json'],
])('a word: %s', (word, shown) => {
  expect(shownCommand(['curl', '-H', word], [])).toEqual(['curl', '-H', shown]);
});
