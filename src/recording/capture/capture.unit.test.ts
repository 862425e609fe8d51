import { expect, test } from 'vitest';
import { operation, parameter, pathParameter, response } from '../../../test/operations/operations.ts';
import { BASE, entryOf, type Said } from '../../../test/recordings/entries.ts';
import { loadContract } from '../../contract/load.ts';
import type { Schema } from '../../model/contract.ts';
import { UsageError } from '../../model/usage-error.ts';
import { classify } from '../../traffic/classify.ts';
import { readHarEntry } from '../reading/entry.ts';
import type { Recorded } from '../recorded.ts';
import { type Captured, recordingCapture } from './capture.ts';
import { redactableFields } from './redact-fields.ts';

const contract = loadContract();

/** Captures exchanges whose secrets can all be hidden. */
function capturing(...of: Parameters<typeof recordingCapture>): (recorded: Recorded) => Captured {
  const capture = recordingCapture(...of);
  return (recorded) => capture(recorded) as Captured;
}

function captured(said: Said, capture = capturing(contract, [])) {
  return capture(recordedOf(said));
}

function recordedOf(said: Said): Recorded {
  const read = readHarEntry(entryOf(said));
  if ('omitted' in read) throw new Error(read.omitted);
  return read.recorded;
}

const parametersOf = (many: number) =>
  Array.from({ length: many }, (_, index) => `token=sk-${10_000 + index}`).join('&');
const cookiesOf = (many: number) =>
  Array.from({ length: many }, (_, index) => `c${index}=cookie-${10_000 + index}`).join('; ');

const twoKeys = { key: null, headers: { authorization: 'Bearer sk-first\nBearer sk-second' } };
const listedKeys = { key: null, headers: { authorization: 'Bearer sk-first, Bearer sk-second' } };
const withUser = BASE.replace('//', '//alice:Passw0rdUrl@').concat('/pets');

test.each<[string, Said, string]>([
  ['the key', { key: 'sk_live_4242', body: { echo: 'sk_live_4242' } }, 'sk_live_4242'],
  [
    'the key in base64 in a header',
    { key: 'sk_live_4242', answer: { 'x-echo': 'c2tfbGl2ZV80MjQy' } },
    'c2tfbGl2ZV80MjQy',
  ],
  [
    'user and password',
    { key: null, headers: { authorization: 'Basic dXNlcjpodW50ZXIyLTEyMw==' } },
    'dXNlcjpodW50ZXIyLTEyMw==',
  ],
  [
    'a cookie',
    { headers: { cookie: 'sid=8f14e45fceea167a' }, body: { sid: '8f14e45fceea167a' } },
    '8f14e45fceea167a',
  ],
  ['a new cookie', { answer: { 'set-cookie': 'sid=8f14e45fceea167a; Path=/' } }, '8f14e45fceea167a'],
  ['a key in the query', { path: '/pets?api_key=8f14e45fceea167a' }, '8f14e45fceea167a'],
  ['another key in a header', { headers: { 'x-api-key': 'abc' }, body: 'x' }, '"abc"'],
  ['the first of two keys', { ...twoKeys, body: ['sk-first', 'x'] }, 'sk-first'],
  ['the second of two keys', { ...twoKeys, body: ['x', 'sk-second'] }, 'sk-second'],
  ['a key in a list', { ...listedKeys, body: ['sk-first', 'x'] }, 'sk-first'],
  ['the last key in a list', { ...listedKeys, body: ['x', 'sk-second'] }, 'sk-second'],
  ['a cookie without a digit', { headers: { cookie: 'sid=abcdefghijkl' }, body: 'abcdefghijkl' }, 'abcdef'],
  ['a short cookie', { headers: { cookie: 'sid=x; s=short1' }, body: 'a\nshort1' }, 'short1'],
  [
    'a key of words in a header',
    { headers: { 'x-api-key': 'correct-horse-battery-staple' }, body: 'correct-horse-battery-staple' },
    'horse',
  ],
  ['a password in the URL', { url: withUser, body: ['Passw0rdUrl'] }, 'Passw0rdUrl'],
  ['a user in the URL', { url: withUser }, 'alice'],
  ['a key in the query that is no UTF-8', { path: '/pets?api_key=caf%E9-8f14e45f' }, '8f14e45f'],
  ['a key in the query with spaces', { path: '/pets?api_key=of+the%20store+8f14e45f' }, '8f14e45f'],
  ['a token in the fragment', { path: '/pets#access_token=frag-token-x', body: 'frag-token-x' }, 'frag-tok'],
])('%s is nowhere in what is captured', (_what, said, secret) => {
  expect(JSON.stringify(captured(said))).not.toContain(secret);
});

