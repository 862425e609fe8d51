import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { hangingService } from '../../test/command-line/command-line.ts';
import { inProcess } from '../../test/command-line/in-process.ts';
import { concurrentTest as test, testedCommandLine } from '../../test/command-line/tested-command-line.ts';
import { realClock } from '../model/clock.ts';
import { faults } from '../reference/faults/index.ts';
import { startReference } from '../reference/index.ts';

const KEYS = { FIRST_KEY: 'the-key-of-the-first', SECOND_KEY: 'the-key-of-the-second' };
const { line, inFolder } = testedCommandLine('a-key-that-no-target-names');

/** A folder of its own with a configuration, and the command line in it. */
function project(name: string, config: string) {
  const folder = inFolder(name);
  mkdirSync(folder);
  if (config !== '') writeFileSync(join(folder, 'petspec.config.yaml'), config);
  const start = (options: readonly string[]) =>
    line.startProgram(process.execPath, [line.bin, ...options], { cwd: folder, env: KEYS });
  const petspec = (options: readonly string[], env: NodeJS.ProcessEnv = {}, cwd = folder) =>
    inProcess({ folder: cwd, variables: { ...line.variables, ...KEYS, ...env } }, options);
  const reportOf = (target: string) =>
    JSON.parse(readFileSync(join(folder, 'reports', target, 'report.json'), 'utf8'));
  return { folder, start, petspec, reportOf };
}

/** A service that answers every request with an empty list, and keeps what it was asked. */
async function recordingService() {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    request.resume().on('end', () => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('[]');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { origin, asked, close: () => server.close() };
}

test('a name, from a folder below: its settings are the options of the run, and flags win over them', async () => {
  const { origin, asked, close } = await recordingService();
  const { folder, petspec } = project(
    'named',
    `
defaults: { headers: { X-Gateway: open, X-Trace: "1" } }
targets:
  staging:
    baseUrl: ${origin}/v1
    apiKeyVariable: FIRST_KEY
    readOnly: true
    exhaust: none
    plan: enterprise
    limit: 70
    headers: { X-Trace: "2" }
`,
  );
  const below = join(folder, 'deep', 'down');
  mkdirSync(below, { recursive: true });
  const only = ['--only', 'listPets.200', '--header', 'x-gateway: closed'];
  const run = await petspec(['run', 'staging', ...only], {}, below);
  close();
  expect(run.status).toBe(0);
  expect(asked.length).toBeGreaterThan(0);
  for (const { headers, method } of asked) {
    expect(headers).toMatchObject({ 'x-gateway': 'closed', 'x-trace': '2' });
    expect(headers.authorization).toBe(`Bearer ${KEYS.FIRST_KEY}`);
    expect(method).toBe('GET');
  }
  const report = JSON.parse(readFileSync(join(below, 'reports', 'report.json'), 'utf8'));
  expect(report.target).toMatchObject({ baseUrl: `${origin}/v1`, plan: 'enterprise' });
  expect(JSON.stringify(report)).not.toContain(KEYS.FIRST_KEY);
});

/** The outputs of a step of GitHub Actions, each a single line. */
function outputsIn(path: string): Record<string, string> {
  const found = readFileSync(path, 'utf8').matchAll(/^(\w+)<<(.+)\n(.*)\n\2\n/gm);
  return Object.fromEntries([...found].map(([, name, , value]) => [name, value]));
}

test('the UI names the baseline of the target for the reports that follow', async () => {
  const { origin, close } = await recordingService();
  const { start } = project(
    'ui',
    `targets: { staging: { baseUrl: ${origin}/v1, apiKeyVariable: FIRST_KEY, exhaust: none, baseline: known.yaml } }`,
  );
  const { child, ended } = start(['run', 'staging', '--ui', '--only', 'listPets.200']);
  child.stdout?.on('data', (text: string) => text.includes('Press Ctrl-C') && child.kill('SIGINT'));
  const { status, out } = await ended;
  close();
  expect(status).toBe(0);
  expect(out).toContain('then run npx petspec report reports --baseline known.yaml to write the reports\n');
});

/** A service that answers every request alike. */
async function serviceOf(status: number) {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => server.close(),
  };
}

