import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { inProcess } from '../../test/command-line/in-process.ts';
import { testedCommandLine } from '../../test/command-line/tested-command-line.ts';

const { line, petspec, inFolder } = testedCommandLine('');

const things = { type: 'array', items: { type: 'object' } };
const document = (scheme: object) => ({
  openapi: '3.1.0',
  info: { title: 'Things', version: '1' },
  security: [{ own: [] }],
  paths: {
    '/things': {
      get: {
        responses: {
          200: { description: 'x', content: { 'application/json': { schema: things } } },
          401: { description: 'x' },
        },
      },
    },
  },
  components: { securitySchemes: { own: scheme } },
});

const BEARER = { type: 'http', scheme: 'bearer' };
const SECRETS = ['s3cr3t-of-alice-94ab', 't-9f3e77', 's3cr3t-of-bob-77cd', 'pass-of-carol-5e1f'];
const [ALICE, TENANT, BOB, PASSWORD] = SECRETS;

/** A service that accepts alice, and keeps the headers that it got. */
async function startThings() {
  const heads: IncomingHttpHeaders[] = [];
  const server = createServer(({ headers }, response) => {
    heads.push(headers);
    const isIn = headers.authorization === `Bearer ${ALICE}` && headers['x-tenant'] === TENANT;
    response.writeHead(isIn ? 200 : 401, { 'content-type': 'application/json' }).end(isIn ? '[]' : '{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heads };
}

const USERS = {
  schema_version: '0.2.0',
  auth: [
    { name: 'carol', loginEndpointAuth: { endpoint: '/login', verb: 'POST', payloadRaw: PASSWORD } },
    {
      name: 'alice',
      fixedHeaders: [
        { name: 'Authorization', value: `Bearer ${ALICE}` },
        { name: 'X-Tenant', value: TENANT },
      ],
    },
    { name: 'bob', fixedHeaders: [{ name: 'authorization', value: `bearer ${BOB}` }] },
  ],
};

beforeAll(() => {
  writeFileSync(inFolder('openapi.json'), JSON.stringify(document(BEARER)));
  writeFileSync(inFolder('users.json'), JSON.stringify(USERS));
});

const run = (file: string, baseUrl = 'http://127.0.0.1:1', ...more: string[]) =>
  petspec('run', baseUrl, '--interface', 'openapi.json', '--auth-file', file, ...more);

test('the first user with a key is that of the run, what petspec cannot do is said, and no secret is written', async () => {
  const { baseUrl, heads } = await startThings();
  const { status, out, err } = await run('users.json', baseUrl, '--out', 'users', '--verbose');
  expect(status).toBe(0);
  expect(heads.some(({ authorization }) => authorization === `Bearer ${ALICE}`)).toBe(true);
  expect(heads.every((each) => each['x-tenant'] === TENANT)).toBe(true);
  expect(err.split('\n').filter((each) => each.includes('carol'))).toEqual([
    "petspec: warning: --auth-file: user 'carol' logs in, which petspec does not do; make the key with --api-key-command",
  ]);
  const files = readdirSync(inFolder('users')).map((each) => readFileSync(inFolder('users', each), 'utf8'));
  for (const secret of SECRETS) expect([out, err, ...files].join('\n')).not.toContain(secret);
});

test('keys that an operation needs together come from the file and from the environment, by their schemes', async () => {
  const schemes = { own: BEARER, tenant: { type: 'apiKey', in: 'header', name: 'X-Tenant' } };
  const text = { ...document(BEARER), components: { securitySchemes: schemes } };
  writeFileSync(inFolder('together.json'), JSON.stringify({ ...text, security: [{ own: [], tenant: [] }] }));
  const { baseUrl, heads } = await startThings();
  const judging = ['run', baseUrl, '--interface', 'together.json', '--out', 'together'];
  const filed = await petspec(...judging, '--auth-file', 'users.json');
  expect(filed.status, filed.err).toBe(0);
  const variables = { ...line.variables, PETSPEC_KEY_OWN: ALICE, PETSPEC_KEY_TENANT: TENANT };
  const stated = await inProcess({ folder: line.folder, variables }, [...judging, '--verbose']);
  expect(stated.status, stated.err).toBe(0);
  expect(heads.filter((each) => each['x-tenant'] === TENANT).length).toBeGreaterThanOrEqual(6);
  const files = readdirSync(inFolder('together')).map((each) =>
    readFileSync(inFolder('together', each), 'utf8'),
  );
  for (const secret of SECRETS)
    expect([filed.out, stated.out, stated.err, ...files].join('\n')).not.toContain(secret);
});

test.each<[what: string, text: string, message: string]>([
  ['no list', '{}', 'expected a list of users'],
  [
    'a login alone',
    JSON.stringify({ auth: USERS.auth.slice(0, 1) }),
    "user 'carol' logs in, which petspec does not do",
  ],
  [
    'another header',
    `auth: [{ name: a, fixedHeaders: [{ name: X-Key, value: ${ALICE} }] }]`,
    'no user has a fixed header Authorization',
  ],
  [
    'another scheme',
    `auth: [{ name: a, fixedHeaders: [{ name: Authorization, value: Basic ${ALICE} }] }]`,
    "the header Authorization of user 'a' does not begin with 'Bearer '",
  ],
  [
    'one key for two users',
    JSON.stringify({
      auth: ['a', 'b'].map((name) => ({
        name,
        fixedHeaders: [{ name: 'Authorization', value: `Bearer ${ALICE}` }],
      })),
    }),
    "users 'a' and 'b' have the same key",
  ],
  [
    'a header without a value',
    'auth: [{ name: a, fixedHeaders: [{ name: Authorization }] }]',
    "user 1: a fixed header needs a 'name' and a 'value'",
  ],
  [
    'a line break in the key',
    JSON.stringify({
      auth: [{ name: 'a', fixedHeaders: [{ name: 'Authorization', value: `Bearer ${ALICE}\nX: y` }] }],
    }),
    '--auth-file',
  ],
  [
    'broken YAML',
    `auth:\n  - name: a\n    fixedHeaders: [{ name: Authorization, value: "${ALICE}`,
    'it is not a mapping in YAML or JSON',
  ],
])('%s is refused in one line that quotes no secret', async (_, text, message) => {
  writeFileSync(inFolder('wrong.yaml'), text);
  const { status, err } = await run('wrong.yaml');
  expect(status).toBe(2);
  expect(err.trim().split('\n')).toEqual([expect.stringContaining(message)]);
  expect(err).not.toContain(ALICE);
});

const TOML = `schema_version = "0.2.0"
auth = [{ name = "alice" }]

[[authTemplate.fixedHeaders]] # for users who state none
name = "Authorization"
value = "Bearer ${ALICE}"

[[authTemplate.fixedHeaders]]
name = "X-Tenant"
value = '${TENANT}'
`;

test('TOML gives the same users', async () => {
  writeFileSync(inFolder('users.toml'), TOML);
  const { baseUrl, heads } = await startThings();
  const { status, out, err } = await run('users.toml', baseUrl, '--out', 'toml');
  expect(status, err).toBe(0);
  expect(heads.some(({ authorization }) => authorization === `Bearer ${ALICE}`)).toBe(true);
  expect(heads.every((each) => each['x-tenant'] === TENANT)).toBe(true);
  const files = readdirSync(inFolder('toml')).map((each) => readFileSync(inFolder('toml', each), 'utf8'));
  for (const secret of SECRETS) expect([out, err, ...files].join('\n')).not.toContain(secret);
});

test.each<[what: string, text: string, message: string]>([
  ['broken TOML', `[[auth]]\nname = "a"\nfixedHeaders = [{ name = "x", value = "${ALICE}`, "'wrong.toml':3:"],
  ['YAML', `auth:\n  - name: ${ALICE}`, "'wrong.toml':1:"],
  ['a name twice', `[[auth]]\nname = "${ALICE}"\nname = "b"`, "'wrong.toml':3:1: it is not TOML"],
  ['no user', 'title = "none"', 'expected a list of users'],
  [
    'a date as the value',
    '[[auth]]\nname = "a"\nfixedHeaders = [{ name = "x", value = 2024-05-01 }]',
    'both texts',
  ],
])('%s in a file named .toml is refused in one line that quotes no secret', async (_, text, message) => {
  writeFileSync(inFolder('wrong.toml'), text);
  const { status, err } = await run('wrong.toml');
  expect(status).toBe(2);
  expect(err.trim().split('\n')).toEqual([expect.stringContaining(message)]);
  expect(err).not.toContain(ALICE);
});

test('it goes with no other option that holds a key', async () => {
  const { status, err } = await run('users.json', undefined, '--api-key', 'abc');
  expect([status, err]).toEqual([
    2,
    expect.stringContaining('cannot combine --auth-file and --api-key; leave one out'),
  ]);
});

test('the other cookies of the header with the key are sent with it', async () => {
  writeFileSync(
    inFolder('cookie.json'),
    JSON.stringify(document({ type: 'apiKey', in: 'cookie', name: 'session' })),
  );
  const fixedHeaders = [{ name: 'Cookie', value: `session=${ALICE}; csrf=${TENANT}` }];
  writeFileSync(inFolder('cookies.json'), JSON.stringify({ auth: [{ name: 'alice', fixedHeaders }] }));
  const { baseUrl, heads } = await startThings();
  await petspec(
    'run',
    baseUrl,
    '--interface',
    'cookie.json',
    '--auth-file',
    'cookies.json',
    '--out',
    'cookies',
  );
  expect(heads.map(({ cookie }) => cookie)).toContainEqual(expect.stringContaining(`session=${ALICE}`));
  expect(heads.every(({ cookie }) => cookie?.includes(`csrf=${TENANT}`))).toBe(true);
});