test.each(['sig', 'sid', 'pwd', 'otp', 'hmac', 'credential', 'csrf', 'storeKey'])(
  'a parameter %s is nowhere in what is captured',
  (name) => {
    const secret = '8f14e45fceea167a';
    const said = { path: `/pets?${name}=${secret}`, body: { echo: secret } };
    expect(JSON.stringify(captured(said))).not.toContain(secret);
  },
);

test.each(['X-Auth', 'X-Jwt', 'X-Signature', 'X-Credential', 'X-Csrf', 'X-Hmac', 'X-Passphrase', 'X-Key'])(
  'a header %s is nowhere in what is captured',
  (name) => {
    const secret = '8f14e45fceea167a';
    const said = { headers: { [name]: secret }, answer: { [name]: secret }, body: { echo: secret } };
    expect(JSON.stringify(captured(said))).not.toContain(secret);
  },
);

test.each(['undecodable', 'unread'] as const)(
  'the key is not in what says why a body is %s, which may quote a header',
  (field) => {
    const read = readHarEntry(entryOf({ key: 'sk_live_4242' }));
    if ('omitted' in read || !read.recorded.response) throw new Error('the entry has no response');
    const why = 'the content coding sk_live_4242 is unknown';
    const response = { ...read.recorded.response, body: '', [field]: why };
    const shown = capturing(contract, [])({ ...read.recorded, response });
    expect(shown.response?.[field]).toMatch(/^the content coding \S+ is unknown$/);
    expect(JSON.stringify(shown)).not.toContain('sk_live_4242');
  },
);

test.each<[string, string, unknown]>([
  ['a word of the interface', 'filter=available', [{ status: 'available' }]],
  ['a word of a path', 'view=example', 'at /pets'],
  ['a part of a word', 'theme=purple', 'purplest'],
  ['a number', 'last=1764131460', [{ id: 1764131460 }]],
  ['a mail address', 'user=ada@example.com', { mail: 'ada@example.com' }],
  ['a media type', 'as=application', []],
])('%s that is a cookie as well stays in a body', (_what, cookie, body) => {
  const { url, response } = captured({ headers: { cookie }, body });
  expect(response?.body).toBe(typeof body === 'string' ? body : JSON.stringify(body));
  expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({ 'content-type': 'application/json' });
  expect(url).toBe(`${BASE}/pets`);
});

test('the time at which a cookie expires stays in Date, and its domain in the URL', () => {
  const date = 'Sat, 21 Nov 2026 12:00:00 GMT';
  const shown = captured({
    headers: { cookie: 'host=api.example.com' },
    answer: { date, 'set-cookie': `sid=8f14e45fceea167a; Expires=${date}; Domain=api.example.com` },
  });
  expect(shown.response?.headers).toContainEqual(['date', date]);
  expect(shown.url).toBe(`${BASE}/pets`);
});

test('a header that says how to authenticate is shown', () => {
  const said = { status: 401, answer: { 'www-authenticate': 'Bearer realm="animals"' } };
  expect(captured(said).response?.headers).toContainEqual(['www-authenticate', 'Bearer realm="animals"']);
});

