import { describe, expect, test } from 'vitest';
import type { ClientRequest } from '../../src/traffic/client-check.ts';
import { clientFinding, type SentByClient, scenarioOf } from '../../test/exchanges/client-requests.ts';

const BEARER = 'Authorization: Bearer <API_KEY>';
const unlisted: SentByClient = { call: 'GET http://a.example/v1/health', key: 'absent' };
const foreign: SentByClient = { call: 'GET http://c.example/other?page=2', isForeign: true };

const judge = (requirement: string, sent: SentByClient) => clientFinding(requirement, [scenarioOf([sent])]);
const untested = (what: string) => ({
  status: 'not-tested',
  untested: 'no-traffic',
  reason: `the client did not ${what}`,
});
const met = { status: 'met', evidence: [1] };

describe('a request carries the key', () => {
  test.each<[what: string, sent: SentByClient, expected: object]>([
    ['the right one', {}, met],
    ['a wrong one, which is another mistake', { key: 'unknown' }, met],
    [
      'none',
      { key: 'absent' },
      {
        status: 'violated',
        kind: 'header',
        reason: 'listPets was called without a key (scenario plain)',
        expected: BEARER,
        received: 'no Authorization',
      },
    ],
    [
      'in the wrong place, which is another mistake',
      { key: 'absent', keyPlaces: ['URL'] },
      untested('send a request for an operation that needs a key'),
    ],
    [
      'where nothing says that it is needed',
      unlisted,
      untested('send a request for an operation that needs a key'),
    ],
    [
      'where it does not belong',
      { ...foreign, key: 'absent' },
      untested('send a request for an operation that needs a key'),
    ],
  ])('%s', (_what, sent, expected) => {
    expect(judge('key.sent', sent)).toMatchObject(expected);
  });
});

describe('the header is Bearer and the key', () => {
  test.each<[what: string, sent: SentByClient, expected: object]>([
    ['as it should be', {}, met],
    [
      'in another scheme',
      {
        key: 'scheme',
        headers: [
          ['authorization', 'Basic <redacted>'],
          ['Authorization', 'Token <redacted>'],
        ],
      },
      {
        status: 'violated',
        kind: 'header',
        reason: 'the Authorization header is not Bearer and the key (scenario plain)',
        expected: BEARER,
        received: 'Authorization: Basic <redacted>, Token <redacted>',
      },
    ],
    ['not there', { key: 'absent' }, untested('send a key in the Authorization header')],
    ['not asked for', { ...unlisted, key: 'scheme' }, untested('send a key in the Authorization header')],
  ])('%s', (_what, sent, expected) => {
    expect(judge('key.form', sent)).toMatchObject(expected);
  });
});

describe('the key is in the header alone', () => {
  const wrong = (kind: string, place: string, received: string) => ({
    status: 'violated',
    kind,
    reason: `the key is in the ${place} (scenario plain)`,
    expected: `only ${BEARER}`,
    received,
  });

  test.each<[what: string, sent: SentByClient, expected: object]>([
    ['as it should be', {}, met],
    ['and not there either', { key: 'absent' }, untested('send a key')],
    ['and not at another origin', { ...foreign, keyPlaces: ['URL'] }, untested('send a key')],
    [
      'and in the URL',
      { call: 'GET http://a.example/v1/pets?key=<redacted>', keyPlaces: ['URL', 'body'] },
      wrong('meaning', 'URL', 'http://a.example/v1/pets?key=<redacted>'),
    ],
    ['and in the body', { keyPlaces: ['body'] }, wrong('meaning', 'body', 'body')],
    ['and in another header', { keyPlaces: ['X-Api-Key'] }, wrong('header', 'header X-Api-Key', 'X-Api-Key')],
  ])('%s', (_what, sent, expected) => {
    expect(judge('key.place', sent)).toMatchObject(expected);
  });
});

describe('the key goes to the service alone', () => {
  const leaked = {
    status: 'advisory',
    kind: 'meaning',
    reason: 'the key was sent to an origin that is not the service (scenario plain)',
    expected: 'no key',
    received: 'the key at http://c.example',
  };

  test.each<[what: string, sent: SentByClient, expected: object]>([
    ['without one elsewhere', { ...foreign, key: 'absent' }, met],
    ['with the URL that a redirect repeats', { ...foreign, key: 'absent', keyPlaces: ['URL'] }, met],
    ['and elsewhere in the same header', foreign, leaked],
    [
      'and elsewhere in another header',
      { ...foreign, key: 'absent', keyPlaces: ['URL', 'X-Api-Key'] },
      leaked,
    ],
    ['and nowhere else', {}, untested('send a request to another origin')],
  ])('%s', (_what, sent, expected) => {
    expect(judge('key.origin', sent)).toMatchObject(expected);
  });
});

describe('a document says where the key belongs', () => {
  type Credential = ClientRequest['credential'];
  const QUERY: Credential = { in: 'query', name: 'api_key' };
  const COOKIE: Credential = { in: 'cookie', name: 'session' };
  const HEADER: Credential = { in: 'header', name: 'X-Api-Key' };
  const without = 'listPets was called without a key (scenario plain)';
  const wrong = 'the key is not the one that the client was given (scenario plain)';

  test.each<[what: string, id: string, credential: Credential, sent: SentByClient, expected: object]>([
    [
      'there is none in the query',
      'key.sent',
      QUERY,
      { key: 'absent' },
      { reason: without, expected: 'the key as api_key in the query', received: 'no api_key', headers: [] },
    ],
    [
      'another one is in the query',
      'key.form',
      QUERY,
      { key: 'unknown' },
      {
        reason: wrong,
        expected: 'the key as api_key in the query',
        received: 'another api_key',
        headers: [],
      },
    ],
    [
      'there is no cookie',
      'key.sent',
      COOKIE,
      { key: 'absent' },
      { reason: without, expected: 'the key as session in the cookie', received: 'no session', headers: [] },
    ],
    [
      'another one is in its header',
      'key.form',
      HEADER,
      { key: 'unknown', headers: [['x-api-key', '<redacted>']] },
      {
        reason: wrong,
        expected: 'X-Api-Key: <API_KEY>',
        received: 'X-Api-Key: <redacted>',
        headers: ['X-Api-Key'],
      },
    ],
  ])('%s', (_what, id, credential, sent, expected) => {
    const scenario = scenarioOf([sent]);
    const requests = scenario.requests.map((request) => ({ ...request, credential }));
    expect(clientFinding(id, [{ ...scenario, requests }])).toMatchObject({ status: 'violated', ...expected });
  });
});
