import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test } from 'vitest';
import { realClock, startReference } from '../../src/index.ts';
import { type Asked, startSmall } from '../own-interface/small-service.ts';
import { inProcess } from './in-process.ts';
import { testedCommandLine } from './tested-command-line.ts';

const KEY = 'key-of-hints-1f9a';
const TENANT = 'tenant-7c2e';

const { line, petspec, inFolder, reportIn } = testedCommandLine(KEY);

/** What a shell executes for a command that petspec printed: the words, and the key in its environment. */
async function wordsOf(command: string, variables: Record<string, string>) {
  const script = `npx() { printf '%s\\0' "$PETSPEC_API_KEY" "$@"; }\n${command}`;
  const { stdout } = await promisify(execFile)('sh', ['-c', script], { env: variables });
  const [key = '', program, ...words] = stdout.split('\0').slice(0, -1);
  expect(program).toBe('petspec');
  return { key, words };
}

/** Executes a command that petspec printed, as a user who pastes it into a shell. */
async function pasted(command: string, variables: Record<string, string>) {
  const { key, words } = await wordsOf(command, variables);
  return inProcess({ ...line, variables: { ...line.variables, PETSPEC_API_KEY: key } }, words);
}

const content = { 'application/json': { schema: { $ref: '#/components/schemas/Mug' } } };

const DOCUMENT = {
  openapi: '3.1.0',
  servers: [{ url: '/api/v1' }],
  paths: {
    '/mugs': {
      get: { responses: { 200: { description: 'x' }, 401: { description: 'x' } } },
      post: {
        requestBody: { required: true, content },
        responses: { 201: { description: 'x', content }, 401: { description: 'x' } },
      },
    },
    '/mugs/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: { responses: { 200: { description: 'x', content }, 404: { description: 'x' } } },
    },
  },
  security: [{ key: [] }],
  components: {
    schemas: { Mug: { type: 'object', properties: { id: { type: 'integer' } } } },
    securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
  },
};

/** A service with everything below `/api/v1`, and one that leads to it. */
async function mugs() {
  const service = await startSmall(({ path, method }) => {
    if (path === '/api/v1/mugs') return method === 'POST' ? [201, { id: 1 }] : [200, [{ id: 1 }]];
    return path === '/api/v1/mugs/1' ? [200, { id: 1 }] : [404, {}];
  });
  const moved = await startSmall(({ path }) => [307, undefined, { location: `${service.baseUrl}${path}` }]);
  return { ...service, moved: moved.baseUrl };
}

/** A request, without the id that no mug has, which is another one each time. */
const sentBy = ({ method, path, headers, body }: Asked) => ({
  ...{ method, path: path.replace(/\d{7,}$/, 'unknown'), body },
  tenant: headers['x-tenant'],
  hasKey: headers.authorization === `Bearer ${KEY}`,
});

const SERVICE = ['--interface', 'mugs.json', '--seed', '7', '--no-exhaust', '--timeout', '4000'];
const WORDS = [...SERVICE, '--api-key-file', 'key of mugs.txt', '--header', `X-Tenant: ${TENANT}`];
const VARIABLES = { PATH: process.env.PATH ?? '', HEADER_X_TENANT: TENANT };

