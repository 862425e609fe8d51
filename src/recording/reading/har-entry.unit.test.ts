import { describe, expect, test } from 'vitest';
import { BASE, entryOf, NOON, type Said } from '../../../test/recordings/entries.ts';
import { readHarEntry } from './entry.ts';
import { CUT } from './value-builder.ts';

function recorded(said: Said | object) {
  const read = readHarEntry('request' in said && 'response' in said ? said : entryOf(said));
  if ('omitted' in read) throw new Error(read.omitted);
  return read.recorded;
}

test('an exchange as it was recorded', () => {
  const exchange = recorded({
    method: 'post',
    path: '/pets?a=1',
    at: 7,
    time: 12.5,
    request: { name: 'é' },
    status: 201,
  });
  expect(exchange).toMatchObject({
    method: 'POST',
    url: `${BASE}/pets?a=1`,
    requestBody: '{"name":"é"}',
    sentAt: NOON + 7,
    receivedAt: NOON + 19.5,
    isTimed: true,
    response: { status: 201 },
  });
  expect(exchange.own).toBeUndefined();
});

test('pseudo-headers of HTTP/2 are left out, and lines that a browser joined are taken apart', () => {
  const { response, requestHeaders } = recorded({
    headers: { ':authority': 'api.example.com' },
    answer: { ':status': '200', link: 'one\ntwo' },
  });
  expect(requestHeaders.map(([name]) => name)).not.toContain(':authority');
  expect(response?.headers.filter(([name]) => name === 'link')).toEqual([
    ['link', 'one'],
    ['link', 'two'],
  ]);
});

test.each([
  ['http:/api.example.com/v1/pets', 'http://api.example.com/v1/pets'],
  [' http://api.example.com/v1/pets', 'http://api.example.com/v1/pets'],
  ['http:\\\\api.example.com\\v1\\pets', 'http://api.example.com/v1/pets'],
  ['HTTPS://API.example.com:443/v1/pets', 'https://api.example.com/v1/pets'],
  ['https://api.example.com/v1/\npets', 'https://api.example.com/v1/pets'],
  ['https://api.example.com', 'https://api.example.com'],
  ['https://api.example.com/v1/%70ets/%2e%2e?a={b}', 'https://api.example.com/v1/%70ets/%2e%2e?a={b}'],
])('the URL %j is read as a client sends it', (url, sent) => {
  expect(recorded({ url }).url).toBe(sent);
});

test.each([
  ['cache-status', 'a; fwd=miss'],
  ['x-cache', 'TCP_MISS from a1'],
  ['cf-cache-status', 'DYNAMIC'],
])('a response that no cache had is read: %s: %s', (name, value) => {
  expect(recorded({ answer: { [name]: value } }).response).toMatchObject({ status: 200 });
});

test('what Safari loaded from the network is read', () => {
  expect(recorded({ more: { _fetchType: 'Network Load' } }).response).toMatchObject({ status: 200 });
});

test.each([100, 599, 600, 999])('the status %i is read', (status) => {
  expect(recorded({ status }).response).toMatchObject({ status });
});

describe('what is left out', () => {
  const entry = entryOf();
  test.each([
    ['a text in place of an entry', 'text', 'unreadable'],
    ['no URL', { ...entry, request: { ...entry.request, url: 'about' } }, 'unreadable'],
    ['no time', { ...entry, startedDateTime: 'yesterday' }, 'unreadable'],
    ['a time that no clock shows', { ...entry, startedDateTime: '+275760-09-13T00:00:00Z' }, 'unreadable'],
    ['a duration that never ends', { ...entry, time: 1e300 }, 'unreadable'],
    [
      'a time of petspec that no clock shows',
      entryOf({ more: { _key: 'valid', _stage: 'list', _operation: 'listPets', _id: 1, _sentAt: -1e300 } }),
      'unreadable',
    ],
    ['an image in the page', entryOf({ url: 'data:image/png;base64,iVBORw0KGgo=' }), 'other-server'],
    ['a file', entryOf({ url: 'file:///v1/pets' }), 'other-server'],
    ['aborted', { ...entry, response: { ...entry.response, status: 0 } }, 'aborted'],
    ['no response', { ...entry, response: undefined }, 'aborted'],
    ['more than three digits', { ...entry, response: { ...entry.response, status: 1000 } }, 'aborted'],
    [
      'a status that is not a whole number',
      { ...entry, response: { ...entry.response, status: 200.5 } },
      'aborted',
    ],
    ["the browser's cache", entryOf({ more: { _fromCache: 'disk' } }), 'cached'],
    ['the cache of Safari', entryOf({ more: { _fetchType: 'Disk Cache' } }), 'cached'],
    ['a service worker', entryOf({ more: { _fetchedViaServiceWorker: true } }), 'cached'],
    ['a proxy that has it for a while', entryOf({ answer: { age: '12' } }), 'cached'],
    ['a proxy that says so', entryOf({ answer: { 'x-cache': 'HIT from edge' } }), 'cached'],
    [
      'a proxy that says so in the field of RFC 9211',
      entryOf({ answer: { 'cache-status': 'a; hit; ttl=9' } }),
      'cached',
    ],
    ['a proxy that says so in capitals', entryOf({ answer: { 'x-cache': 'TCP_HIT from a1' } }), 'cached'],
    ['nginx', entryOf({ answer: { 'x-cache-status': 'HIT' } }), 'cached'],
    ['a content delivery network', entryOf({ answer: { 'cf-cache-status': 'HIT' } }), 'cached'],
    ['not modified', entryOf({ status: 304, body: '' }), 'cached'],
  ])('%s', (_what, value, omitted) => {
    expect(readHarEntry(value)).toEqual({ omitted });
  });
});