test('a header is shown if the interface says that its values are numbers, times or stated', () => {
  const [first, ...others] = contract.operations;
  const [response, ...rest] = first?.responses ?? [];
  if (!first || !response) throw new Error('the interface has no response');
  const schemas = {
    'X-Token-Count': { type: 'integer' },
    'X-Session-Expires': { type: 'string', format: 'date-time' },
    'X-Session-State': { type: 'string', enum: ['established', 'terminated'] },
    'X-Session-Name': { type: 'string' },
  };
  const headers = Object.entries(schemas).map(([name, schema]) => ({ name, required: false, schema }));
  const operations = [{ ...first, responses: [{ ...response, headers }, ...rest] }, ...others];
  const answer = {
    'X-Token-Count': '12345678',
    'X-Session-Expires': '2026-11-26T10:00:00.000Z',
    'X-Session-State': 'established',
    'X-Session-Name': 'a9-session-of-ada',
  };
  const shown = captured({ answer }, capturing({ ...contract, operations } as typeof contract, []));
  expect(Object.fromEntries(shown.response?.headers ?? [])).toMatchObject({
    ...answer,
    'X-Session-Name': '[hidden]',
  });
});

test('each of many keys is nowhere: in its own exchange in any encoding, and elsewhere as it is', () => {
  const capture = capturing(contract, []);
  const keys = Array.from({ length: 250 }, (_, index) => `sk_live_${4242 + index}_x${index}`);
  for (const key of keys) {
    const echo = Buffer.from(key).toString('base64');
    expect(JSON.stringify(captured({ key, body: { echo, key } }, capture))).not.toMatch(
      new RegExp(`${key}|${echo}`),
    );
  }
  const [latest = ''] = keys.slice(-1);
  const later = captured({ key: 'another-key-1', body: { latest, before: keys[200] } }, capture);
  expect(later.response?.body).not.toContain('sk_live');
});

test.each<[what: string, least: number, said: (many: number) => Said]>([
  ['keys', 100, (many) => ({ path: `/pets?${parametersOf(many)}` })],
  ['cookies', 1_000, (many) => ({ headers: { cookie: cookiesOf(many) } })],
])('what has more %s than can be hidden is not shown', (_what, most, saidWith) => {
  const shownOf = (many: number) =>
    recordingCapture(contract, [])(recordedOf({ key: null, ...saidWith(many) }));
  expect(shownOf(most)).toBeDefined();
  expect(shownOf(most + 1)).toBeUndefined();
  expect(shownOf(5_000)).toBeUndefined();
});

test('each of several keys that go together is nowhere, whatever its parameter is called', () => {
  const keys = { client: 'cl13nt-of-ann-77', code: 'c0de-of-ann-4242' };
  const credential = { in: 'header', name: 'X-Client', key: 'client' } as const;
  const furtherCredentials = [{ in: 'query', name: 'appcode', key: 'code' } as const];
  const own = { ...contract, operations: [operation({ secured: true, credential, furtherCredentials })] };
  const said: Said = { key: null, path: `/pets?appcode=${keys.code}`, headers: { 'x-client': keys.client } };
  const text = JSON.stringify(captured({ ...said, body: Object.values(keys) }, capturing(own, [])));
  for (const key of Object.values(keys)) expect(text).not.toContain(key);
});

test('keys are told apart, and differently each time', () => {
  const capture = capturing(contract, []);
  const print = (key: string) => captured({ key }, capture).sentKey.fingerprint;
  expect(print('one')).toBe(print('one'));
  expect(print('one')).not.toBe(print('two'));
  expect(print('one')).not.toBe(captured({ key: 'one' }).sentKey.fingerprint);
});

test('what a shell repeats the request with takes the key from the variable', () => {
  const { requestHeaders } = captured({ key: 'sk_live_4242' });
  expect(requestHeaders).toContainEqual(['authorization', 'Bearer $PETSPEC_API_KEY']);
});

test.each([
  ['not recorded', { key: null }, 'unknown'],
  ['bearer, in any case', { key: null, headers: { authorization: 'bEARER abc' } }, 'own'],
  ['empty', { key: '' }, 'empty'],
  ['another scheme', { key: null, headers: { authorization: 'Token abc' } }, 'other-scheme'],
  ['bare', { key: null, headers: { authorization: 'abcdef' } }, 'bare'],
] as const)('the form of the key: %s', (_what, said, form) => {
  expect(captured(said).sentKey.form).toBe(form);
});

