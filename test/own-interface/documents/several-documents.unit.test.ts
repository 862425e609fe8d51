import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serversAt } from '../../../src/cli/options/judging-flags.ts';
import { judgeRecordings } from '../../../src/recording/judge-recording.ts';
import { readRecording } from '../../../src/recording/reading/read-recording.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { violatedIn } from '../../recordings/recorded-run.ts';

const folder = mkdtempSync(join(tmpdir(), 'petspec-several-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function fileOf(name: string, content: object): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(content));
  return path;
}

/** A document with a list of items, whose ids and names of components the others have as well. */
function documentOf(openapi: string, path: string, item: object, server?: string) {
  const schema = { type: 'array', items: { $ref: '#/components/schemas/Item' } };
  const get = {
    operationId: 'list',
    responses: { 200: { description: 'x', content: { 'application/json': { schema } } } },
  };
  return {
    openapi,
    info: { title: path, version: '1' },
    ...(server === undefined ? {} : { servers: [{ url: server }] }),
    paths: { [path]: { get } },
    components: { schemas: { Item: { type: 'object', required: ['id'], ...item } } },
  };
}

const NAME_OR_NULL = { properties: { id: { type: 'integer' }, name: { type: 'string', nullable: true } } };
const TEXT_ID = { properties: { id: { type: 'string' }, parent: { $ref: '#/components/schemas/Item' } } };
const users = fileOf('users.json', documentOf('3.0.3', '/users', NAME_OR_NULL, '/v1'));
const orders = fileOf(
  'orders/openapi.json',
  documentOf('3.1.0', '/orders', TEXT_ID, 'https://api.example.com/v2'),
);

/** What traffic violates by these documents. */
async function violated(interfaces: readonly string[], responses: Readonly<Record<string, unknown>>) {
  const entries = Object.entries(responses).map(([path, value]) => ({
    startedDateTime: '2026-11-21T12:00:00.000Z',
    time: 5,
    request: {
      method: 'GET',
      url: `https://api.example.com${path}`,
      httpVersion: 'HTTP/1.1',
      headers: [],
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: 0,
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      redirectURL: '',
      headersSize: -1,
      bodySize: -1,
      headers: [
        { name: 'Content-Type', value: 'application/json' },
        { name: 'Date', value: 'Sat, 21 Nov 2026 12:00:00 GMT' },
      ],
      content: { size: 1, mimeType: 'application/json', text: JSON.stringify(value) },
    },
    cache: {},
    timings: { send: 0, wait: 5, receive: 0 },
  }));
  const har = fileOf('traffic.har', {
    log: { version: '1.2', creator: { name: 'x', version: '1' }, entries },
  });
  const { contract, checks } = await interfaceOf({ interface: interfaces });
  const servers = serversAt('https://api.example.com', contract, '--base-url');
  const recording = { name: har, entries: readRecording(har, process.stdin) };
  const { findings, files } = await judgeRecordings(contract, checks, [recording], { servers, redact: [] });
  expect(files[0]).toMatchObject({ judged: entries.length, omissions: {} });
  return violatedIn(findings);
}

test('each request is judged by its document, in the words of its version', async () => {
  const sound = { '/v1/users': [{ id: 1, name: null }], '/v2/orders': [{ id: 'o1', parent: { id: 'o0' } }] };
  expect(await violated([users, orders], sound)).toEqual([]);
  const wrong = { '/v1/users': [{ id: 1 }], '/v2/orders': [{ id: 'o1', parent: { id: 5 } }] };
  expect(await violated([users, orders], wrong)).toEqual(['orders/Item.id']);
  expect(await violated([orders, users], { ...sound, '/v1/users': [{ id: 'u1' }] })).toEqual([
    'users/Item.id',
  ]);
});

test('a property may be called as a keyword is', async () => {
  const kind = { properties: { id: { type: 'string' }, default: { $ref: '#/components/schemas/Kind' } } };
  const withKind = (path: string, type: string, server: string) => {
    const made = documentOf('3.1.0', path, kind, server);
    return {
      ...made,
      components: {
        schemas: { ...made.components.schemas, Kind: { type: 'object', properties: { name: { type } } } },
      },
    };
  };
  const [one, other] = [
    fileOf('one.json', withKind('/ones', 'integer', '/v1')),
    fileOf('other.json', withKind('/others', 'string', '/v2')),
  ];
  const responses = {
    '/v1/ones': [{ id: 'a', default: { name: 1 } }],
    '/v2/others': [{ id: 'b', default: { name: 5 } }],
  };
  expect(await violated([one, other], responses)).toEqual(['other/Kind.name']);
});

test('a base path may be named before the file', async () => {
  const plain = fileOf('plain.json', documentOf('3.1.0', '/things', TEXT_ID));
  const [at, once] = [`/x/y=${plain}`, `/v1=${orders}`];
  expect(await violated([at, once], { '/x/y/things': [{ id: 5 }], '/v1/orders': [{ id: 'o1' }] })).toEqual([
    'plain/Item.id',
  ]);
});

test('documents that cannot be told apart are refused, and sentences of one alone', async () => {
  const other = fileOf('other/users.json', documentOf('3.1.0', '/people', TEXT_ID));
  await expect(interfaceOf({ interface: [users, other] })).rejects.toThrow(
    "--interface: two documents are called 'users'; rename a file, as ids begin with its name",
  );
  const shop = fileOf('shop/openapi.json', documentOf('3.1.0', '/shop', TEXT_ID));
  const sentence = {
    id: 'list.sorted',
    level: 'must',
    section: 'Lists',
    operation: 'list',
    statement: 'The list is sorted.',
  };
  fileOf('shop/requirements.yaml', { requirements: [sentence] });
  await expect(interfaceOf({ interface: [users, dirname(shop)] })).rejects.toThrow(
    'it has a requirements.yaml',
  );
});

test('the target of several documents has no path', async () => {
  const { contract } = await interfaceOf({ interface: [users, orders] });
  expect(() => serversAt('https://api.example.com/v1', contract, 'target')).toThrow(
    "target: 'https://api.example.com/v1' has a path, and each of several documents has its own; name https://api.example.com",
  );
});