test('the variable of the key is named where the key is refused, and in commands that repeat a request', async () => {
  const refusing = await serviceOf(401);
  const wrong = await serviceOf(200);
  const { petspec } = project(
    'variable',
    `
defaults: { readOnly: true, exhaust: none, apiKeyVariable: FIRST_KEY }
targets: { refusing: { baseUrl: ${refusing.origin}/v1 }, wrong: { baseUrl: ${wrong.origin}/v1 } }
`,
  );
  const refused = await petspec(['run', 'refusing', '--quiet']);
  expect(refused).toMatchObject({ status: 3 });
  expect(refused.out).toContain('check FIRST_KEY, and that it belongs');
  const byFile = ['run', 'refusing', '--quiet', '--api-key-file', 'the-key'];
  writeFileSync(inFolder('variable', 'the-key'), 'another-key');
  expect((await petspec(byFile)).out).toContain('check --api-key-file, and that it');
  const { out } = await petspec(['run', 'wrong', '--quiet', '--only', 'listPets.200.body']);
  refusing.close();
  wrong.close();
  expect(out).toContain('Authorization: Bearer $FIRST_KEY"');
  expect(out).not.toContain('PETSPEC_API_KEY');
  const again = await petspec(['report', '--quiet']);
  expect(again.out).toContain('Authorization: Bearer $FIRST_KEY"');
});

/** The reference with a window that the first request opens: no test waits for the full minute. */
function reference(apiKey: string, fault?: string) {
  const changes = faults.filter(({ id }) => id === fault);
  const settings = { limiter: { algorithm: 'first-request-window', windows: 'minute' } } as const;
  return startReference({
    clock: realClock,
    apiKey,
    plan: { minute: 60, day: 1_000 },
    changes: [{ settings }, ...changes],
  });
}

