import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';
import { BASE, entryOf, harText, REX } from '../../../test/recordings/entries.ts';
import { reportProblem } from '../../model/report/report-schema.ts';

const { line, petspec, inFolder, reportIn } = testedCommandLine('a-key');
beforeAll(() => {
  write('good.har', harText([entryOf(), entryOf({ at: 900, path: '/pets?limit=1' })]));
  write('bad.har', harText([entryOf(), entryOf({ at: 900, body: [{ ...REX, id: 'one' }] })]));
});

const write = (name: string, content: string | Buffer) => writeFileSync(inFolder(name), content);
const judge = (...options: string[]) => petspec('judge', ...options);

test('a conformant recording: what it shows is judged, and the rest narrows the verdict', async () => {
  const { status, out, err } = await judge(
    'good.har',
    '--out',
    'good',
    '--format',
    'json,html,junit,markdown',
    '--verbose',
  );
  expect(err.split('\n').map((line) => line.slice(0, 6))).toEqual(['#1 GET', '#2 GET', '']);
  expect(status).toBe(0);
  expect(out).toMatch(
    /^conformant \(\d+ of \d+ requirements judged\): https:\/\/api\.example\.com\/v1, no requirement violated/m,
  );
  expect(out).toContain('good.har: 2 of 2 entries judged');
  expect(out).toContain('2 recorded exchanges, 1 key');
  const report = reportIn('good');
  expect(reportProblem(report)).toBeUndefined();
  expect(report.recording).toEqual({
    files: [{ name: 'good.har', entries: 2, judged: 2, omitted: [] }],
    keys: 1,
  });
  expect(report.narrowed).toMatchObject([{ option: 'no traffic' }]);
  expect(out).toContain(
    'listPets  2 requests; responses: 200 (2); not received: 401, 429; sent: limit (1 valid); not sent: status',
  );
  expect(out).toContain('not requested: createPet, getPet, getStoreOrders, sendMessage');
  expect(out).toContain(
    'covered: 1 of 5 operations, 1 of 17 documented responses, 1 of 5 parameters and bodies',
  );
  expect(report.coverage.byOperation[0]).toMatchObject({ operation: 'listPets', requests: 2 });
  expect(readFileSync(inFolder('good', 'report.html'), 'utf8')).toContain('href="#coverage"');
  const findings = new Map(report.requirements.map((each: { id: string }) => [each.id, each]));
  expect(findings.get('listPets.limit')).toMatchObject({ status: 'met' });
  expect(findings.get('createPet.201')).toMatchObject({ status: 'not-tested', untested: 'no-traffic' });
  for (const file of ['report.html', 'junit.xml', 'summary.md', 'report.json'])
    expect(readFileSync(inFolder('good', file), 'utf8'), file).not.toContain('secret-key-1');
});

test('a violation, its command, its exit status, and a baseline that knows it', async () => {
  const first = await judge('bad.har', '--out', 'bad', '--write-baseline', 'known.yaml');
  expect(first.status).toBe(1);
  expect(first.out).toContain('Pet.id');
  expect(first.out).toContain(
    ` -i -H 'accept: application/json' -H "Authorization: Bearer $PETSPEC_API_KEY" '${BASE}/pets'`,
  );
  expect(existsSync(inFolder('known.yaml'))).toBe(true);
  expect((await judge('bad.har', '--out', 'bad', '--baseline', 'known.yaml')).status).toBe(0);
  expect((await judge('bad.har', '--out', 'bad', '--only', 'listPets.*')).status).toBe(0);
});

test("petspec's own ledger and HAR are judged as their run was", async () => {
  expect((await petspec('run', '--out', 'own', '--format', 'json,har')).status).toBe(0);
  for (const file of ['ledger.jsonl', 'exchanges.har']) {
    const { status, out } = await judge(join('own', file), '--out', 'again', '--plan', 'free');
    expect(status, out).toBe(0);
    expect(out).toMatch(/^conformant: /m);
    const counts = ({ requirements, of }: { requirements: number; of: number }) => [requirements, of];
    expect(counts(reportIn('again').judged)).toEqual(counts(reportIn('own').judged));
  }
});

test('a recording without requests says so', async () => {
  write('empty-list.har', harText([]));
  const { status, out } = await judge('empty-list.har', '--quiet');
  expect([status, out]).toEqual([
    3,
    'incomplete (nothing judged): empty-list.har, no request was recorded\n',
  ]);
});

