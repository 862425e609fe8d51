import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeAuthority } from '../../../test/certificates/certificates.ts';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';
import { realClock } from '../../model/clock.ts';
import { reportProblem } from '../../model/report/report-schema.ts';
import { faults } from '../../reference/faults/index.ts';
import { type Reference, startReference } from '../../reference/index.ts';

const KEY = 'a-key-of-a-client-4711';
const { line, petspec, inFolder } = testedCommandLine('a-key-that-no-client-sends');
let reference: Reference;
beforeAll(async () => {
  const changes = faults.filter(({ id }) => id === 'list-default-25');
  reference = await startReference({ clock: realClock, apiKey: KEY, changes, plan: 'pro' });
});
afterAll(async () => {
  await reference.close();
});

/** Starts the proxy on free ports: its addresses, what it prints, and what ends it. */
async function proxy(...options: string[]) {
  const ports = ['--port', '0', '--page-port', '0'];
  const { child, ended } = line.start(['proxy', reference.baseUrl, ...ports, ...options]);
  const lines: string[] = [];
  const { stdout } = child;
  if (!stdout) throw new Error('the command line has no output');
  await new Promise<void>((resolve) => {
    createInterface({ input: stdout }).on('line', (each) => {
      lines.push(each);
      if (each.startsWith('Press Ctrl-C')) resolve();
    });
    void ended.then(() => resolve());
  });
  const [, base = ''] = /^proxy +(\S+) -> /.exec(lines[0] ?? '') ?? [];
  const [, page = ''] = /^live page +(\S+)$/.exec(lines[1] ?? '') ?? [];
  return { base, page, lines, child, ended };
}

const headers = { authorization: `Bearer ${KEY}`, accept: 'application/json' };

test('a violation is told as it happens, on the terminal and on the page; a kill loses nothing', async () => {
  const { base, page, lines, child, ended } = await proxy('--out', 'killed');
  expect(await (await fetch(`${base}/pets`, { headers })).json()).toHaveLength(25);
  await fetch(`${base}/elsewhere`);
  await expect
    .poll(() => lines.at(-1), { timeout: 20_000 })
    .toMatch(
      /^\d\d:\d\d:\d\d ✗ listPets\.limit\.default: .*received 25 animals\) in GET \/v1\/pets -> 200, 1 of 1$/,
    );
  const shown = await fetch(page);
  expect(shown.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const text = await shown.text();
  expect(text).toContain('1 requirement violated');
  expect(text).toMatch(/<dt>Last judged together<\/dt><dd>(not yet|\d\d:\d\d:\d\d)<\/dd>/);
  expect((await fetch(`${page}nothing`)).status).toBe(404);
  expect((await fetch(page, { method: 'POST' })).status).toBe(405);
  child.kill('SIGKILL');
  await ended;
  expect(readdirSync(inFolder('killed'))).toEqual(['traffic.jsonl']);
  const judged = await petspec('judge', 'killed/traffic.jsonl', '--out', 'judged');
  expect(judged.status).toBe(1);
  expect(judged.out).toContain('killed/traffic.jsonl: 1 of 1 entry judged');
  expect(judged.out).toMatch(/✗ listPets\.limit\.default /);
});

test('--quiet prints the addresses, the violations and the verdict alone', async () => {
  const { base, lines, child, ended } = await proxy('--out', 'quiet', '--quiet');
  await (await fetch(`${base}/pets`, { headers })).json();
  await expect.poll(() => lines.at(-1), { timeout: 20_000 }).toContain(' ✗ listPets.limit.default: ');
  const before = lines.length;
  child.kill('SIGINT');
  expect((await ended).status).toBe(1);
  expect(lines.slice(before)).toEqual([
    'Violated (1)',
    expect.stringContaining('✗ listPets.limit.default '),
    ...lines.slice(before + 2, -2),
    '',
    expect.stringMatching(/^non-conformant /),
  ]);
});