describe('a command of a hint sends what the run would have sent at the right address', () => {
  test.each<[kind: string, wrong: (to: { baseUrl: string; moved: string }) => string, options: string[]]>([
    ['base-path', ({ baseUrl }) => baseUrl, []],
    ['base-path', ({ baseUrl }) => baseUrl, ['--read-only', '--strict']],
    ['base-path', ({ baseUrl }) => baseUrl, ['--write', '--only', 'GET /mugs.200', '--only', 'POST /mugs.*']],
    ['operation-path', ({ baseUrl }) => `${baseUrl}/api/v1/mugs`, ['--traceparent']],
    ['moved', ({ moved }) => `${moved}/api/v1`, ['--quiet']],
  ])('%s (%#)', async (kind, wrong, options) => {
    writeFileSync(inFolder('mugs.json'), JSON.stringify(DOCUMENT));
    writeFileSync(inFolder('key of mugs.txt'), KEY);
    const service = await mugs();
    const out = ['--out', 'of mugs', '--format', 'json'];
    await petspec('run', wrong(service), ...WORDS, ...options, ...out);
    const [hint] = reportIn('of mugs').hints.filter((each: { command?: string }) => each.command);
    expect(hint.kind).toBe(kind);
    expect(hint.command).not.toContain(KEY);
    expect(hint.command).not.toContain(TENANT);

    service.asked.length = 0;
    const { status, err } = await pasted(hint.command, VARIABLES);
    expect([0, 1, 3], err).toContain(status);
    const sent = service.asked.splice(0).map(sentBy);
    expect(reportIn('of mugs')).toMatchObject({
      verdict: expect.any(String),
      strict: options.includes('--strict'),
    });

    await petspec('run', `${service.baseUrl}/api/v1`, ...WORDS, ...options, ...out);
    expect(sent).toEqual(service.asked.map(sentBy));
    expect(sent.filter(({ hasKey, tenant }) => hasKey && tenant === TENANT).length).toBeGreaterThan(0);
    expect(sent.some(({ method }) => method === 'POST')).toBe(options.includes('--write'));
  });

  test('of a target of the configuration, with the key of its variable', async () => {
    writeFileSync(inFolder('mugs.json'), JSON.stringify(DOCUMENT));
    const { baseUrl, asked } = await mugs();
    const target = {
      baseUrl,
      interface: 'mugs.json',
      apiKeyVariable: 'MUGS_KEY',
      exhaust: 'none',
      readOnly: true,
    };
    writeFileSync(inFolder('mugs.yaml'), JSON.stringify({ targets: { mugs: target } }));
    const variables = { ...line.variables, MUGS_KEY: KEY, PETSPEC_API_KEY: 'key-of-another-service' };
    const reports = ['--out', 'configured', '--write-baseline', 'new.yaml', '--verbose'];
    const named = ['run', 'mugs', '--config', 'mugs.yaml', ...reports];
    await inProcess({ ...line, variables }, named);
    const [{ command }] = reportIn('configured').hints;
    asked.length = 0;
    await pasted(command, { PATH: VARIABLES.PATH, MUGS_KEY: KEY });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked.filter(({ method }) => method !== 'GET')).toEqual([]);
    expect(asked.some(({ headers }) => headers.authorization === `Bearer ${KEY}`)).toBe(true);
  });

  test('swapped', async () => {
    const { baseUrl, apiUrl, close } = await startReference({ clock: realClock, apiKey: KEY });
    onTestFinished(close);
    const options = ['--no-exhaust', '--only', 'listPets.200,sendMessage.2XX', '--out', 'swapped'];
    await petspec('run', apiUrl, '--api-url', baseUrl, ...options);
    const [hint] = reportIn('swapped').hints;
    expect(hint.kind).toBe('swapped');
    const { status, out } = await pasted(hint.command, { ...VARIABLES, PETSPEC_API_KEY: KEY });
    expect(status, out).toBe(0);
    expect(reportIn('swapped').target).toMatchObject({ baseUrl, apiUrl });
  });
});

test('without the value of a header, a shell executes nothing', async () => {
  writeFileSync(inFolder('mugs.json'), JSON.stringify(DOCUMENT));
  const { baseUrl } = await mugs();
  await petspec('run', baseUrl, ...SERVICE, '--header', `X-Tenant: ${TENANT}`, '--out', 'header');
  const [{ command }] = reportIn('header').hints;
  await expect(wordsOf(command, { PATH: VARIABLES.PATH })).rejects.toThrow('HEADER_X_TENANT');
  // Judged again from the ledger, which has no values of headers.
  await petspec('report', 'header', '--interface', 'mugs.json');
  const [again] = reportIn('header').hints;
  await expect(wordsOf(again.command, { PATH: VARIABLES.PATH })).rejects.toThrow('HEADER_X_TENANT');
});

test('an address in place of a command is a command only where nothing else was typed', async () => {
  const alone = await petspec('https://example.com/v1?a=1&b=2');
  const [, command = ''] = /type: (.*)\n/.exec(alone.err) ?? [];
  expect((await wordsOf(command, VARIABLES)).words).toEqual(['run', 'https://example.com/v1?a=1&b=2']);
  const { status, err } = await petspec('https://example.com/v1', '--read-only', '--api-key', KEY);
  expect(status).toBe(2);
  expect(err).toBe(
    "petspec: 'https://example.com/v1' is not a command; to judge it, type the same with 'run' before it\n",
  );
});
