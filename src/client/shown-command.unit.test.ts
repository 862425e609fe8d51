import { expect, test } from 'vitest';
import { shownCommand } from './shown-command.ts';

test.each([
  ['--token s3cret-value', '--token [hidden]'],
  ['--token=s3cret-value', '--token=[hidden]'],
  ['--api-key s3cret-value --verbose', '--api-key [hidden] --verbose'],
  ['--key s3cret --password hunter2', '--key [hidden] --password [hidden]'],
  ['-u ada:hunter2', '-u ada:[hidden]'],
  ['-uada:hunter2 -su ada:hunter2', '-uada:[hidden] -su ada:[hidden]'],
  ['--user=ada:hunter2 --proxy-user ada:hunter2', '--user=ada:[hidden] --proxy-user ada:[hidden]'],
  ['-u http://localhost:8080 -unix', '-u http://localhost:8080 -unix'],
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

test.each([
  ["curl -H 'X-Api-Key: s3cret-value' {baseUrl}/pets", "curl -H 'X-Api-Key: [hidden]' {baseUrl}/pets"],
  ['curl -H "X-Api-Key: s3cret-value" -v', 'curl -H "X-Api-Key: [hidden]" -v'],
  ["curl -H'X-Api-Key: s3cret'", "curl '-HX-Api-Key: [hidden]'"],
  ['curl -uada:hunter2 {baseUrl}/pets', 'curl -uada:[hidden] {baseUrl}/pets'],
  ["curl -u 'ada:hunter2' {baseUrl}/pets", "curl -u 'ada:[hidden]' {baseUrl}/pets"],
  ['curl --oauth2-bearer s3cret;exit 1', 'curl --oauth2-bearer [hidden];exit 1'],
  ['export STORE_TOKEN=s3cret && node sync.js', 'export STORE_TOKEN=[hidden] && node sync.js'],
  [`sh -c "curl -H 'Cookie: sid=s3cret'"`, `sh -c "curl -H 'Cookie: [hidden]'"`],
  [
    `fetch(url, { headers: { 'x-api-key': 's3cret' } })`,
    `fetch(url, { headers: { 'x-api-key': '[hidden]' } })`,
  ],
  [
    'curl -H "Authorization: Bearer $PETSPEC_API_KEY" "$PETSPEC_BASE_URL/pets" --token {apiKey}',
    'curl -H "Authorization: Bearer $PETSPEC_API_KEY" "$PETSPEC_BASE_URL/pets" --token {apiKey}',
  ],
  [
    'for page in 1 2; do curl "$URL?page=$page" || echo \'it failed: $?\'; done',
    'for page in 1 2; do curl "$URL?page=$page" || echo \'it failed: $?\'; done',
  ],
])('a script: %s', (script, shown) => {
  expect(shownCommand(['sh', '-c', script], [])).toEqual(['sh', '-c', shown]);
});

test('what is known to be a secret, wherever it is; a short one only as a whole word', () => {
  const words = ['node', '-e', 'send("s3cret-value")', '{baseUrl}?x=s3cret-value2', 'abc', 'abcd', 'x:abc'];
  expect(shownCommand(words, ['abc', 's3cret-value', 's3cret-value2', ''])).toEqual([
    ...['node', '-e', 'send("[hidden]")', '{baseUrl}?x=[hidden]', '[hidden]', 'abcd', 'x:[hidden]'],
  ]);
});