test('over TLS; Ctrl-C writes the reports and a HAR, and the exit status is that of the verdict', async () => {
  const folder = inFolder('certificates');
  mkdirSync(folder);
  const authority = makeAuthority(folder);
  const server = authority.sign('server', ['IP:127.0.0.1']);
  mkdirSync(inFolder('ended'));
  writeFileSync(inFolder('ended', 'traffic.jsonl'), 'of a proxy that was killed');
  const tls = ['--tls-cert', server.certificateFile, '--tls-key', server.keyFile];
  const only = ['--only', 'Pet.*', '--format', 'json,html,junit,har'];
  const { base, page, child, ended } = await proxy('--out', 'ended', ...tls, ...only);
  expect([base, page].map((each) => new URL(each).protocol)).toEqual(['https:', 'https:']);
  const status = await new Promise((resolve, reject) => {
    const asked = request(`${base}/pets?limit=1`, { headers, ca: authority.certificate, agent: false });
    asked.on('response', (response) => response.resume().on('end', () => resolve(response.statusCode)));
    asked.on('error', reject).end();
  });
  expect(status).toBe(200);
  child.kill('SIGINT');
  const { status: exit, out, err } = await ended;
  expect({ exit, err }).toEqual({
    exit: 0,
    err: 'stopping: writing the reports (press Ctrl-C again to quit)\n',
  });
  expect(out).toContain('live traffic: 1 of 1 entry judged');
  expect(out).toContain('1 exchange in the ledger');
  const files = ['exchanges.har', 'junit.xml', 'report.html', 'report.json', 'traffic.jsonl'];
  expect(readdirSync(inFolder('ended')).sort()).toEqual([...files, 'traffic.earlier.jsonl'].sort());
  const text = (name: string) => readFileSync(inFolder('ended', name), 'utf8');
  for (const file of files) expect(text(file), file).not.toContain(KEY);
  const report = JSON.parse(text('report.json'));
  expect(reportProblem(report)).toBeUndefined();
  expect(report.recording).toEqual({
    files: [{ name: 'live traffic', entries: 1, judged: 1, omitted: [] }],
    keys: 1,
  });
  expect(JSON.parse(text('exchanges.har')).log.entries).toMatchObject([
    { request: { url: `${reference.baseUrl}/pets?limit=1` }, response: { status: 200 } },
  ]);
  expect(text('traffic.earlier.jsonl')).toBe('of a proxy that was killed');
});

const URL_EXPECTED = 'expected one like https://staging.example.com/v1';

test.each<[string, string[], string]>([
  ['a word', ['proxy', 'api'], `target: 'api' is not an http or https URL; ${URL_EXPECTED}`],
  [
    'user and password, which no option replaces',
    ['proxy', 'http://user:word@127.0.0.1:1/v1'],
    'target: user and password in the URL are not supported; leave them out',
  ],
  [
    'a file that is no certificate',
    ['proxy', 'http://127.0.0.1:1/v1', '--tls-cert', 'text.txt'],
    "--tls-cert: no certificate (PEM) in 'text.txt'",
  ],
  [
    'a key without a certificate',
    ['proxy', 'http://127.0.0.1:1/v1', '--tls-key', 'text.txt'],
    '--tls-key: no certificate; name it with --tls-cert',
  ],
  [
    'a message API elsewhere',
    ['proxy', 'http://127.0.0.1:1/v1', '--api-url', 'http://127.0.0.1:2'],
    "--api-url: 'http://127.0.0.1:2' is another server; start a proxy of its own for it",
  ],
  [
    'an unknown plan',
    ['proxy', 'http://127.0.0.1:1/v1', '--plan', 'gold'],
    "--plan: unknown plan 'gold'; expected one of free, pro, business, enterprise",
  ],
  [
    'an empty address to listen on',
    ['proxy', 'http://127.0.0.1:1/v1', '--listen', ''],
    '--listen: no address named; leave it out to listen on 127.0.0.1',
  ],
])('%s gets one line', async (_what, options, expected) => {
  writeFileSync(inFolder('text.txt'), 'hello\n');
  const { status, out, err } = await petspec(...options, '--out', 'refused');
  expect({ status, out, err }).toEqual({ status: 2, out: '', err: `petspec: ${expected}\n` });
  expect(existsSync(inFolder('refused'))).toBe(false);
});

test('no target, and a port in use, get a line each', async () => {
  const missing = await petspec('proxy');
  expect(missing.status).toBe(2);
  expect(missing.err).toMatch(/^petspec: missing required argument 'target'\n/);
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
  const port = String((taken.address() as AddressInfo).port);
  const places = [
    ['--port', port, '--page-port', '0'],
    ['--port', '0', '--page-port', port],
  ];
  const ended = places.map((each) =>
    line.petspec('proxy', reference.baseUrl, ...each, '--out', each.join('')),
  );
  const results = await Promise.all(ended);
  taken.close();
  // What another proxy writes is left alone.
  for (const each of places) expect(existsSync(inFolder(each.join('')))).toBe(false);
  expect(results.map(({ status, out, err }) => ({ status, out, err }))).toEqual(
    ['--port', '--page-port'].map((option) => ({
      status: 2,
      out: '',
      err: `petspec: ${option}: port ${port} is in use; name another one\n`,
    })),
  );
});
