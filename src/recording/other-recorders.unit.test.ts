import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { entryOf, errorOf, harText, REX, type Said } from '../../test/recordings/entries.ts';
import { judgeHar, violatedIn } from '../../test/recordings/recorded-run.ts';
import { loadContract } from '../contract/load.ts';

// What recorders leave out, replace or write in their own way says nothing about the service.

const judged = (...all: Said[]) =>
  judgeHar(loadContract(), harText(all.map((each, index) => entryOf({ at: index * 1_000, ...each }))));

describe('a placeholder in place of the key may stand for several keys', () => {
  const refused: Said = { path: '/store/orders', status: 401, body: errorOf(401) };
  const placeholders = [
    ...[
      '[REDACTED]',
      '***',
      'xxxxx',
      '{{token}}',
      '<token>',
      '$' + '{TOKEN}',
      '%TOKEN%',
      '$TOKEN',
      'sk_live_****',
    ],
    ...['eyJhbGci...', 'REDACTED', '__redacted__', 'YOUR_API_KEY', 'api-key', '•••••', '<BEARER TOKEN>'],
    ...['sk-XXXXXXXX', '(hidden)', 'petspec-another-key'],
  ];

  test.each(placeholders)('Bearer %s', async (key) => {
    const other = { 'x-ratelimit-limit': '300', 'x-ratelimit-remaining': '299' };
    const { findings, keys, files } = await judged(
      { key },
      { ...refused, key },
      { key, answer: other },
      { key },
    );
    expect(violatedIn(findings)).toEqual([]);
    expect(keys).toBe(0);
    expect(files).toMatchObject([{ judged: 4 }]);
  });

  test.each(['[REDACTED]', 'Basic [REDACTED]', 'REDACTED'])('Authorization: %s', async (authorization) => {
    const hidden = { key: null, headers: { authorization } };
    const { findings, keys } = await judged({ key: '[REDACTED]' }, hidden, hidden);
    expect(violatedIn(findings)).toEqual([]);
    expect(keys).toBe(0);
  });

  test.each([
    '0a1B2c3D4e',
    'secret-key-1',
    'my-service-token-7',
    'tokenize',
    'abc.def-ghi_jkl~mno+pqr/stu==',
  ])('but %s is a key', async (key) => {
    const { findings, keys } = await judged({ key }, { ...refused, key }, { key });
    expect(violatedIn(findings)).toEqual(['authentication.accepted']);
    expect(keys).toBe(1);
  });
});

describe('a word where the interface has a number is another path', () => {
  test.each<[string, Said]>([
    ['/pets/count', { body: { count: 3 } }],
    ['/pets/findByStatus?status=sold', { body: [REX] }],
    ['/pets/export', { body: 'id,name', answer: { 'content-type': 'text/csv' } }],
    ['/pets/_search', { body: { hits: [] } }],
    ['/pets/latest', { status: 302, body: '', answer: { location: '/v1/pets/1' } }],
  ])('%s, which the service did not refuse', async (path, said) => {
    const { findings, files } = await judged({}, { path, ...said }, {});
    expect(violatedIn(findings)).toEqual([]);
    expect(files).toMatchObject([{ judged: 2, omissions: { 'other-path': 1 } }]);
  });

  test('but what refuses it is judged, and a number is an id', async () => {
    const refused: Said = { path: '/pets/abc', status: 400, body: errorOf(400) };
    expect((await judged(refused)).files).toMatchObject([{ judged: 1 }]);
    expect(violatedIn((await judged({ path: '/pets/5', body: { count: 3 } })).findings)).toEqual(['Pet']);
    const failed: Said = { path: '/pets/abc', status: 500, body: errorOf(500) };
    expect(violatedIn((await judged({}, failed)).findings)).toHaveLength(1);
  });
});

describe('headers', () => {
  const withHeaders = (headers: object[]): Said => ({
    more: { response: { ...entryOf().response, headers } },
  });
  const lines: { name: string; value: unknown }[] = entryOf().response.headers;

  test('may have numbers as their values', async () => {
    const numbers = lines.map(({ name, value }) =>
      /^\d+$/.test(String(value)) ? { name, value: Number(value) } : { name, value },
    );
    const { findings } = await judged(withHeaders(numbers));
    expect(violatedIn(findings)).toEqual([]);
    expect(findings['X-RateLimit-Limit.schema']).toMatchObject({ status: 'met' });
  });

  test('that a page of another origin may read do not show that others are missing', async () => {
    const readable = [
      { name: 'content-type', value: 'application/json' },
      { name: 'cache-control', value: 'no-store' },
    ];
    const { findings, files } = await judged(withHeaders(readable), {});
    expect(violatedIn(findings)).toEqual([]);
    expect(files).toMatchObject([{ judged: 1, omissions: { 'no-headers': 1 } }]);
    const dated = [...readable, { name: 'date', value: new Date().toUTCString() }];
    expect(violatedIn((await judged(withHeaders(dated))).findings)).toEqual(['X-RateLimit-Limit']);
  });
});

