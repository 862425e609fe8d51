import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { makeAuthority } from '../../test/certificates/certificates.ts';
import { hangingService } from '../../test/command-line/command-line.ts';
import { inProcess } from '../../test/command-line/in-process.ts';
import { concurrentTest as test, testedCommandLine } from '../../test/command-line/tested-command-line.ts';
import { page } from '../../test/exchanges/answers.ts';
import { startNaive } from '../../test/services/naive-services.ts';
import { proxyTo, tlsBefore } from '../../test/services/way-stations.ts';
import { realClock, startReference } from '../index.ts';
import { COMMANDS } from './command-table.ts';

const KEY = 'a-key-of-a-test';
const { line, petspec, inFolder, reportIn } = testedCommandLine(KEY);

test('a conformant run: 0, with the default formats, and its ledger renders them again', async () => {
  const run = await line.petspec('run', '--out', 'conformant');
  expect(run).toMatchObject({ status: 0 });
  expect(run.out).toMatch(/^conformant: http:/m);
  expect(readdirSync(inFolder('conformant')).sort()).toEqual([
    'junit.xml',
    'ledger.jsonl',
    'report.html',
    'report.json',
    'summary.md',
  ]);
  const first = reportIn('conformant');
  rmSync(inFolder('conformant', 'report.json'));
  const again = await line.petspec('report', 'conformant', '--format', 'har,ctrf', '--format', 'junit');
  expect(again).toMatchObject({ status: 0, err: '' });
  expect(reportIn('conformant')).toEqual(first);
  expect(readdirSync(inFolder('conformant'))).toEqual(
    expect.arrayContaining(['exchanges.har', 'ctrf.json', 'report.json']),
  );
  await petspec('report', 'conformant', '--out', 'rendered/elsewhere', '--quiet');
  expect(readdirSync(inFolder('rendered', 'elsewhere'))).toContain('junit.xml');
});

test('--quiet: the verdict alone; --format: what was asked for alone; all of an earlier run is replaced', async () => {
  mkdirSync(inFolder('replaced'));
  for (const name of ['junit.xml', 'report.html', 'exchanges.har', 'mine.txt'])
    writeFileSync(inFolder('replaced', name), 'was there before');
  const run = await petspec('run', '--quiet', '--format', 'ctrf', '--out', 'replaced');
  expect(run).toMatchObject({ status: 0, err: '' });
  expect(run.out).toMatch(/^conformant: [^\n]*\n$/);
  expect(readdirSync(inFolder('replaced')).sort()).toEqual([
    'ctrf.json',
    'ledger.jsonl',
    'mine.txt',
    'report.json',
  ]);
});

test('a narrowed run: 0, and how much it judged; one that judged nothing: 3', async () => {
  const some = await petspec('run', '--quiet', '--only', 'sendMessage.*', '--out', 'some');
  expect(some).toMatchObject({ status: 0, err: '' });
  expect(some.out).toMatch(
    /^conformant \(4 of \d+ requirements judged\): [^\n]*\d+ requirements left out: --only\n$/,
  );
  expect(reportIn('some').judged).toMatchObject({ requirements: 4 });
  const none = await petspec('run', '--quiet', '--only', 'open.*', '--out', 'none');
  expect(none).toMatchObject({ status: 3, err: '' });
  expect(none.out).toMatch(
    /^incomplete \(nothing judged\): .*, no requirement of level must was judged; \d+ requirements left out: --only\n$/,
  );
});

test('--verbose: a line for each exchange, and none lost', async () => {
  const run = await line.petspec('run', '--verbose', '--only', 'Errors', '--out', 'verbose');
  const lines = run.err.split('\n').filter((each) => each.startsWith('#'));
  expect(lines).toHaveLength(reportIn('verbose').requests.total);
});

test('a ledger whose last line was cut short: what was completed is judged, incomplete, 3', async () => {
  await petspec('run', '--quiet', '--out', 'cut');
  const ledger = inFolder('cut', 'ledger.jsonl');
  const lines = readFileSync(ledger, 'utf8').trimEnd().split('\n');
  // The end goes, and half of the last exchange: of all lines, the header is no exchange either.
  const end = Buffer.byteLength(`${lines.at(-1)}\n`);
  const half = Math.floor(Buffer.byteLength(`${lines.at(-2)}\n`) / 2);
  truncateSync(ledger, readFileSync(ledger).length - end - half);
  const report = await petspec('report', 'cut');
  expect(report).toMatchObject({ status: 3, err: '' });
  expect(report.out).toMatch(/^incomplete \(\d+ of \d+ requirements judged\): .*broken off/m);
  expect(reportIn('cut').requests.total).toBe(lines.length - 3);
});