test('named fields are replaced at any depth, equal ones alike', () => {
  const capture = capturing(contract, ['owner', 'X-Tenant']);
  const body = {
    pets: [{ owner: 'Ada Lovelace', n: 1 }, { owner: { name: 'Ada Lovelace', phone: 12345678 } }],
  };
  const said = { path: '/pets?owner=Ada', body, headers: { 'x-tenant': 'acme' } };
  const { url, requestHeaders, response } = captured(said, capture);
  const all = JSON.stringify([url, requestHeaders, response]);
  expect(all).not.toMatch(/Ada|Lovelace|12345678|acme/);
  const shown = JSON.parse(response?.body ?? '');
  expect(shown.pets[0].owner).toBe(shown.pets[1].owner.name);
  expect(shown.pets[0].n).toBe(1);
  expect(url.startsWith(`${BASE}/pets?owner=`)).toBe(true);
});

test.each([
  ['an escaped name', '{"gr\\u00f6\\u00DFe":"tall-as-ada"}'],
  ['an escaped letter', '{"\\u0067röße":"tall-as-ada"}'],
  ['a name in capitals', '{"GRÖßE":"tall-as-ada"}'],
  ['an escaped name in a body that is cut', '[{"gr\\u00f6\\u00dfe":"tall-as-ada"'],
])('a named field is replaced whatever its spelling: %s', (_what, body) => {
  const shown = captured({ body, method: 'POST' }, capturing(contract, ['größe']));
  expect(shown.response?.body).toMatch(/redacted/);
  expect(shown.response?.body).not.toContain('tall');
});

test('the value of a parameter that is replaced is not known, whatever its type', () => {
  const list = operation({ path: '/pets', parameters: [parameter('owner', { type: 'integer' })] });
  const { url, requestHeaders } = captured(
    { path: '/pets?owner=4711' },
    capturing({ ...contract, operations: [list] }, ['owner']),
  );
  expect(url).not.toContain('4711');
  const request = { method: 'GET', url, headers: requestHeaders };
  const { problems, values } = classify({ ...contract, operations: [list] }, { baseUrl: BASE }, request);
  expect({ problems, values }).toEqual({ problems: [], values: [] });
});

test('a field whose values are in paths cannot be hidden', () => {
  const link = { operation: 'getThing', parameter: 'thingId', pointer: '/data/0/number' };
  const list = operation({ responses: [response('200', { links: [link] })] });
  const get = operation({
    id: 'getThing',
    path: '/things/{thingId}',
    parameters: [pathParameter('thingId', {})],
  });
  for (const name of ['thingId', 'thingid', 'number', 'data'])
    expect(() => redactableFields({ operations: [list, get] }, [name])).toThrow(
      new UsageError(`--redact: ${name} cannot be hidden, as paths contain its values`),
    );
  expect(() => redactableFields({ operations: [list, get] }, ['owner'])).not.toThrow();
});

test('a field that the interface restricts cannot be hidden', () => {
  expect(() => redactableFields(contract, ['owner', 'name'])).not.toThrow();
  for (const name of ['status', 'createdAt', 'X-RateLimit-Limit', 'content-type'])
    expect(() => redactableFields(contract, [name])).toThrow(UsageError);
});

test.each<[string, Schema, boolean]>([
  ['a text', { type: 'string' }, true],
  ['a number of 64 bits', { type: 'integer', format: 'int64' }, true],
  ['a number of 32 bits', { type: 'integer', format: 'int32' }, false],
  ['a pattern', { type: 'string', pattern: '^cus_' }, false],
  ['a multiple', { type: 'number', multipleOf: 5 }, false],
  ['an exclusive bound', { type: 'number', exclusiveMaximum: 5 }, false],
])('the value of %s can be hidden or not, at any depth', (_what, code, isHidden) => {
  const owner: Schema = { type: 'object', properties: { code } };
  const schema: Schema = { type: 'array', items: { type: 'object', properties: { owner } } };
  const operations = [operation({ responses: [response('200', { schema, bodyRequirement: 'list' })] })];
  const check = () => redactableFields({ operations }, ['code']);
  if (isHidden) expect(check).not.toThrow();
  else expect(check).toThrow(UsageError);
});