describe('a body that the entry contradicts is unknown', () => {
  const answered = (content: object, answer: Record<string, string> = {}, bodySize = -1): Said => {
    const { response } = entryOf({ answer });
    return { more: { response: { ...response, content, bodySize } } };
  };
  test.each<[string, Said]>([
    ['Content-Length of a response', answered({ size: 0 }, { 'content-length': '62' })],
    ['Content-Length, and an empty text', answered({ size: 0, text: '' }, { 'content-length': '62' })],
    ['the size on the wire', answered({ size: 0 }, {}, 62)],
    ['an unknown size', answered({ size: -1, text: '' })],
    [
      'compressed bytes that are cut',
      answered({ size: 62, text: 'H4sIAAAAAAAAA4uO', encoding: 'base64' }, { 'content-encoding': 'gzip' }),
    ],
  ])('%s', async (_what, said) => {
    const { findings, files } = await judged(said);
    expect(violatedIn(findings)).toEqual([]);
    expect(files).toMatchObject([{ judged: 1, omissions: { 'body-missing': 1 } }]);
  });

  test('but an empty one that nothing contradicts is empty', async () => {
    const { findings } = await judged(answered({ size: 0, text: '' }, { 'content-length': '0' }, 0));
    expect(violatedIn(findings)).toEqual(['listPets.200.body']);
  });

  test('Content-Length of a request', async () => {
    const sent: Said = {
      method: 'POST',
      status: 201,
      body: REX,
      headers: { 'content-type': 'application/json' },
    };
    const length = { 'content-length': '29', ...sent.headers };
    expect(violatedIn((await judged({ ...sent, headers: length })).findings)).toEqual([]);
    expect(violatedIn((await judged(sent)).findings)).toHaveLength(1);
  });

  const LIST = JSON.stringify([REX]);
  test.each([
    ['gzip', gzipSync(LIST)],
    ['deflate', deflateSync(LIST)],
    ['br', brotliCompressSync(LIST)],
    ['gzip', Buffer.from(LIST)],
  ])('base64 of bytes with Content-Encoding: %s, compressed or not, is read', async (coding, bytes) => {
    const content = { size: LIST.length, text: bytes.toString('base64'), encoding: 'Base64' };
    const { findings, files } = await judged(answered(content, { 'content-encoding': coding }));
    expect(violatedIn(findings)).toEqual([]);
    expect(files).toMatchObject([{ judged: 1, omissions: {} }]);
    expect(findings['Pet.id']).toMatchObject({ status: 'met' });
  });
});

describe('a record that an unlisted request changed may differ from what was created', () => {
  const created: Said = { method: 'POST', request: { name: 'Rex', categoryId: 7 }, status: 201, body: REX };
  const renamed = { ...REX, name: 'Max' };
  const later: Said[] = [{ path: '/pets/1', body: renamed }, { body: [renamed] }];

  test.each<[string, Said]>([
    ['PUT', { method: 'PUT', path: '/pets/1', request: { name: 'Max' }, body: renamed }],
    ['PATCH', { method: 'PATCH', path: '/pets/1/', request: { name: 'Max' }, status: 204, body: '' }],
    ['DELETE', { method: 'DELETE', path: '/pets/1', status: 204, body: '' }],
    ['POST below it', { method: 'POST', path: '/pets/1/rename', request: { name: 'Max' }, body: renamed }],
  ])('%s', async (_what, write) => {
    expect(violatedIn((await judged(created, write, ...later)).findings)).toEqual([]);
  });

  test.each<[string, Said[]]>([
    ['nothing', []],
    ['a write that was refused', [{ method: 'PUT', path: '/pets/1', status: 405, body: errorOf(405) }]],
    ['a write to another record', [{ method: 'PUT', path: '/pets/11', body: REX }]],
    ['a read', [{ path: '/pets/1/owner', body: {} }]],
  ])('but not after %s', async (_what, writes) => {
    const { findings } = await judged(created, ...writes, ...later);
    expect(violatedIn(findings)).toContain('getPet.stored');
  });
});