test('compare: 0, or 1 where a regression is to fail', async () => {
  await petspec('run', '--quiet', '--only', 'listPets', '--no-exhaust', '--out', 'good');
  const good = reportIn('good');
  const first = good.requirements.find(({ status }: { status: string }) => status === 'met');
  first.status = 'violated';
  mkdirSync(inFolder('bad'));
  // A comparison needs no exchanges, and reads none.
  writeFileSync(inFolder('bad', 'report.json'), JSON.stringify({ ...good, exchanges: ['unread'] }));
  const told = await line.petspec('compare', 'good', 'bad/report.json');
  expect(told).toMatchObject({ status: 0, err: '' });
  expect(told.out).toContain('Met in the first run, violated in the last (1)');
  expect(told.out).toMatch(/^B +bad .*listPets\.200/m);
  expect(told.out).toContain(first.id);
  expect(await petspec('compare', 'good', 'bad', '--fail-on-regression')).toMatchObject({ status: 1 });
  expect(await petspec('compare', 'bad', 'good', '--fail-on-regression')).toMatchObject({ status: 0 });
  const markdown = await petspec('compare', 'good', 'bad', '--format', 'markdown');
  expect(markdown.out).toMatch(/^## petspec: comparison\n/);
  const html = await petspec('compare', 'good', 'bad', '--format', 'html');
  expect(html.out).toMatch(/^<!doctype html>/);
});

const NO_COMMANDS: readonly (readonly [readonly string[], string])[] = [
  [['http://127.0.0.1:9/v1'], 'to judge it, type: npx petspec run http://127.0.0.1:9/v1'],
  [['help', 'nosuch'], "unknown command 'nosuch'; petspec --help lists them"],
  [['test'], "unknown command 'test'; did you mean 'run'?"],
  [['regression'], "unknown command 'regression'; did you mean 'compare'?"],
  [['rnu'], "unknown command 'rnu'; did you mean 'run'?"],
  [['serv'], "unknown command 'serv'; did you mean 'serve'?"],
  [['constructor'], "unknown command 'constructor'"],
];

for (const [words, said] of NO_COMMANDS)
  test(`an unknown command: ${words.join(' ')}`, async () => {
    const { status, out, err } = await petspec(...words);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toMatch(/^petspec: [^\n]*\n$/);
    expect(err).toContain(said);
  });

test('the help names every command, in three groups and 80 columns', async () => {
  const { status, out } = await petspec('--help');
  expect(status).toBe(0);
  const rows = out.trimEnd().split('\n');
  expect(rows.filter((row) => /^\w.*:$/.test(row) && !row.startsWith('Examples'))).toHaveLength(3);
  expect(Math.max(...rows.map((row) => row.length))).toBeLessThanOrEqual(80);
  for (const name of Object.keys(COMMANDS)) expect(out).toMatch(new RegExp(`^ {2}${name} `, 'm'));
});

test('the options of a run are in groups', async () => {
  const { out } = await petspec('run', '--help');
  const headings = [...out.matchAll(/^([A-Z][\w ]+):$/gm)].map(([, heading]) => heading);
  const groups = ['Target', 'Key', 'What is sent and judged', 'Limits', 'Connection', 'Output'];
  expect(headings.filter((each) => groups.includes(each ?? ''))).toEqual(groups);
  expect(out.indexOf('--api-key-file')).toBeGreaterThan(out.indexOf('\nKey:'));
  expect(out.indexOf('--api-key-file')).toBeLessThan(out.indexOf('\nWhat is sent'));
});

test('--only-violated judges again what a report of the same interface found violated, if there is anything', async () => {
  const { url, close } = await hangingService(Number.POSITIVE_INFINITY);
  await petspec('run', url, '--read-only', '--no-exhaust', '--out', 'once');
  const violated = reportIn('once').requirements.filter(
    ({ status }: { status: string }) => status === 'violated',
  );
  expect(violated.length).toBeGreaterThan(0);
  const again = await petspec(
    'run',
    url,
    '--read-only',
    '--no-exhaust',
    '--only-violated',
    'once',
    '--out',
    'again',
  );
  close();
  expect(again.status).toBe(1);
  const isJudged = ({ untested }: { untested?: string }) => untested !== 'left-out';
  const { requirements, narrowed, because } = reportIn('again');
  expect(narrowed).toContainEqual({
    kind: 'selection',
    option: '--only-violated',
    requirements: expect.arrayContaining(['createPet.201']),
  });
  expect(because).toMatch(/left out: --only-violated$/);
  const judged = requirements.filter(isJudged);
  expect(judged.map(({ id }: { id: string }) => id)).toEqual(violated.map(({ id }: { id: string }) => id));
  await petspec('run', '--out', 'nothing-violated');
  const none = await petspec('run', '--only-violated', 'nothing-violated');
  expect(none).toMatchObject({ status: 2, out: '' });
  expect(none.err).toContain('nothing-violated has no violation; there is nothing to judge again');

  const [stranger] = violated.map((each: object) => ({ ...each, id: 'Book.isbn' }));
  const report = { ...reportIn('again'), requirements: [stranger] };
  writeFileSync(inFolder('again', 'report.json'), JSON.stringify(report));
  const { status, err } = await petspec('run', '--only-violated', 'again');
  expect(status).toBe(2);
  expect(err).toMatch(/^petspec: --only-violated: this interface has no requirement 'Book.isbn', .*\n$/);
});

test('a service that answers everything alike: 1, with what it is; the key is nowhere', async () => {
  const { url, close } = await hangingService(Number.POSITIVE_INFINITY);
  const options = ['--read-only', '--no-exhaust', '--format', 'html,junit,ctrf,har,markdown', '--verbose'];
  const { status, out, err } = await line.petspec('run', url, ...options, '--out', 'broken');
  close();
  expect(status).toBe(1);
  expect(out).toMatch(/^✗ .* requirements violated.*\n[\s\S]*\n\nViolated \(\d+\)\n/m);
  expect(out).toMatch(/^non-conformant \(\d+ of \d+ requirements judged\): /m);
  const files = readdirSync(inFolder('broken'));
  expect(files).toHaveLength(7);
  for (const name of files) expect(readFileSync(inFolder('broken', name), 'utf8')).not.toContain(KEY);
  expect(out + err).not.toContain(KEY);
});

test('a service that is down: the root cause before the violations, also by its ledger; --verbose shows what follows', async () => {
  const { apiUrl: origin, close } = await startNaive({
    answer: (_, response) => page(response.setHeader('RateLimit-Limit', 9), 503, '<h1>Down</h1>'),
  });
  const run = await petspec('run', `${origin}/v1`, '--no-exhaust', '--out', 'down');
  await close();
  expect(run.status).toBe(1);
  expect(run.out).toMatch(
    /^Root cause: every operation returned 503 text\/html\n {2}first line {2}<h1>Down<\/h1>\n/m,
  );
  expect(run.out).not.toMatch(/^Violated/m);
  expect(run.out.split('\n').length).toBeLessThan(30);
  const first = reportIn('down');
  const again = await petspec('report', 'down', '--verbose');
  expect(again.out).toMatch(/^Root cause: .*\n[\s\S]*\nViolated \(\d+\)\n/m);
  expect(reportIn('down')).toEqual(first);
});

test('behind a proxy, with an authority of one’s own; then without looking at certificates', async () => {
  mkdirSync(inFolder('certificates'));
  const authority = makeAuthority(inFolder('certificates'));
  const { certificate: cert, key } = authority.sign('server', ['DNS:store.example.test']);
  const reference = await startReference({ clock: realClock, apiKey: 'key-of-a-file', plan: 'business' });
  const front = await tlsBefore(Number(new URL(reference.baseUrl).port), { cert, key });
  const authorization = `Basic ${Buffer.from('me:pass-of-a-proxy').toString('base64')}`;
  const proxy = await proxyTo({ routes: { 'store.example.test:443': front.port }, authorization });
  const address = `http://me:pass-of-a-proxy@127.0.0.1:${proxy.port}`;
  const env = { HTTPS_PROXY: address, HTTP_PROXY: address, NO_PROXY: 'example.com' };
  const proxied = { ...line, variables: { ...line.variables, ...env } };
  writeFileSync(inFolder('key-of-a-file.txt'), '  key-of-a-file\r\n');
  const common = [
    '--api-key-file',
    'key-of-a-file.txt',
    '--only',
    'listPets.200',
    '--format',
    'html,markdown',
  ];
  const judge = (...options: string[]) =>
    inProcess(proxied, ['run', 'https://store.example.test/v1/', ...common, ...options]);

  const [trusting, careless, bundled] = await Promise.all([
    judge('--ca', 'certificates/authority.pem', '--out', 'behind'),
    judge('--insecure', '--quiet', '--out', 'careless'),
    line.start(['run', '--only', 'listPets.200', '--out', 'unproxied'], { env }).ended,
  ]);
  expect(trusting).toMatchObject({ status: 0 });
  expect(trusting.err).toContain(`/v1 through the proxy http://127.0.0.1:${proxy.port}: `);
  expect(reportIn('behind').target).not.toHaveProperty('insecure');
  expect(careless).toMatchObject({ status: 0 });
  expect(careless.err).toMatch(/^petspec: warning: --insecure: CERTIFICATES ARE NOT VERIFIED\. [^\n]*\n$/);
  expect(careless.out).toContain('the certificate of the service was not verified (--insecure)');
  expect(bundled).toMatchObject({ status: 0 });
  expect(new Set(proxy.asked)).toEqual(new Set(['CONNECT store.example.test:443']));
  const again = await petspec('report', 'careless', '--format', 'html,markdown');
  expect(again.out).toContain('the certificate of the service was not verified (--insecure)');
  expect(reportIn('careless').target.insecure).toBe(true);
  for (const name of ['report.html', 'summary.md'])
    expect(readFileSync(inFolder('careless', name), 'utf8')).toMatch(
      /was not verified \((?:<span class="option">)?--insecure/,
    );
  await Promise.all([proxy.close(), front.close(), reference.close()]);
  for (const out of ['behind', 'careless'])
    for (const name of readdirSync(inFolder(out)))
      expect(readFileSync(inFolder(out, name), 'utf8')).not.toMatch(/pass-of-a-proxy|key-of-a-file/);
  for (const { out, err } of [trusting, careless]) expect(out + err).not.toContain('pass-of-a-proxy');
});
