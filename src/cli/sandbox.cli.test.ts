import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { testedCommandLine } from '../../test/command-line/tested-command-line.ts';

const { petspec, inFolder, reportIn } = testedCommandLine('');

const said = (...statuses: number[]) =>
  Object.fromEntries(statuses.map((each) => [each, { description: 'x' }]));
const user = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
const userId = { name: 'userId', in: 'path', required: true, schema: { type: 'integer' } };
const as = (schema: object) => ({ description: 'x', content: { 'application/json': { schema } } });

/** A service with users that petspec cannot create, and with actions that it does not understand. */
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Users', version: '1' },
  paths: {
    '/users': {
      get: { responses: { 200: as({ type: 'array', items: user }) } },
      delete: { responses: said(204) },
    },
    '/users/{userId}': {
      parameters: [userId],
      get: { responses: { 200: as(user), 404: { description: 'x' } } },
      delete: { responses: said(204, 404) },
    },
    '/users/{userId}/invitation': { parameters: [userId], post: { responses: said(202, 404) } },
    '/reports': { post: { responses: said(201) } },
    '/reset': { post: { responses: said(204) } },
  },
};

async function startUsers() {
  const users = new Set([1, 2, 3]);
  const asked: string[] = [];
  const server = createServer(({ method, url = '' }, response) => {
    asked.push(`${method} ${url}`);
    const id = Number(/^\/users\/(\d+)/.exec(url)?.[1]);
    const end = (status: number, value?: unknown) => {
      const isJson = value !== undefined;
      response.writeHead(status, isJson ? { 'content-type': 'application/json' } : {});
      response.end(isJson ? JSON.stringify(value) : undefined);
    };
    if (url === '/users' && method === 'GET')
      return end(
        200,
        [...users].map((each) => ({ id: each })),
      );
    if (url === '/users') return end(204);
    if (url === '/reports') return end(201);
    if (url === '/reset') return end(204);
    if (!users.has(id)) return end(404);
    if (url.endsWith('/invitation')) return end(202);
    if (method === 'GET') return end(200, { id });
    users.delete(id);
    return end(204);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const changes = () => asked.filter((each) => !each.startsWith('GET '));
  return { host, baseUrl: `http://${host}`, changes };
}

beforeAll(() => writeFileSync(inFolder('openapi.json'), JSON.stringify(DOCUMENT)));

const run = (baseUrl: string, ...more: string[]) =>
  petspec('run', baseUrl, '--interface', 'openapi.json', '--write', ...more);

test('without --sandbox, nothing is sent to what the run did not create', async () => {
  const { baseUrl, changes } = await startUsers();
  await run(baseUrl);
  expect(changes()).toEqual([]);
});

test('with the host of the target, every operation is sent, removals last, and what stays is counted', async () => {
  const { baseUrl, host, changes } = await startUsers();
  const { out, err } = await run(baseUrl, '--sandbox', host, '--out', 'sandbox');
  expect(err).toContain(`5 requests to whatever is in the sandbox ${host}, 2 of them removals`);
  expect(changes()).toEqual([
    'POST /users/1/invitation',
    'POST /reports',
    'POST /reset',
    'DELETE /users/1',
    'DELETE /users',
  ]);
  expect(out).toContain('1 still there (1 without a known address), 2 removed that the run did not create');
  expect(reportIn('sandbox').requests.things).toEqual({
    created: 1,
    removed: 0,
    stillThere: 1,
    withoutAddress: 1,
    othersRemoved: 2,
    mayHaveBeenCreated: 0,
  });
});

test.each<[what: string, host: string, message: string]>([
  ['another port', '127.0.0.1:1', "--sandbox '127.0.0.1:1' is not the target"],
  ['another name of the same machine', 'localhost', "--sandbox 'localhost' is not the target"],
  ['a URL', 'http://127.0.0.1', "--sandbox 'http://127.0.0.1' is not the target"],
  ['nothing', '', "--sandbox '' is not the target"],
])('%s in place of the host: nothing is sent', async (_, host, message) => {
  const { baseUrl, changes } = await startUsers();
  const { status, err } = await run(baseUrl, '--sandbox', host);
  expect(status).toBe(2);
  expect(err.trim().split('\n')).toEqual([expect.stringContaining(message)]);
  expect(changes()).toEqual([]);
});

test.each<[what: string, options: string[], message: string]>([
  [
    'a run that only reads',
    ['run', 'http://a.test', '--interface', 'openapi.json', '--sandbox', 'a.test'],
    '--sandbox is for runs that write; add --write',
  ],
  [
    'no target',
    ['run', '--interface', 'openapi.json', '--write', '--dry-run', '--sandbox', 'a.test'],
    '--sandbox: no target named',
  ],
])('%s', async (_, options, message) => {
  const { status, err } = await petspec(...options);
  expect(status).toBe(2);
  expect(err).toContain(message);
});

test('a configuration cannot say it', async () => {
  writeFileSync(
    inFolder('petspec.config.yaml'),
    'targets:\n  users: { baseUrl: "http://a.test", interface: openapi.json, write: true, sandbox: a.test }\n',
  );
  const { status, err } = await petspec('run', 'users');
  expect(status).toBe(2);
  expect(err.trim().split('\n')).toEqual([
    expect.stringContaining("'sandbox' is not allowed; repeat the host of the target on the command line"),
  ]);
});

test('the port that a scheme implies may be left out, or stated', async () => {
  for (const host of ['a.test', 'a.test:443', 'A.TEST']) {
    const { status, out } = await run('https://a.test', '--sandbox', host, '--dry-run');
    expect(status).toBe(0);
    expect(out).toContain('2 of them removals');
  }
});
