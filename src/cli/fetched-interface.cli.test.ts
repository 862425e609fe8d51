import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { inProcess } from '../../test/command-line/in-process.ts';
import { testedCommandLine } from '../../test/command-line/tested-command-line.ts';

const KEY = 'a-key-of-the-target-71';
const { line, inFolder } = testedCommandLine(KEY);

const petspec = (options: readonly string[]) =>
  inProcess({ folder: line.folder, variables: { PETSPEC_API_KEY: KEY } }, options);

const THINGS = `openapi: 3.1.0
info: { title: Things, version: '1' }
security: [{ key: [] }]
paths:
  /things:
    get:
      operationId: list
      responses: { '200': { description: All., content: { application/json: { schema: { $ref: 'parts/things.yaml#/Things' } } } } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }
`;
const DIGEST = createHash('sha256').update(THINGS).digest('hex');
const PARTS = 'Things: { type: array, items: { type: string } }\n';

type Page = { status?: number; headers?: Record<string, string>; body?: string };

/** A server of documents that is the service as well, and keeps what it was asked. */
async function startServer(pages: Readonly<Record<string, Page>> = {}) {
  const asked: [path: string, headers: IncomingHttpHeaders][] = [];
  const all: Record<string, Page> = {
    '/docs/openapi.yaml': { body: THINGS },
    '/docs/parts/things.yaml': { body: PARTS },
    '/things': { headers: { 'content-type': 'application/json' }, body: '["a"]' },
    ...pages,
  };
  const server = createServer(({ url = '', headers: sent }, response) => {
    asked.push([url, sent]);
    const { status = 200, headers = {}, body = '' } = all[url.split('?')[0] ?? ''] ?? { status: 404 };
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

test('a document is fetched with its files, without the key and the headers of the run, and its digest is kept', async () => {
  const { origin, asked } = await startServer();
  const url = `${origin}/docs/openapi.yaml`;
  const options = ['--interface-header', 'X-Docs: a-docs-secret', '--interface-digest', DIGEST.toUpperCase()];
  const ran = await petspec([
    'run',
    origin,
    '--interface',
    `${url}?v=1`,
    '--header',
    'X-Gate: g',
    ...options,
    '--out',
    'out',
  ]);
  expect(ran.err).toContain(`interface ${url}, SHA-256 ${DIGEST}\n`);
  const [documents, others] = [true, false].map((isOf) =>
    asked.filter(([path]) => path.startsWith('/docs/') === isOf),
  );
  expect(documents?.map(([path]) => path)).toEqual(['/docs/openapi.yaml?v=1', '/docs/parts/things.yaml']);
  for (const [, headers] of documents ?? []) {
    expect(headers).toMatchObject({ 'x-docs': 'a-docs-secret' });
    expect(headers).not.toHaveProperty('x-gate');
    expect(JSON.stringify(headers)).not.toContain(KEY);
  }
  expect(others?.some(([, headers]) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  expect(others?.every(([, headers]) => headers['x-docs'] === undefined)).toBe(true);
  const report = JSON.parse(readFileSync(inFolder('out', 'report.json'), 'utf8'));
  expect(report.suite.source).toEqual({ url, digest: DIGEST });
  expect(report.requirements.find(({ id }: { id: string }) => id === 'list.200').status).toBe('met');
});

test('redirects stay within the origin', async () => {
  const { origin } = await startServer({
    '/latest': { status: 302, headers: { location: '/docs/openapi.yaml' } },
    '/away': { status: 302, headers: { location: 'http://docs.example/openapi.yaml' } },
    '/around': { status: 302, headers: { location: '/around' } },
  });
  const dry = (path: string) => petspec(['run', '--dry-run', '--interface', origin + path]);
  expect((await dry('/latest')).err).toContain(`SHA-256 ${DIGEST}`);
  expect(await dry('/away')).toMatchObject({
    status: 2,
    err: `petspec: --interface: ${origin}/away: it redirects to another origin; name the address where the document is\n`,
  });
  expect((await dry('/around')).err).toContain('more than 5 redirects');
});

test.each<[what: string, path: string, options: string[], words: string]>([
  ['is not there', '/none', [], '/none: status 404'],
  [
    'is another one',
    '/docs/openapi.yaml',
    ['--interface-digest', 'ab'.repeat(32)],
    `has the SHA-256 ${DIGEST}`,
  ],
  ['is no document', '/things', [], '/things:1:1: not a mapping'],
  ['is too large', '/large', [], '/large: the response is larger than petspec reads'],
])('a document that %s: one line', async (_, path, options, words) => {
  const { origin } = await startServer({ '/large': { body: `# ${'x'.repeat(5 * 1024 * 1024)}` } });
  const { status, out, err } = await petspec(['run', '--dry-run', '--interface', origin + path, ...options]);
  expect([status, out]).toEqual([2, '']);
  expect(err.replace(/^interface .*\n/, '')).toMatch(/^petspec: .*\n$/);
  expect(err).toContain(words);
  expect(err).not.toContain('petspec-interface-');
});

test.each([
  ['of many characters', ['a'.repeat(300)]],
  ['that another file has as its folder', ['any', 'any/other']],
  ['with U+0000', ['any%00.yaml']],
])('a file with a name %s: one line', async (_, names) => {
  const references = names.map((name, index) => `x${index}: { $ref: '${name}' }\n`).join('');
  const parts = Object.fromEntries(names.map((name) => [`/docs/${name}`, { body: 'a: b\n' }]));
  const { origin } = await startServer({ ...parts, '/docs/openapi.yaml': { body: THINGS + references } });
  const { status, err } = await petspec(['run', '--dry-run', '--interface', `${origin}/docs/openapi.yaml`]);
  expect(err.replace(/^interface .*\n/, '')).toMatch(
    /^petspec: .* refers to a file that cannot be saved: .*\n$/,
  );
  expect(status).toBe(2);
});

test.each([
  [['--interface', 'http://127.0.0.1:1/a.yaml'], 'http://127.0.0.1:1/a.yaml: '],
  [['--interface', 'http://u:p@127.0.0.1:1/a.yaml'], 'user and password in the URL are not supported'],
  [
    ['--interface', 'a.yaml', '--interface-digest', DIGEST],
    '--interface-digest is for --interface with a URL',
  ],
  [
    ['--interface', 'a.yaml', '--interface-header', 'A: b'],
    '--interface-header is for --interface with a URL',
  ],
  [['--interface', 'http://a.test/a.yaml', '--interface-digest', 'abc'], 'expected 64 hexadecimal digits'],
])('%j is one line', async (options, words) => {
  const { status, err } = await petspec(['run', '--dry-run', ...options]);
  expect(status).toBe(2);
  expect(err).toContain(words);
  expect(err.trimEnd().split('\n')).toHaveLength(1);
});
