import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { inProcess } from '../../../test/command-line/in-process.ts';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';
import { reportProblem } from '../../model/report/report-schema.ts';

const OWN_KEY = 'a-real-key-that-no-client-gets';
const { line, petspec, inFolder, reportIn } = testedCommandLine(OWN_KEY);

/** Runs a script as a client, in the scenario in which all is well. */
function client(script: string, ...options: string[]) {
  const chosen = options.includes('--scenario') ? options : ['--scenario', 'plain', ...options];
  return petspec('client', ...chosen, '--', process.execPath, '-e', script);
}

const LISTS = `fetch(process.env.PETSPEC_BASE_URL + '/pets?limit=5', {
  headers: { authorization: 'Bearer ' + process.env.PETSPEC_API_KEY } })`;

test('a conformant client: what it did is judged, what it did not do narrows the verdict', async () => {
  const { status, out, err } = await client(LISTS, '--out', 'good', '--format', 'json,html,junit,har');
  expect(status).toBe(0);
  expect(err).toBe('plain: all is well\n');
  expect(out).toMatch(/^conformant \(\d+ of \d+ requirements judged\): /m);
  const report = reportIn('good');
  expect(reportProblem(report)).toBeUndefined();
  expect(report.client.scenarios).toMatchObject([{ id: 'plain', requests: 1, end: 'exit status 0' }]);
  const findings = new Map(report.requirements.map((each: { id: string }) => [each.id, each]));
  expect(findings.get('client.listPets.limit')).toMatchObject({ status: 'met' });
  expect(report.coverage.byOperation[0].parameters).toEqual([
    { name: 'limit', in: 'query', valid: 1, invalid: 0, byStatus: { 200: 1 } },
    { name: 'status', in: 'query', valid: 0, invalid: 0, byStatus: {} },
  ]);
  expect(out).toContain('covered: 1 of 5 operations, 1 of 17 documented responses');
  expect(findings.get('client.NewPet.name')).toMatchObject({
    status: 'not-tested',
    reason: 'the client did not send NewPet.name',
  });
});

test('a client that cannot be started leaves the reports of an earlier run', async () => {
  await client(LISTS, '--out', 'kept');
  const before = reportIn('kept');
  const { status } = await petspec('client', '--out', 'kept', '--', 'no-such-program');
  expect(status).toBe(2);
  expect(reportIn('kept')).toEqual(before);
});

test('a violation, its exit status, and a baseline that knows it', async () => {
  const script = LISTS.replace('limit=5', 'limit=0');
  const first = await client(script, '--out', 'bad', '--write-baseline', 'known.yaml');
  expect(first.status).toBe(1);
  expect(first.out).toContain('client.listPets.limit');
  expect(first.out).toContain('limit=0');
  expect(existsSync(inFolder('known.yaml'))).toBe(true);
  expect((await client(script, '--out', 'bad', '--only', 'client.key.*')).status).toBe(0);
  expect((await client(script, '--out', 'bad', '--baseline', 'known.yaml')).status).toBe(0);
});

test('the variables and arguments of a command, and no key in what is printed or written', async () => {
  const script = `console.log(JSON.stringify([process.argv.slice(1),
    Object.keys(process.env).filter((name) => name.startsWith('PETSPEC_')), process.env.KEY])); ${LISTS.replace('_API_KEY', '_KEY')}`;
  const { status, err } = await petspec(
    ...['client', '--scenario', 'plain', '--verbose', '--out', 'named', '--api-key-variable', 'KEY'],
    ...['--', process.execPath, '-e', script, '{baseUrl}', 'at={apiUrl}', '{other}'],
  );
  expect(status).toBe(1);
  const [, printed = ''] = /^ {2}\| (\[.*)$/m.exec(err) ?? [];
  const [args, variables, key] = JSON.parse(printed);
  expect(args[0]).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/v1$/);
  expect(args[1]).toMatch(/^at=http:\/\/127\.0\.0\.1:\d+$/);
  expect(args[2]).toBe('{other}');
  expect(variables.sort()).toEqual(['PETSPEC_API_URL', 'PETSPEC_BASE_URL']);
  expect(key).toBe('[key]');
  const files = readdirSync(inFolder('good')).map((name) => readFileSync(inFolder('good', name), 'utf8'));
  expect(files.filter((text) => /petspec-[0-9a-f]{24}/.test(text) || text.includes(OWN_KEY))).toEqual([]);
});

test('a client that sends nothing, or does not end, says nothing about itself', async () => {
  const silent = await client('', '--out', 'silent');
  expect(silent.status).toBe(3);
  expect(silent.out).toContain('the client sent no request to the reference');
  const endless = await client('setInterval(() => {}, 1000)', '--timeout', '1', '--out', 'endless');
  expect(endless.status).toBe(3);
  expect(reportIn('endless').client.scenarios).toMatchObject([{ end: 'it was ended after the time limit' }]);
});

