import { describe, expect, test } from 'vitest';
import type { Json } from '../src/suite.ts';
import { JSON_HEADERS } from '../test/exchanges/exchanges.ts';
import { findingBeside, findingOf, probesFor, type Sent } from '../test/exchanges/suite-evidence.ts';

const error = (status: number, more = {}) => ({ code: 'c', message: 'm', status, ...more });
const above = (status: number, body: Json, more: Partial<Sent> = {}): Sent => ({
  probe: 'listPets:limit=above',
  status,
  body,
  ...more,
});

test('the shape of errors elsewhere is asked of every request with the key', () => {
  const probes = probesFor('errors.elsewhere');
  expect(probes).toEqual(
    expect.arrayContaining(['listPets:plain', 'sendMessage:message-number', 'getStoreOrders:plain']),
  );
  expect(probes.filter((id) => id.includes('key'))).toEqual([]);
});

describe('an error that the interface does not list', () => {
  const held = { status: 'met', exercised: true };
  const nothing = { status: 'met', exercised: false };
  const wrong = {
    status: 'violated',
    reason: 'an undocumented error response does not have the shape Error',
    expected: 'an Error',
    received: 'status 400 with another body',
  };
  const text = (change: object) => ({
    change: { response: { status: 400, headers: JSON_HEADERS, body: 'no', ...change } },
  });

  test.each<[what: string, sent: Sent, expected: object]>([
    ['is an Error', above(422, error(422)), held],
    ['is an Error with another field', above(400, error(400, { help: 'h' })), held],
    ['is something else', above(400, { detail: 'm' }), wrong],
    ['lacks a field of an Error', above(400, { code: 'c', message: 'm' }), wrong],
    [
      'has another status',
      above(400, error(422)),
      {
        status: 'violated',
        reason: 'the status of an undocumented Error is not the HTTP status',
        expected: 'status: 400',
        received: 'status: 422',
        pointer: '/status',
      },
    ],
    ['is not JSON', above(400, '', text({})), wrong],
    [
      'was not read',
      above(400, '', text({ unread: 'too long' })),
      { status: 'not-tested', untested: 'inconclusive' },
    ],
    ['is a success', above(200, []), nothing],
    ['is a redirect', above(302, { detail: 'm' }), nothing],
    ['is listed', { probe: 'getPet:unknown', status: 404, body: { detail: 'm' } }, { status: 'not-tested' }],
    ['is listed, and an Error', { probe: 'getPet:unknown', status: 404, body: error(404) }, nothing],
  ])('%s', (_what, sent, expected) => {
    expect(findingOf('errors.elsewhere', [sent])).toMatchObject(expected);
  });
});

test.each(['Error', 'Error.code', 'Error.message', 'Error.status', 'service.json', 'service.content-type'])(
  'where %s is violated, errors elsewhere have the same fault',
  (cause) => {
    expect(findingBeside('errors.elsewhere', cause)).toMatchObject({ status: 'not-tested', cause });
  },
);

describe('the codes of errors', () => {
  const rejected = (probe: string, body: Json, change: Sent['change'] = {}): Sent => ({
    probe,
    status: 400,
    body,
    change,
  });

  test.each<[what: string, sent: Sent[], observed: string]>([
    [
      'each once, with its status',
      [
        rejected('createPet:name-missing', error(400)),
        rejected('createPet:name-null', error(400)),
        rejected('createPet:malformed', { message: 'm' }),
        { probe: 'getPet:unknown', status: 404, body: error(404, { code: 'gone' }) },
      ],
      '400: "c", 400: null, 404: "gone"',
    ],
    [
      'none without a body',
      [
        rejected('createPet:name-missing', '', {
          response: { status: 400, headers: JSON_HEADERS, body: '' },
        }),
      ],
      'no response showed this',
    ],
    ['none of requests that are not wrong', [above(400, error(400))], 'no response showed this'],
  ])('%s', (_what, sent, observed) => {
    expect(findingOf('open.error-codes', sent)).toMatchObject({ status: 'observed', observed });
  });
});