describe('a body', () => {
  const withContent = (content: unknown) => {
    const entry = entryOf();
    return recorded({ ...entry, response: { ...entry.response, content } }).response;
  };
  test.each([
    ['not recorded', { size: 120, mimeType: 'application/json' }],
    ['shorter than it was', { size: 1_000, text: '[]' }],
    ['cut by petspec', { size: 4, text: `[1,2${CUT}` }],
    ['with characters that the recorder lost', { size: 5, text: '"\ufffd"' }],
    ['shorter than what compressing made of it', { size: 30, compression: -20, text: '[1,2]' }],
    ['shorter than it was, in base64', { size: 1_000, text: 'W10=', encoding: 'base64' }],
  ])('%s is not judged', (_what, content) => {
    expect(withContent(content)).toMatchObject({ body: '', unread: expect.any(String) });
  });
  test.each([
    ['as text', { size: 2, text: '[]' }, '[]'],
    ['whose size is that of the compressed body', { size: 1, text: '[1,2]' }, '[1,2]'],
    [
      'whose size is that of a longer compressed body',
      { size: 25, compression: -20, text: '[1,2]' },
      '[1,2]',
    ],
    [
      'whose size is that of a longer compressed body, in base64',
      { size: 22, compression: -20, text: 'W10=', encoding: 'base64' },
      '[]',
    ],
    ['of an unknown size', { size: -1, text: '[]' }, '[]'],
    ['in base64', { size: 4, text: Buffer.from('"é"').toString('base64'), encoding: 'base64' }, '"é"'],
    ['that is empty', { size: 0, mimeType: 'x' }, ''],
  ])('%s', (_what, content, body) => {
    expect(withContent(content)).toMatchObject({ body });
    expect(withContent(content)).not.toHaveProperty('unread');
  });
  test('in base64 that is not UTF-8', () => {
    const content = { size: 2, text: Buffer.from([0xff, 0xfe]).toString('base64'), encoding: 'base64' };
    expect(withContent(content)).toMatchObject({ undecodable: 'the body is not UTF-8' });
  });
});

test('bodies with more values than petspec reads are not known', () => {
  const values = Array<string>(300_000).fill('{}').join(',');
  const { response, requestBody } = recorded({ method: 'POST', request: `[${values}]`, body: `[${values}]` });
  expect(response).toMatchObject({ body: '', unread: 'the body contains more values than petspec reads' });
  expect(requestBody).toBeUndefined();
});

test('a request body that was cut or not recorded is unknown; one of 0 bytes is empty', () => {
  const request = (fields: object) => ({ ...entryOf(), request: { ...entryOf().request, ...fields } });
  const text = (fields: object) => recorded(request(fields)).requestBody;
  expect(text({ bodySize: 9 })).toBeUndefined();
  expect(text({ bodySize: -1 })).toBeUndefined();
  expect(text({ bodySize: 90, postData: { text: '{"name":' } })).toBeUndefined();
  expect(text({ bodySize: 0 })).toBe('');
  expect(text({ bodySize: 2, postData: { text: '{}' } })).toBe('{}');
});

test('what petspec recorded says which key and stage it was; what anybody else writes there does not count', () => {
  const own = {
    _key: 'longer',
    _stage: 'keys',
    _inFlight: 3,
    _operation: 'listPets',
    _id: 4,
    _probe: 'listPets:x',
  };
  expect(recorded(entryOf({ more: own })).own).toEqual({
    id: 4,
    key: 'longer',
    stage: 'keys',
    inFlight: 3,
    operation: 'listPets',
  });
  expect(recorded(entryOf({ more: { ...own, _key: 'mine' } })).own).toBeUndefined();
  const failed = entryOf({ more: { ...own, _error: 'reset: the connection was reset' } });
  expect(recorded({ ...failed, response: { ...failed.response, status: 0 } }).failure).toEqual({
    kind: 'reset',
    phase: 'headers',
    message: 'the connection was reset',
  });
});