test("petspec's own HAR with another base URL says which one it has, and judges nothing of another server", async () => {
  await petspec('run', '--out', 'own', '--format', 'json,har');
  const { baseUrl } = reportIn('own').target;
  const har = join('own', 'exchanges.har');
  for (const other of [new URL(baseUrl).origin, 'http://127.0.0.1:9/v1']) {
    const { out } = await judge(har, '--base-url', other, '--out', 'other');
    expect(out).toMatch(/^Hint: \d+ requests were left out: the base URL there is /m);
    expect(out).toContain(`${baseUrl}; name it with --base-url`);
  }
  expect(reportIn('other').coverage.byOperation).toMatchObject([
    { requests: 0 },
    { requests: 0 },
    {},
    {},
    {},
  ]);
});

test('the HAR of what others sent is judged again as what others sent', async () => {
  await judge('bad.har', '--out', 'once', '--format', 'har');
  const { entries } = JSON.parse(readFileSync(inFolder('once', 'exchanges.har'), 'utf8')).log;
  for (const entry of entries) expect(entry).not.toHaveProperty('_key');
  const again = await judge(join('once', 'exchanges.har'), '--out', 'twice');
  expect(again.status).toBe(1);
  expect(again.out).toContain('Pet.id');
});

test('a recording that has nothing at the named base URL says which base URL it has', async () => {
  const hint = `2 requests were left out: the base URL there is ${BASE}; name it with --base-url`;
  for (const other of [new URL(BASE).origin, `${new URL(BASE).origin}/gateway/v1`, 'http://127.0.0.1/v1']) {
    const { status, out } = await judge('good.har', '--base-url', other, '--out', 'other');
    expect([status, out.split('\n').find((each) => each.startsWith('Hint'))]).toEqual([3, `Hint: ${hint}`]);
    const report = reportIn('other');
    expect(reportProblem(report)).toBeUndefined();
    expect(report.hints).toEqual([{ kind: 'other-base', text: hint }]);
  }
  await judge('good.har', '--base-url', BASE, '--out', 'other');
  expect(reportIn('other')).not.toHaveProperty('hints');
});

const SHOP = join(import.meta.dirname, '..', '..', '..', 'examples', 'bookshop', 'openapi.yaml');

/** A list of books, as somebody else's client got it. */
const books = (...items: object[]) =>
  entryOf({
    url: 'https://shop.example.com/v1/books?limit=1',
    key: null,
    headers: { 'X-Shop-Key': 'shop-key-4711' },
    body: { items, next: null },
    answer: { RateLimit: '"minute";r=59;t=60' },
  });

test('by an interface of the user: its server is told, its key is redacted, its schemas are judged', async () => {
  write('shop.har', harText([books({ id: 'b1', title: 'Emma', author: 'Austen' })]));
  const good = await judge('shop.har', '--interface', SHOP, '--out', 'shop', '--format', 'json,html');
  expect(good.status, good.err).toBe(0);
  expect(good.out).toContain('shop.har: 1 of 1 entry judged');
  expect(good.out).toContain('covered: 1 of 7 operations, 1 of 31 documented responses');
  expect(good.out).toContain('1 recorded exchange, 1 key');
  const report = reportIn('shop');
  expect(reportProblem(report)).toBeUndefined();
  expect(report).toMatchObject({
    suite: { interface: 'Bookshop' },
    target: { baseUrl: 'https://shop.example.com/v1' },
  });
  for (const file of ['report.html', 'report.json'])
    expect(readFileSync(inFolder('shop', file), 'utf8')).not.toContain('shop-key-4711');
  write('bad-shop.har', harText([books({ id: 7, title: 'Emma', author: 'Austen' })]));
  const bad = await judge('bad-shop.har', '--interface', SHOP, '--out', 'bad-shop');
  expect(bad.status).toBe(1);
  expect(bad.out).toContain('✗ Book.id');
  expect((await judge('bad-shop.har', '--interface', SHOP, '--only', 'Page.next')).status).toBe(0);
});

test('a compressed file, and lines', async () => {
  write('good.har.gz', gzipSync(harText([entryOf()])));
  expect((await judge('good.har.gz', '--quiet')).out).toMatch(/^conformant /);
  write(
    'good.ndjson',
    `${JSON.stringify(entryOf())}\nnot JSON\n\n${JSON.stringify(entryOf({ at: 9 }))}\n{"cut`,
  );
  const { out } = await judge('good.ndjson');
  expect(out).toContain('good.ndjson: 2 of 3 entries judged');
  expect(out).toContain('- 1: not judged: the entry has no method, URL, time or status');
  expect(out).toContain('- 1: the file ends in the middle of an entry');
});

