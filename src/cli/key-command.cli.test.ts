import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { inProcess } from '../../test/command-line/in-process.ts';
import { testedCommandLine } from '../../test/command-line/tested-command-line.ts';

const { line, inFolder } = testedCommandLine('unused');

/** Prints another key each time, and counts the calls. */
const COMMAND = 'echo x >> calls; echo "a-made-key-$(grep -c x calls)"; echo second line';

const responses = {
  200: {
    description: 'Things.',
    content: { 'application/json': { schema: { type: 'array', items: { type: 'string' } } } },
  },
  401: { description: 'No.' },
};
const operations = ['a', 'b', 'c', 'd'];

beforeAll(() => {
  const paths = operations.map((name) => [`/${name}`, { get: { operationId: name, responses } }]);
  const document = {
    openapi: '3.1.0',
    info: { title: 'Things', version: '1' },
    paths: Object.fromEntries(paths),
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  };
  writeFileSync(inFolder('openapi.json'), JSON.stringify(document));
});

/** A service that accepts each key for a few requests only, and repeats the key that it got. */
async function startService({ uses, refusing }: { uses: number; refusing?: string }) {
  const used = new Map<string, number>();
  const server = createServer(({ headers, url = '' }, response) => {
    const key = headers.authorization?.replace('Bearer ', '') ?? '';
    const times = (used.get(key) ?? 0) + 1;
    used.set(key, times);
    const isIn = /^a-made-key-\d+$/.test(key) && times <= uses && url !== refusing;
    response.writeHead(isIn ? 200 : 401, isIn ? { 'content-type': 'application/json' } : {});
    response.end(isIn ? JSON.stringify([`you sent ${key}`]) : '');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, used };
}

async function petspec(options: readonly string[]) {
  const ended = await inProcess(
    { folder: line.folder, variables: { PATH: process.env.PATH ?? '' } },
    options,
  );
  const calls = existsSync(inFolder('calls'))
    ? readFileSync(inFolder('calls'), 'utf8').split('x').length - 1
    : 0;
  writeFileSync(inFolder('calls'), '');
  return { ...ended, calls };
}

const run = (baseUrl: string, command = COMMAND) => [
  ...['run', baseUrl, '--interface', 'openapi.json', '--out', 'out'],
  ...['--api-key-command', command],
];

/** All that a run wrote. */
const written = () =>
  readdirSync(inFolder('out')).map((name) => readFileSync(join(inFolder('out'), name), 'utf8'));

test('the first line of the command is the key', async () => {
  const { baseUrl, used } = await startService({ uses: 1_000 });
  const { status, calls } = await petspec(run(baseUrl));
  expect([status, calls]).toEqual([0, 1]);
  expect(used.get('a-made-key-1')).toBe(operations.length);
});

test('a key that is refused after it worked is replaced, and no key is shown anywhere', async () => {
  const { baseUrl, used } = await startService({ uses: 3 });
  const { status, calls, out, err } = await petspec([...run(baseUrl), '--verbose']);
  expect([status, calls]).toEqual([0, 2]);
  expect(used.get('a-made-key-2')).toBeGreaterThan(0);
  const all = [out, err, ...written()].join('\n');
  expect(all).toContain('you sent');
  expect(all).not.toMatch(/a-made-key|grep -c/);
}, 30_000);

test('an operation that refuses a new key as well is not tried with a third one', async () => {
  const { baseUrl } = await startService({ uses: 1_000, refusing: '/c' });
  const { status, calls, out } = await petspec(run(baseUrl));
  expect([status, calls]).toEqual([3, 2]);
  expect(out).toContain('c.200');
});

test('a command that fails later ends the run, and nothing is held against the service', async () => {
  const { baseUrl } = await startService({ uses: 3 });
  const { status, out } = await petspec(run(baseUrl, `[ -s calls ] && exit 7; ${COMMAND}`));
  expect(status).toBe(3);
  expect(out).toContain('--api-key-command: the command failed (exit status 7)');
});

test.each([
  ['fails', 'echo secret-7; exit 3', 'the command failed (exit status 3); run it by itself to see why'],
  ['prints nothing', 'true', 'the first line that the command prints is empty'],
  ['prints too much', 'yes', 'the command printed more than 65536 bytes'],
  [
    'prints what no header has',
    'printf "secret-7\\001"',
    'the key has characters that a header cannot contain',
  ],
  [
    'prints the scheme',
    'echo Bearer secret-7',
    "the key starts with 'Bearer'; leave that out, because petspec adds it",
  ],
])('a command that %s is one line', async (_, command, words) => {
  const { status, out, err } = await petspec(run('http://127.0.0.1:1', command));
  expect([status, out, err]).toEqual([2, '', `petspec: --api-key-command: ${words}\n`]);
});

test.each([
  [['run', '--api-key-command', COMMAND], '--api-key-command: no target named'],
  [
    [...run('http://a.test'), '--api-key', 'x'],
    'cannot combine --api-key-command and --api-key; leave one out',
  ],
  [['run', '--all', '--api-key-command', COMMAND], 'cannot combine --api-key-command with --all'],
])('%j is refused, and the command is not run', async (options, words) => {
  const { status, err, calls } = await petspec(options);
  expect([status, calls]).toEqual([2, 0]);
  expect(err).toContain(words);
});

test('a dry run makes no key', async () => {
  const { status, calls } = await petspec([...run('http://a.test'), '--dry-run']);
  expect([status, calls]).toEqual([0, 0]);
});

test('no configuration names a command: it may be from a checkout of anybody', async () => {
  writeFileSync(
    inFolder('petspec.config.yaml'),
    `targets:\n  a:\n    baseUrl: http://a.test\n    apiKeyCommand: echo x >> calls\n`,
  );
  const { status, err, calls } = await petspec(['run', 'a']);
  expect([status, calls]).toEqual([2, 0]);
  expect(err).toContain("unknown setting 'apiKeyCommand'");
});
