import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../../src/index.ts';
import { interfaceOf } from '../../../src/run/contract-of.ts';
import { DEFAULT_OPTIONS } from '../../../src/run/options.ts';
import { makePlan } from '../../../src/run/plan.ts';
import { documentWith, judged } from '../small-service.ts';

type Got = { url: string; headers: Record<string, string | string[] | undefined> };

/** A service that answers each request with an empty list, and keeps what it got. */
async function startService() {
  const got: Got[] = [];
  const server = createServer(({ url = '', headers }, response) => {
    got.push({ url, headers });
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

/** A folder with a document of one operation, and perhaps a file of examples. */
function folderOf(path: string, parameters: object[], examples?: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-parameters-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const content = { 'application/json': { schema: { type: 'array' } } };
  const get = { operationId: 'list', parameters, responses: { 200: { description: 'Things.', content } } };
  writeFileSync(
    join(folder, 'openapi.json'),
    JSON.stringify({ openapi: '3.1.0', paths: { [path]: { get } } }),
  );
  if (examples !== undefined) writeFileSync(join(folder, 'examples.yaml'), examples);
  return folder;
}

const LIST = { type: 'array', items: { type: 'string' } };
const POINT = { type: 'object', properties: { x: { type: 'integer' }, y: { type: 'integer' } } };
const ids = ['a', 'b'];
const point = { x: 1, y: 2 };

// The table of OpenAPI 3.1 (section 4.8.12.4).
const STYLES: [what: string, parameter: object, sent: string | RegExp][] = [
  ['a text', { in: 'query', schema: { type: 'string' }, example: 'a&b c' }, '/t?p=a%26b%20c'],
  ['a list, form', { in: 'query', schema: LIST, example: ids }, '/t?p=a&p=b'],
  ['a list, form, not exploded', { in: 'query', explode: false, schema: LIST, example: ids }, '/t?p=a,b'],
  [
    'a list, spaces',
    { in: 'query', style: 'spaceDelimited', explode: false, schema: LIST, example: ids },
    '/t?p=a%20b',
  ],
  [
    'a list, pipes',
    { in: 'query', style: 'pipeDelimited', explode: false, schema: LIST, example: ids },
    '/t?p=a%7Cb',
  ],
  ['an object, form', { in: 'query', schema: POINT, example: point }, '/t?x=1&y=2'],
  [
    'an object, form, not exploded',
    { in: 'query', explode: false, schema: POINT, example: point },
    '/t?p=x,1,y,2',
  ],
  [
    'an object, deep',
    { in: 'query', style: 'deepObject', schema: POINT, example: point },
    '/t?p%5Bx%5D=1&p%5By%5D=2',
  ],
  [
    'an object as JSON',
    { in: 'query', content: { 'application/json': { schema: POINT } }, example: point },
    '/t?p=%7B%22x%22:1,%22y%22:2%7D',
  ],
  [
    'an object without an example',
    { in: 'query', style: 'deepObject', schema: POINT },
    '/t?p%5Bx%5D=1&p%5By%5D=1',
  ],
  ['a text of the path', { in: 'path', schema: { type: 'string' }, example: 'a/b' }, '/t/a%2Fb'],
  ['a list, simple', { in: 'path', schema: LIST, example: ids }, '/t/a,b'],
  ['a list, simple, with a comma', { in: 'path', schema: LIST, example: ['a,b', 'c/d'] }, '/t/a%2Cb,c%2Fd'],
  ['a text, label', { in: 'path', style: 'label', schema: { type: 'string' }, example: 'a;b' }, '/t/.a%3Bb'],
  ['a number, matrix', { in: 'path', style: 'matrix', schema: { type: 'integer' }, example: 5 }, '/t/;p=5'],
  ['a list, label', { in: 'path', style: 'label', explode: true, schema: LIST, example: ids }, '/t/.a.b'],
  [
    'a list, matrix',
    { in: 'path', style: 'matrix', explode: true, schema: LIST, example: ids },
    '/t/;p=a;p=b',
  ],
  ['an object, simple', { in: 'path', explode: true, schema: POINT, example: point }, '/t/x=1,y=2'],
  [
    'an object, matrix',
    { in: 'path', style: 'matrix', explode: true, schema: POINT, example: point },
    '/t/;x=1;y=2',
  ],
];

test.each(STYLES)('%s is written as its style says', async (_, parameter, sent) => {
  const isInPath = 'in' in parameter && parameter.in === 'path';
  const { baseUrl, got } = await startService();
  const path = isInPath ? '/t/{p}' : '/t';
  await run({ baseUrl, interface: folderOf(path, [{ name: 'p', required: true, ...parameter }]) });
  expect(decoded(got[0]?.url)).toBe(decoded(sent as string));
});

/** JSON in a query may have its colons encoded or not. */
function decoded(url = ''): string {
  return url.replaceAll('%3A', ':');
}

test.each([
  ['a text', { in: 'header', schema: { type: 'string' }, example: 'a, b' }, 'x-p', 'a, b'],
  ['a list', { in: 'header', schema: LIST, example: ids }, 'x-p', 'a,b'],
  ['an object', { in: 'header', explode: true, schema: POINT, example: point }, 'x-p', 'x=1,y=2'],
  ['a number without an example', { in: 'header', schema: { type: 'integer', minimum: 7 } }, 'x-p', '7'],
  ['a cookie', { in: 'cookie', schema: { type: 'string' }, example: 'abc' }, 'cookie', 'X-P=abc'],
])('%s is sent in its header, or as a cookie', async (_, parameter, header, value) => {
  const { baseUrl, got } = await startService();
  await run({ baseUrl, interface: folderOf('/t', [{ name: 'X-P', required: true, ...parameter }]) });
  expect(got[0]?.headers[header]).toBe(value);
});

test('headers that OpenAPI ignores are not sent; optional ones are sent with all others', async () => {
  const { baseUrl, got } = await startService();
  const schema = { type: 'string', enum: ['one'] };
  const parameters = ['Accept', 'X-Tenant'].map((name) => ({ name, in: 'header', schema }));
  await run({ baseUrl, interface: folderOf('/t', parameters) });
  expect(got.map(({ headers }) => [headers.accept, headers['x-tenant']])).toEqual([
    ['application/json', undefined],
    ['application/json', 'one'],
  ]);
});

test('what no example of the document says is stated in a file', async () => {
  const { baseUrl, got } = await startService();
  const schema = { type: 'string' };
  const parameters = [
    { name: 'id', in: 'path', required: true, schema },
    { name: 'X-Tenant', in: 'header', required: true, schema: { type: 'string', pattern: '^t-\\d+$' } },
    { name: 'page', in: 'query', schema },
  ];
  const folder = folderOf(
    '/t/{id}',
    parameters,
    "'*': { header: { x-tenant: t-9 } }\nlist: { path: { id: 17 }, query: { page: c } }\n",
  );
  const without = await run({ baseUrl, interface: folder });
  expect([without.verdict, got]).toEqual(['incomplete', []]);
  expect(without.requirements.find(({ id }) => id === 'list.200')?.reason).toContain(
    'no value known for {id}; give it an example in the document, or with --example',
  );
  const report = await run({ baseUrl, interface: folder, example: join(folder, 'examples.yaml') });
  expect([report.verdict, got[0]?.url, got[0]?.headers['x-tenant']]).toEqual([
    'conformant',
    '/t/17?page=c',
    't-9',
  ]);
});

test.each([
  [
    'an unknown operation',
    'lists: {}',
    "unknown operation 'lists'; name an operation id, or method and path; did you mean 'list'?",
  ],
  ['an unknown place', 'list: { paht: {} }', "list: unknown name 'paht'; expected one of path, query"],
  ['an unknown parameter', 'list: { path: { Id: 1 } }', "list has no path parameter 'Id'"],
  ['a body for a read', 'list: { body: 1 }', 'list has no request body'],
  ['a number in place of a mapping', 'list: 7', 'list is not a mapping'],
  ['text that is not YAML', 'list: [', 'examples.yaml:1:8: '],
])('examples with %s are refused in one line', async (_, text, words) => {
  const folder = folderOf('/t/{id}', [{ name: 'id', in: 'path', required: true, schema: {} }], text);
  const reading = interfaceOf({ interface: folder, example: join(folder, 'examples.yaml') });
  const error: unknown = await reading.catch((thrown: unknown) => thrown);
  expect(String(error)).toMatch(/^UsageError: --\w+: [^\n]+$/);
  expect(String(error)).toContain(words);
});

test('examples that are not there, or for the bundled interface, are refused', async () => {
  const folder = folderOf('/t', []);
  await expect(interfaceOf({ interface: folder, example: '/no/such' })).rejects.toThrow(
    '/no/such: no such file',
  );
  await expect(interfaceOf({ example: '/no/such' })).rejects.toThrow(
    'the bundled interface needs no examples',
  );
});

test('examples allow what they name, and no operation whose id JavaScript happens to know', async () => {
  const folder = folderOf('/t', [], "'*': { header: { X-Tenant: t-9 } }");
  const file = join(folder, 'openapi.json');
  const document = JSON.parse(readFileSync(file, 'utf8'));
  const answer = { responses: { 200: { description: 'Done.' } } };
  const paths = { '/pay': { post: { operationId: 'constructor', ...answer } } };
  writeFileSync(file, JSON.stringify({ ...document, paths: { ...document.paths, ...paths } }));
  const example = join(folder, 'examples.yaml');
  const { contract, checks } = await interfaceOf({ interface: folder, example });
  const options = { ...DEFAULT_OPTIONS, baseUrl: 'http://127.0.0.1:9', interface: folder, write: true };
  const { probes } = makePlan(contract, checks, options);
  expect([...new Set(probes.map(({ operation }) => operation))]).toEqual(['list']);
});

test('an id that a list shows is written as the style of the path says', async () => {
  const item = { type: 'object', properties: { id: { type: 'integer' } } };
  const responses = (schema: object) => ({
    200: { description: 'x', content: { 'application/json': { schema } } },
    404: { description: 'None.' },
  });
  const id = { name: 'id', in: 'path', required: true, style: 'matrix', schema: { type: 'integer' } };
  const path = documentWith({
    '/t': { get: { operationId: 'list', responses: responses({ type: 'array', items: item }) } },
    '/t/{id}': { get: { operationId: 'get', parameters: [id], responses: responses(item) } },
  });
  const { report, asked } = await judged(path, ({ path: each }) =>
    each === '/t' ? [200, [{ id: 5 }]] : each === '/t/;id=5' ? [200, { id: 5 }] : [404],
  );
  expect(report.verdict).toBe('conformant');
  expect(asked.every((each) => each.path === '/t' || each.path.startsWith('/t/;id='))).toBe(true);
});
