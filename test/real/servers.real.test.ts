import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/index.ts';
import { installed, type RealServer, started } from './servers.ts';

// Servers of others, from the npm registry, by the documents that they publish themselves: npm run nightly. WireMock needs
// Java.

/** What petspec reports of a server, confirmed by hand: a command, and what it prints that the document does not allow. */
interface Known {
  id: string;
  curl: string;
  prints: string;
}

/** The to-do list that LoopBack publishes as an example. Its additions are a 200, so nothing is known to be created. */
const LOOPBACK: RealServer = {
  name: '@loopback/example-todo@6.0.0',
  start: [process.execPath, 'program.cjs'],
  program: `
    const { TodoListApplication } = require('@loopback/example-todo');
    const app = new TodoListApplication({ rest: { port: 0, host: '127.0.0.1' } });
    app.boot().then(() => app.start()).then(() => console.log(app.restServer.url));`,
  documentAt: '/openapi.json',
};

/** The interface by which WireMock, which mocks services, is told what to answer. */
const WIREMOCK: RealServer = {
  name: 'wiremock@3.13.2',
  start: [
    'java',
    ...['-jar', 'node_modules/wiremock/build/wiremock-standalone-3.13.2.jar'],
    ...['--port', '0', '--bind-address', '127.0.0.1', '--disable-banner'],
  ],
  documentAt: '/__admin/docs/swagger',
};

/** What WireMock says of numbers that are not: the document has no 500, and limit of /requests is a text there. */
const WIREMOCK_READ: readonly Known[] = [
  {
    id: 'getAllStubMappings.responses',
    curl: "curl -s -o /dev/null -w '%{http_code}' '{baseUrl}/__admin/mappings?offset=abc'",
    prints: '500',
  },
  {
    id: 'getAllRequestsInJournal.200',
    curl: "curl -s -o /dev/null -w '%{http_code}' '{baseUrl}/__admin/requests?limit=petspec'",
    prints: '500',
  },
];

/** The document says that the source of an error is a text. */
const WIREMOCK_WRITE: readonly Known[] = [
  {
    id: 'bad-request-entity.errors.source',
    curl: `curl -s '{baseUrl}/__admin/mappings' -d '{"id":{}}'`,
    prints: '"source" : {',
  },
];

/** Flags of features, for clients in browsers, from a server that is not there: the flag is the one it begins with. */
const UNLEASH: RealServer = {
  name: '@unleash/proxy@1.4.19',
  start: [process.execPath, 'program.cjs'],
  program: `
    const { createApp } = require('@unleash/proxy');
    const flag = { name: 'sales', enabled: true, type: 'release', project: 'default', stale: false, variants: [],
      strategies: [{ name: 'default', constraints: [], parameters: {} }] };
    const app = createApp({ unleashUrl: 'http://127.0.0.1:9/api/', unleashApiToken: 'none', clientKeys: ['a-client'],
      enableOAS: true, refreshInterval: 0, disableMetrics: true, logLevel: 'fatal', expBootstrap: { data: [flag] } });
    const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port));`,
  documentAt: '/docs/openapi.json',
  apiKey: 'a-client',
};

/** The document says text/plain. */
const UNLEASH_READ: readonly Known[] = [
  {
    id: 'service.content-type',
    curl: "curl -s -o /dev/null -w '%{content_type}' '{baseUrl}/proxy/health'",
    prints: 'text/html',
  },
];

const SERVERS: [name: string, server: RealServer, read: readonly Known[], write: readonly Known[]][] = [
  ['a to-do list of LoopBack', LOOPBACK, [], []],
  ['WireMock', WIREMOCK, WIREMOCK_READ, WIREMOCK_WRITE],
  ['the proxy of Unleash', UNLEASH, UNLEASH_READ, []],
];

test.each(SERVERS)(
  '%s is judged, and everything that petspec reports is confirmed',
  async (_, server, read, write) => {
    const { baseUrl, document } = await started(server);
    const { apiKey } = server;
    const own = { baseUrl, interface: document, ...(apiKey === undefined ? {} : { apiKey }) };
    for (const isWriting of [false, true]) {
      const known = isWriting ? [...read, ...write] : read;
      const { requirements } = await run({ ...own, write: isWriting });
      const told = requirements.filter(({ status }) => status === 'violated' || status === 'advisory');
      expect(told.map(({ id }) => id).sort()).toEqual(known.map(({ id }) => id).sort());
      expect(requirements.filter(({ status }) => status === 'met').length).toBeGreaterThan(15);
    }
    for (const { curl, prints } of [...read, ...write]) {
      const { stdout } = spawnSync('bash', ['-c', curl.replace('{baseUrl}', baseUrl)], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      expect(String(stdout)).toContain(prints);
    }
  },
  300_000,
);

test('what petspec creates at WireMock is read, and is gone at the end', async () => {
  const { baseUrl, document } = await started(WIREMOCK);
  const { requirements } = await run({ baseUrl, interface: document, write: true });
  const statusOf = (wanted: string) => requirements.find(({ id }) => id === wanted)?.status;
  expect(statusOf('getStubMappingById.created')).toBe('met');
  expect(statusOf('getStubMappingById.removed')).toBe('met');
  expect(await (await fetch(`${baseUrl}/__admin/mappings`)).json()).toMatchObject({ mappings: [] });
}, 300_000);

// A mock has no memory: any key is right, any id exists, and everything that is created has the id of the example.
test('Prism mocks the bookshop: petspec reports what a mock cannot do, and nothing else', async () => {
  const bookshop = join(import.meta.dirname, '..', '..', 'examples', 'bookshop', 'openapi.yaml');
  const { baseUrl } = await started({
    name: '@stoplight/prism-cli@5.14.2',
    start: [process.execPath, 'node_modules/.bin/prism', 'mock', '-h', '127.0.0.1', '-p', '0', bookshop],
  });
  const { requirements } = await run({ baseUrl, interface: bookshop, apiKey: 'any', write: true });
  const told = requirements.filter(({ status }) => status === 'violated' || status === 'advisory');
  expect(told.map(({ id }) => id).sort()).toEqual(['authentication.key', 'createBook.id', 'getBook.404']);
}, 300_000);

test('GitHub is planned, whatever its thousand operations ask for, and what cannot be derived is listed', () => {
  const folder = installed('@octokit/openapi');
  const document = createRequire(join(folder, 'program.cjs')).resolve(
    '@octokit/openapi/generated/api.github.com.json',
  );
  const { paths } = JSON.parse(readFileSync(document, 'utf8'));
  expect(Object.keys(paths).length).toBeGreaterThan(500);
  const program = join(import.meta.dirname, '..', '..', 'bin', 'petspec.js');
  expect(existsSync(program)).toBe(true);
  const planned = spawnSync(process.execPath, [program, 'run', '--dry-run', '--interface', document], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  expect([planned.stderr, planned.status]).toEqual(['', 0]);
  const reads = [...planned.stdout.matchAll(/^ {2}GET (\S+) -> /gm)].map(([, path]) => path);
  expect(reads).toContain('/zen');
  expect(new Set(reads).size).toBeGreaterThan(100);
  const [, unplanned = ''] = planned.stdout.split('\nnot planned\n');
  expect(unplanned).toContain('not sent: petspec only reads (--write)');
  expect(unplanned).toMatch(/no value known for \{\w+\}/);
}, 300_000);