test('--all: each target by its own key, into its own folder, with its own findings; the worst status; one comparison', async () => {
  const good = await reference(KEYS.FIRST_KEY);
  const bad = await reference(KEYS.SECOND_KEY, 'list-default-25');
  const { folder, start, reportOf } = project(
    'all',
    `
defaults: { exhaust: none, timeout: 100000 }
targets:
  good: { baseUrl: ${good.baseUrl}, apiUrl: ${good.apiUrl}, apiKeyVariable: FIRST_KEY }
  bad: { baseUrl: ${bad.baseUrl}, apiUrl: ${bad.apiUrl}, apiKeyVariable: SECOND_KEY }
  gone: { baseUrl: 'http://127.0.0.1:1/v1', apiKeyVariable: SECOND_KEY }
`,
  );
  const { status, out, err } = await start(['run', '--all']).ended;
  await Promise.all([good.close(), bad.close()]);
  expect(err).not.toContain('Warning');
  expect(status).toBe(1);
  expect(['good', 'bad', 'gone'].map((name) => reportOf(name).verdict)).toEqual([
    'conformant',
    'non-conformant',
    'incomplete',
  ]);
  const violated = (name: string) =>
    reportOf(name)
      .requirements.filter((each: { status: string }) => each.status === 'violated')
      .map(({ id }: { id: string }) => id);
  expect([violated('good'), violated('bad')]).toEqual([[], ['listPets.limit.default']]);
  for (const [name, { baseUrl }] of [
    ['good', good],
    ['bad', bad],
  ] as const)
    for (const { url } of reportOf(name).exchanges)
      expect([baseUrl, name === 'good' ? good.apiUrl : bad.apiUrl].some((each) => url.startsWith(each))).toBe(
        true,
      );
  expect(readdirSync(join(folder, 'reports')).sort()).toEqual([
    'bad',
    'comparison.html',
    'comparison.md',
    'gone',
    'good',
  ]);
  expect(readdirSync(join(folder, 'reports', 'gone'))).toEqual(
    expect.arrayContaining(['junit.xml', 'ledger.jsonl', 'report.html']),
  );
  expect(out).toMatch(
    /^A {2}http:.* conformant \(\d+ of .*\(good\)\nB {2}.* non-conformant \(\d+ of .*\(bad\)\nC {2}.* incomplete \(nothing judged\), .*\(gone\)$/m,
  );
  expect(out).toMatch(/listPets\.limit\.default +met +violated +not tested\n/);
  expect(out).not.toContain('Met in the first run');
  expect(err).toMatch(/^good: judging http:.*53 requests/m);
  expect(err).toMatch(
    /^bad +non-conformant \(\d+ of \d+ requirements judged\): 1 requirement violated; .+$/m,
  );
  const written = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  const texts = [out, err, ...written.map((each) => readFileSync(join(each.parentPath, each.name), 'utf8'))];
  for (const key of Object.values(KEYS)) expect(texts.filter((text) => text.includes(key))).toEqual([]);
});

test('--all: targets with one key at one origin go one after the other, others side by side', async () => {
  const { origin, asked, close } = await recordingService();
  const { folder, petspec, reportOf } = project(
    'shared',
    `
defaults: { exhaust: none, readOnly: true, apiKeyVariable: FIRST_KEY, timeout: 100000 }
targets:
  first: { baseUrl: ${origin}/first/v1 }
  other: { baseUrl: ${origin}/other/v1, apiKeyVariable: SECOND_KEY }
  second: { baseUrl: ${origin}/second/v1 }
`,
  );
  const summary = join(folder, 'summary-of-the-job.md');
  const outputs = join(folder, 'outputs-of-the-step');
  const { out, err } = await petspec(['run', '--all', '--quiet', '--only', 'listPets.*'], {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
  });
  close();
  expect(err).toBe('');
  for (const name of ['first', 'other', 'second']) {
    expect(out).toMatch(new RegExp(`^${name}: [a-z-]+ \\(\\d+ of \\d+ requirements judged\\): .+$`, 'm'));
    expect(out).toMatch(new RegExp(`^::\\w+ title=petspec%3A ${name}%3A `, 'm'));
  }
  expect(readFileSync(summary, 'utf8')).toMatch(/^## petspec: comparison\n/);
  for (const name of ['first', 'other', 'second']) expect(reportOf(name).verdict).toBe('incomplete');
  expect(outputsIn(outputs)).toEqual({ verdict: 'incomplete', report: join(folder, 'reports') });
  const places = (name: string) =>
    asked.flatMap(({ url }, place) => (url?.startsWith(`/${name}/`) ? [place] : []));
  expect(places('first').length).toBeGreaterThan(3);
  expect(Math.max(...places('first'))).toBeLessThan(Math.min(...places('second')));
  expect(Math.min(...places('other'))).toBeLessThan(Math.max(...places('first')));
});

test('--all of one target on GitHub: the summary is that of its run, as there is nothing to compare', async () => {
  const { origin, close } = await recordingService();
  const { folder, petspec } = project(
    'single',
    `targets: { only: { baseUrl: ${origin}/v1, apiKeyVariable: FIRST_KEY, exhaust: none, readOnly: true } }`,
  );
  const [summary, outputs] = [join(folder, 'summary-of-the-job.md'), join(folder, 'outputs-of-the-step')];
  const { status } = await petspec(['run', '--all', '--quiet', '--only', 'listPets.200'], {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
  });
  close();
  expect(status).toBe(0);
  const own = readFileSync(join(folder, 'reports', 'only', 'summary.md'), 'utf8');
  expect(own).toMatch(/^## \S+ petspec: conformant/);
  expect(readFileSync(summary, 'utf8')).toBe(`${own}\n`);
  expect(outputsIn(outputs)).toEqual({ verdict: 'conformant', report: join(folder, 'reports') });
});

test('--all, Ctrl-C once: every target is finished with what is known, also one that has not begun', async () => {
  const first = await hangingService(1);
  const second = await hangingService(1);
  const { start, reportOf } = project(
    'interrupted',
    `
defaults: { readOnly: true, apiKeyVariable: FIRST_KEY, timeout: 100000 }
targets:
  one: { baseUrl: ${first.url} }
  two: { baseUrl: ${second.url} }
  later: { baseUrl: ${second.url} }
`,
  );
  const { child, ended } = start(['run', '--all']);
  await Promise.all([first.hangs, second.hangs]);
  child.kill('SIGINT');
  const { status, err } = await ended;
  first.close();
  second.close();
  expect(status).toBe(3);
  expect(err).toContain('interrupted: finishing with the results so far');
  expect(err).toMatch(/^later +starts after two: same key at the same origin$/m);
  for (const name of ['one', 'two', 'later'])
    expect(reportOf(name)).toMatchObject({ verdict: 'incomplete', stopped: { kind: 'interrupted' } });
  expect(reportOf('one').exchanges[0].response.status).toBe(200);
  expect(reportOf('later').exchanges).toEqual([]);
});