test('a client that leaves a process behind, which has its output, does not keep petspec', async () => {
  const left = inFolder('left.pid');
  const script = `const { spawn } = require('node:child_process');
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 3600000)'], { detached: true, stdio: 'inherit' });
    require('node:fs').writeFileSync(${JSON.stringify(left)}, String(child.pid));
    child.unref();
    ${LISTS}.then(() => process.exit(0));`;
  const options = ['client', '--scenario', 'plain', '--out', 'left', '--', process.execPath, '-e', script];
  const { status, out } = await line.start(options).ended;
  const pid = Number(readFileSync(left, 'utf8'));
  // It is there all the time, and ends only now.
  expect(() => process.kill(pid, 'SIGKILL')).not.toThrow();
  expect(out).toContain('conformant');
  expect(status).toBe(0);
});

test.each([
  [['client', '--', 'no-such-program'], "petspec: cannot start 'no-such-program' (ENOENT)"],
  [['client', '--', `${process.execPath}/program`], "/program' (ENOTDIR)"],
  [['client', '--', ''], "petspec: cannot start ''"],
  [
    ['client', '--scenario', 'plane', '--', 'true'],
    "--scenario: unknown scenario 'plane'; did you mean 'plain'?",
  ],
  [['client', '--scenario', ',', '--', 'true'], '--scenario: no name'],
  [['client', '--only', 'nothing', '--', 'true'], "'nothing' in --only"],
  [['judge', 'a.har', '--redact', ''], '--redact: no name'],
  [['client'], "missing required argument 'command'"],
  [['client', '--timeout', '0', '--', 'true'], '--timeout'],
])('%j is one clear line', async (options, words) => {
  const { status, err } = await petspec(...options);
  expect(status).toBe(2);
  expect(err).toContain(words);
  expect(err).not.toContain('    at ');
});

test('how a client failed is one line, with the last that it printed, and without the key', async () => {
  const crash = `${LISTS}.then(() => { throw new Error('bad \\x1b[1m status of ' + process.env.PETSPEC_API_KEY + 'y'.repeat(300)) })`;
  const thrown = await client(crash, '--out', 'crash', '--scenario', 'plain,extra-fields');
  const failures = thrown.err.split('\n').filter((each) => each.includes('failed'));
  expect(failures).toHaveLength(2);
  expect(failures[0]).toMatch(
    /^plain: the client failed \(exit status 1\): .*bad .* status of \[key\]y+… \(\d+ characters\)$/,
  );
  expect(failures[1]).toContain('extra-fields: the client failed (exit status 1): ');
  expect(failures.join('')).not.toMatch(/petspec-[0-9a-f]{24}|y{300}/);
  expect(failures.join('')).not.toContain('\x1b');
  const killed = await client('process.kill(process.pid, "SIGTERM")', '--out', 'crash');
  expect(killed.err).toContain('plain: the client failed (ended by SIGTERM)\n');
  const missing = await petspec(
    ...['client', '--scenario', 'plain', '--out', 'crash', '--', 'sh', '-c', 'no-such-client'],
  );
  expect(missing.err).toMatch(/^plain: the client failed \(exit status 127\): .*no-such-client.*not found$/m);
  expect((await client(LISTS, '--out', 'crash')).err).not.toContain('failed');
});

test('a secret of the environment that is in the command is in no report', async () => {
  const STORE_KEY = 'the-key-of-a-store';
  const variables = { ...line.variables, STORE_KEY };
  const command = ['--', process.execPath, '-e', LISTS, `from ${STORE_KEY}`];
  await inProcess({ folder: line.folder, variables }, [
    'client',
    '--out',
    'secret',
    '--scenario',
    'plain',
    ...command,
  ]);
  expect(reportIn('secret').client.command).toContain("'from [hidden]'");
  for (const name of readdirSync(inFolder('secret')))
    expect(readFileSync(inFolder('secret', name), 'utf8')).not.toContain(STORE_KEY);
});

test('what a client sends as a secret is in no report, although its command states it', async () => {
  const script = `const body = '{"name":"Rex","categoryId":"Passw0rd","password":"Passw0rd"}';
    const basic = Buffer.from('admin:open-sesame').toString('base64');
    fetch(process.env.PETSPEC_BASE_URL + '/pets?api_key=k3y-of-the-query', { method: 'POST', body,
      headers: { authorization: 'Basic ' + basic, 'x-store-session': ['s3ssion', 'of-Bob'].join('-') } })
      .then(() => { console.error('no k3y-of-the-query'); process.exitCode = 1; })`;
  const { status, out, err } = await petspec(
    ...['client', '--scenario', 'plain', '--out', 'sent', '--format', 'json,html,junit,har,markdown'],
    ...['--', process.execPath, '-e', script, 's3ssion-of-Bob'],
  );
  expect(status).toBe(1);
  const files = readdirSync(inFolder('sent')).map((name) => readFileSync(inFolder('sent', name), 'utf8'));
  expect(files).toHaveLength(5);
  for (const text of [out, err, ...files])
    for (const secret of ['Passw0rd', 'open-sesame', 'k3y-of-the-query', 's3ssion-of-Bob'])
      expect(text).not.toContain(secret);
  expect(reportIn('sent').client.command).toMatch(/Buffer\.from\(\S*\[hidden\]/);
  expect(err).toContain('the client failed (exit status 1): no [hidden]');
});
