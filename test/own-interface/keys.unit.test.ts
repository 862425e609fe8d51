import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/index.ts';

const KEY = 'reader-7f3a:pass-91c2';

/** A document whose only operation asks for a key of this scheme. */
function documentOf(scheme: object, security: object[] = [{ key: [] }]): string {
  const folder = mkdtempSync(join(tmpdir(), 'petspec-keys-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const content = { 'application/json': { schema: { type: 'array' } } };
  const responses = { 200: { description: 'Things.', content }, 401: { description: 'No.' } };
  const document = {
    openapi: '3.1.0',
    paths: { '/things': { get: { operationId: 'list', responses } } },
    security,
    components: { securitySchemes: { key: scheme, other: { type: 'mutualTLS' } } },
  };
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(document));
  return folder;
}

/** A service that lets in whoever sends this header. It keeps what it got in that header. */
async function startService(header: string, right: string, { isOpen = false } = {}) {
  const got: (string | undefined)[] = [];
  const server = createServer(({ headers }, response) => {
    const value = headers[header];
    got.push(typeof value === 'string' ? value : undefined);
    const isIn = value === right || isOpen;
    response.writeHead(isIn ? 200 : 401, isIn ? { 'Content-Type': 'application/json' } : {});
    response.end(isIn ? '[]' : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got };
}

/** A text with other letters and digits in the same places, and a few more. */
const LIKE_KEY = '[a-z]{6}-\\d[a-z]\\d[a-z]:[a-z]{4}-\\d\\d[a-z]\\d[a-z]\\d';

const SCHEMES: [what: string, scheme: object, header: string, right: string, unknown: RegExp][] = [
  [
    'bearer',
    { type: 'http', scheme: 'Bearer' },
    'authorization',
    `Bearer ${KEY}`,
    new RegExp(`^Bearer ${LIKE_KEY}$`),
  ],
  [
    'OAuth 2',
    { type: 'oauth2', flows: {} },
    'authorization',
    `Bearer ${KEY}`,
    new RegExp(`^Bearer ${LIKE_KEY}$`),
  ],
  [
    'OpenID Connect',
    { type: 'openIdConnect' },
    'authorization',
    `Bearer ${KEY}`,
    new RegExp(`^Bearer ${LIKE_KEY}$`),
  ],
  [
    'basic',
    { type: 'http', scheme: 'basic' },
    'authorization',
    'Basic cmVhZGVyLTdmM2E6cGFzcy05MWMy',
    /^Basic [\w+/]{30,34}={0,2}$/,
  ],
  [
    'a header',
    { type: 'apiKey', in: 'header', name: 'X-Shop-Key' },
    'x-shop-key',
    KEY,
    new RegExp(`^${LIKE_KEY}$`),
  ],
  [
    'a cookie',
    { type: 'apiKey', in: 'cookie', name: 'sid' },
    'cookie',
    `sid=${KEY}`,
    new RegExp(`^sid=${LIKE_KEY}$`),
  ],
];

test.each(SCHEMES)(
  'a key as %s: it is sent, left out, and replaced',
  async (_, scheme, header, right, unknown) => {
    const { baseUrl, got } = await startService(header, right);
    const report = await run({ baseUrl, apiKey: KEY, interface: documentOf(scheme) });
    expect([report.verdict, report.gaps]).toEqual(['conformant', undefined]);
    const [wrong, ...others] = got.filter((each) => each !== undefined && each !== right);
    expect([...got].sort()).toEqual([right, wrong, undefined].sort());
    expect(others).toEqual([]);
    expect(wrong).toMatch(unknown);
    const secrets = [KEY, right.replace(/^\w+[ =]/, '')];
    expect(secrets.filter((each) => JSON.stringify(report).includes(each))).toEqual([]);
  },
);

test.each(SCHEMES)(
  'a service that takes any key as %s is found; the command sends the key',
  async (_, scheme, header, right) => {
    const { baseUrl } = await startService(header, right, { isOpen: true });
    const report = await run({ baseUrl, apiKey: KEY, interface: documentOf(scheme) });
    const violated = report.requirements.filter(({ status }) => status === 'violated');
    expect(violated.map(({ id }) => id)).toEqual(['list.401']);
    const wrong = await startService(header, right);
    const answered = await run({ baseUrl: wrong.baseUrl, apiKey: KEY, interface: documentOf(scheme) });
    const sent = answered.exchanges.find(({ key }) => key === 'valid');
    const shown = sent?.requestHeaders.find(([name]) => name.toLowerCase() === header)?.[1] ?? '';
    const env = { PETSPEC_API_KEY: KEY, PATH: process.env.PATH ?? '' };
    expect(
      spawnSync('bash', ['-c', `printf %s "${shown.replaceAll('"$PETSPEC_API_KEY"', '$PETSPEC_API_KEY')}"`], {
        env,
        // With a socket, bash reads the user's .bashrc.
        stdio: ['ignore', 'pipe', 'inherit'],
      }).stdout.toString(),
    ).toBe(right);
  },
);

test('a key in the query: it is sent, left out and replaced, and shown as its variable', async () => {
  const key = 'reader/7f3a&91c2+x';
  const asked: string[] = [];
  const server = createServer(({ url = '' }, response) => {
    asked.push(new URL(url, 'http://a.test').searchParams.get('api key') ?? 'none');
    const isIn = asked.at(-1) === key;
    response.writeHead(isIn ? 500 : 401, isIn ? { 'Content-Type': 'application/json' } : {}).end('[]');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const path = documentOf({ type: 'apiKey', in: 'query', name: 'api key' });
  const report = await run({ baseUrl, apiKey: key, interface: path });
  const wrong = asked.find((each) => each !== key && each !== 'none');
  expect(wrong).toMatch(/^[a-z]{6}\/\d[a-z]\d[a-z]&\d\d[a-z]\d\+[a-z][a-z\d]+$/);
  expect([...new Set(asked)].sort()).toEqual([key, wrong, 'none'].sort());
  const text = JSON.stringify(report);
  expect(
    [key, 'reader/7f3a', 'reader%2F7f3a', 'reader%2f7f3a'].filter((each) => text.includes(each)),
  ).toEqual([]);
  const violated = report.requirements.find(({ status }) => status === 'violated');
  expect(violated?.curl).toContain(`'${baseUrl}/things?api%20key='"$PETSPEC_API_KEY"`);
});

test('of several alternatives, petspec sends one that it can', async () => {
  const { baseUrl, got } = await startService('x-shop-key', KEY);
  const scheme = { type: 'apiKey', in: 'header', name: 'X-Shop-Key' };
  const path = documentOf(scheme, [{ other: [] }, { key: [], other: [] }, { key: [] }]);
  expect((await run({ baseUrl, apiKey: KEY, interface: path })).verdict).toBe('conformant');
  expect(got).toContain(KEY);
});