test('what comes by standard input is called that in the summary and in the report', async () => {
  const { ended } = line.startProgram('sh', [
    '-c',
    `"$0" "$@" < good.har`,
    process.execPath,
    line.bin,
    'judge',
    '-',
  ]);
  expect(await ended).toMatchObject({
    status: 0,
    out: expect.stringContaining('standard input: 2 of 2 entries judged\n'),
  });
  expect(reportIn('reports').recording.files).toMatchObject([{ name: 'standard input' }]);
});

test('a recording of something else is incomplete, and says what to do', async () => {
  write('other.har', harText([entryOf({ url: 'https://www.example.com/x' })]));
  const { status, out } = await judge('other.har');
  expect(status).toBe(3);
  expect(out).toContain('no request is for an operation of the interface; name the server with --base-url');
  const named = await judge('other.har', '--base-url', BASE);
  expect(named.status).toBe(3);
  expect(named.out).toContain(`no request is for an operation of the interface at ${BASE}`);
});

test('a recording whose entries all have the same flaw is incomplete for this reason', async () => {
  write('log.jsonl', '{"verdict":"conformant"}\n{"verdict":"incomplete"}\n');
  const { status, out } = await judge('log.jsonl');
  expect(status).toBe(3);
  expect(out).toMatch(/2 entries not judged: the entry has no method, URL, time or status/);
  expect(out).not.toContain('--base-url');
});

test.each<[string, string[], string]>([
  ['no such file', ['none.har'], 'none.har: no such file'],
  ['a folder', ['.'], '.: is a folder; name the file in it'],
  [
    'an empty file',
    ['empty.har'],
    'empty.har: is empty; expected a HAR, a ledger of petspec, or one HAR entry on each line',
  ],
  [
    'another file',
    ['text.txt'],
    'text.txt: is not a recording; expected a HAR, a ledger of petspec, or one HAR entry on each line',
  ],
  [
    'another JSON document',
    ['report.json'],
    'report.json: is not a recording; expected a HAR, a ledger of petspec, or one HAR entry on each line',
  ],
  ['a damaged HAR', ['damaged.har'], 'damaged.har: is not valid JSON; record or export it again'],
  ['a damaged archive', ['damaged.gz'], 'damaged.gz: the compressed file is damaged or incomplete'],
  ['a file twice', ['good.har', 'good.har'], 'good.har is named twice; leave one out'],
  [
    'a file that the reports would replace',
    ['reports/ledger.jsonl'],
    'reports/ledger.jsonl is in the folder for the reports; name another one with --out',
  ],
  [
    'a server that is not a URL',
    ['good.har', '--base-url', 'api'],
    "--base-url: 'api' is not an http or https URL; expected one like https://staging.example.com/v1",
  ],
  [
    'a set of the bundled interface',
    ['good.har', '--interface', SHOP, '--set', '0.3.0'],
    '--set names requirements of the bundled interface; leave out --set or --interface',
  ],
  [
    'a server that the interface does not have',
    ['good.har', '--interface', SHOP, '--server', 'files=https://files.example.com'],
    "unknown server 'files'; beside the target the interface has no other server",
  ],
  [
    'a field that is judged',
    ['good.har', '--redact', 'status'],
    '--redact: status cannot be hidden, as the interface restricts its values',
  ],
  [
    'an id that paths contain',
    ['good.har', '--redact', 'owner,id'],
    '--redact: id cannot be hidden, as paths contain its values',
  ],
])('%s gets one line', async (_what, options, expected) => {
  write('empty.har', '');
  write('text.txt', 'hello\n');
  write('report.json', JSON.stringify({ verdict: 'conformant' }, null, 1));
  write('damaged.har', `${harText([entryOf()]).slice(0, -3)},{]`);
  write('damaged.gz', gzipSync(harText([entryOf()])).subarray(0, 60));
  mkdirSync(inFolder('reports'), { recursive: true });
  write('reports/ledger.jsonl', '');
  const { status, out, err } = await judge(...options);
  expect({ status, out, err }).toEqual({ status: 2, out: '', err: `petspec: ${expected}\n` });
});
