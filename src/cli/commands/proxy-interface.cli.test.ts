import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';
import { DOCUMENT, KEY, startBookshop } from '../../../test/own-interface/bookshop.ts';
import { reportProblem } from '../../model/report/report-schema.ts';

const { line, petspec, inFolder, reportIn } = testedCommandLine();

/** Passes these requests through a proxy that judges by the document of the bookshop, and ends it. */
const through = (target: string, out: string, requests: readonly string[], ...options: string[]) =>
  throughBy(DOCUMENT, target, out, requests, ...options);

async function throughBy(
  document: string,
  target: string,
  out: string,
  requests: readonly string[],
  ...options: string[]
) {
  const ports = ['--port', '0', '--page-port', '0'];
  const { child, ended } = line.start([
    ...['proxy', target, '--interface', document, '--out', out],
    ...[...ports, ...options],
  ]);
  const lines = createInterface({ input: child.stdout ?? process.stdin })[Symbol.asyncIterator]();
  const [, base = ''] = /^proxy +(\S+) -> /.exec((await lines.next()).value ?? '') ?? [];
  for (const each of requests)
    await (await fetch(base + each, { headers: { authorization: `Bearer ${KEY}` } })).text();
  child.kill('SIGINT');
  return ended;
}

test('live traffic is judged by a document, as a recording of it is', async () => {
  const { baseUrl } = await startBookshop({
    answer: ({ path }, usual) =>
      path === '/books' ? { ...usual, value: { items: [{ title: 5 }], next: null } } : undefined,
  });
  const { status, out } = await through(baseUrl, 'live', ['/books?limit=3', '/feed', '/elsewhere']);
  expect(status).toBe(1);
  expect(out).toContain('✗ Book.title');
  const report = reportIn('live');
  expect(reportProblem(report)).toBeUndefined();
  expect(report.suite.interface).toBe('Bookshop');
  const [{ omitted }] = report.recording.files;
  expect(omitted.map(({ kind, count }: { kind: string; count: number }) => [kind, count])).toEqual([
    ['stream', 1],
    ['other-path', 1],
  ]);
  const judge = ['judge', 'live/traffic.jsonl', '--base-url', baseUrl, '--interface', DOCUMENT];
  const again = await petspec(...judge, '--out', 'again');
  expect(again.status).toBe(1);
  expect(again.out).toContain('✗ Book.title');
});

test('what the document does not list is counted, and violates only what the user says', async () => {
  const { baseUrl, usualBook } = await startBookshop({
    answer: ({ path }, usual) =>
      path === '/books'
        ? { ...usual, value: { items: [{ ...usualBook, color: 'red' }], next: null } }
        : undefined,
  });
  const requests = ['/books?sorting=x&limit=1', '/books?limit=2', '/shelves/4711', '/shelves/4712'];
  const counted = await through(baseUrl, 'counted', requests);
  expect(counted.status).toBe(0);
  expect(counted.out).toMatch(/Not documented\n {2}operations: GET \/shelves\/\{\} \(2\)\n/);
  const report = reportIn('counted');
  expect(reportProblem(report)).toBeUndefined();
  expect(report.coverage.undocumented).toEqual(
    expect.arrayContaining([
      { kind: 'operation', name: 'GET /shelves/{}', count: 2, example: 'GET /shelves/{}' },
      {
        kind: 'parameter',
        name: 'GET /books.sorting',
        count: 1,
        example: 'GET /books?sorting=x&limit=1 -> 200',
      },
      { kind: 'field', name: 'Book.color', count: 2, example: 'GET /books?sorting=x&limit=1 -> 200' },
    ]),
  );
  const judge = ['judge', 'counted/exchanges.har', '--base-url', baseUrl, '--interface', DOCUMENT];
  const failed = await petspec(...judge, '--undocumented', 'fail', '--out', 'failed');
  expect(failed.status).toBe(1);
  expect(failed.out).toContain('✗ undocumented.parameters');
  expect(failed.out).not.toContain('--only');
  const only = ['--undocumented', 'fail', '--only'];
  const other = await petspec(...judge, ...only, 'Book.title', '--out', 'other');
  expect(other.out).not.toContain('✗');
  const chosen = await petspec(...judge, ...only, 'undocumented.parameters', '--out', 'chosen');
  expect([chosen.status, chosen.out]).toEqual([1, expect.stringContaining('✗ undocumented.parameters')]);
  expect(reportIn('chosen').narrowed[0]).toMatchObject({
    option: '--only',
    requirements: expect.not.arrayContaining(['undocumented.parameters']),
  });
  expect((await petspec(...judge, '--undocumented', 'never', '--out', 'failed')).status).toBe(2);
});

test('a sound service passes, and a server elsewhere needs a proxy of its own', async () => {
  const { baseUrl } = await startBookshop();
  const { status } = await through(baseUrl, 'sound', ['/books', '/health']);
  expect(status).toBe(0);
  const elsewhere = ['--server', 'apiUrl=http://127.0.0.1:9/x'];
  const refused = await petspec('proxy', baseUrl, '--interface', DOCUMENT, ...elsewhere);
  expect(refused.status).toBe(2);
});

test('as of another day, an operation may be gone', async () => {
  const document = inFolder('gone.yaml');
  const response = '{ description: Old., content: { application/json: { schema: { type: object } } } }';
  writeFileSync(
    document,
    `openapi: 3.1.0
info: { title: Old books, version: '1' }
paths:
  /old:
    get: { operationId: getOld, deprecated: true, x-sunset: '2030-12-05', responses: { '200': ${response} } }
`,
  );
  const { baseUrl } = await startBookshop({
    answer: ({ path }) => (path === '/old' ? { status: 410, value: {} } : undefined),
  });
  const { out } = await throughBy(document, baseUrl, 'gone', ['/old'], '--as-of', '2030-12-06');
  expect(out).toContain('as of 2030-12-06');
  await petspec(
    ...['judge', 'gone/traffic.jsonl', '--base-url', baseUrl, '--interface', document],
    ...['--out', 'today'],
  );
  const found = (folder: string) =>
    reportIn(folder).requirements.find(({ id }: { id: string }) => id === 'getOld.200');
  expect(found('gone').reason).toBe('removed as scheduled');
  expect(found('today').status).toBe('not-tested');
});
