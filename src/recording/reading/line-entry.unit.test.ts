import { expect, test } from 'vitest';
import { NOON } from '../../../test/recordings/entries.ts';
import { readLine } from './entry.ts';

const LINE = {
  id: 1,
  probe: 'listPets:plain',
  operation: 'listPets',
  address: 'baseUrl',
  stage: 'list',
  key: 'valid',
  method: 'GET',
  url: 'https://api.example.com/v1/pets',
  requestHeaders: [],
  sentAt: NOON,
  receivedAt: NOON + 5,
  inFlight: 1,
  response: { status: 200, headers: [], body: '[]' },
  rate: {},
};

test('an exchange of a ledger is read with what its run knew', () => {
  expect(readLine(LINE)).toMatchObject({
    recorded: { url: LINE.url, sentAt: NOON, own: { id: 1, operation: 'listPets', key: 'valid' } },
  });
});

test('an address that a client would repair is read as the client sends it', () => {
  expect(readLine({ ...LINE, url: 'https:/api.example.com/v1/pets' })).toMatchObject({
    recorded: { url: LINE.url },
  });
});

test('bodies of a ledger with more values than petspec reads are not known', () => {
  const body = `[${Array<string>(300_000).fill('{}').join(',')}]`;
  const line = { ...LINE, requestBody: body, response: { ...LINE.response, body } };
  expect(readLine(line)).toMatchObject({
    recorded: { response: { body: '', unread: 'the body contains more values than petspec reads' } },
  });
  expect(readLine(line)).not.toHaveProperty('recorded.requestBody', expect.anything());
});

test.each([
  ['a time that no clock shows', { ...LINE, receivedAt: 1e300 }, { omitted: 'unreadable' }],
  ['a time before all clocks', { ...LINE, sentAt: -1e300 }, { omitted: 'unreadable' }],
  ['another protocol', { ...LINE, url: 'data:,x' }, { omitted: 'unreadable' }],
  ['a number in place of an exchange', 7, { omitted: 'unreadable' }],
])('%s: nothing is read, and the reading goes on', (_what, line, expected) => {
  expect(readLine(line)).toEqual(expected);
});
