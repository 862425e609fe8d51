import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const KEY = 'a-key-to-serve-with';
const { line: commandLine, petspec } = testedCommandLine('a-real-key-that-is-not-for-it');

/** Starts the reference on free ports: its addresses, and what ends it. */
async function serve(...options: string[]) {
  const { child, ended } = commandLine.startProgram(process.execPath, [
    commandLine.bin,
    'serve',
    '--port',
    '0',
    '--message-port',
    '0',
    ...options,
  ]);
  const lines: string[] = [];
  const { stdout } = child;
  if (!stdout) throw new Error('the command line has no output');
  await new Promise<void>((resolve) => {
    createInterface({ input: stdout }).on('line', (line) => {
      lines.push(line);
      if (line.startsWith('Press Ctrl-C')) resolve();
    });
  });
  const [base = '', messages = ''] = lines.map((line) => line.split(/\s+/).at(-1) ?? '');
  return { base, messages, lines, child, ended };
}

test('prints its addresses, answers there with its key, and ends cleanly on a signal', async () => {
  const { base, messages, lines, child, ended } = await serve('--fault', 'list-default-25', '--api-key', KEY);
  expect(lines).toContain(`  curl -i -H 'Authorization: Bearer ${KEY}' ${base}/pets`);
  const headers = { authorization: `Bearer ${KEY}` };
  const list = await fetch(`${base}/pets`, { headers });
  expect(list.status).toBe(200);
  expect(await list.json()).toHaveLength(25);
  const sent = await fetch(`${messages}/messages`, { method: 'POST', headers, body: '{"message":"hello"}' });
  expect(sent.status).toBe(202);
  expect((await fetch(`${base}/pets?of=${KEY}`)).status).toBe(401);
  expect((await fetch(`${base}/pets?of=${KEY.replace('a', '%61')}`)).status).toBe(401);
  child.kill('SIGTERM');
  expect((await ended).status).toBe(0);
  const requests = lines.slice(lines.indexOf('Press Ctrl-C to stop') + 1);
  expect(requests.map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''))).toEqual([
    'GET /v1/pets -> 200',
    'POST /messages -> 202',
    'GET /v1/pets?of=[key] -> 401',
    'GET /v1/pets?of=[key] -> 401',
  ]);
});

test('a window is as long as it is asked to be', async () => {
  const keyed = ['--api-key', KEY];
  const limiter = ['--limiter', 'first-request-window-minute'];
  const { base, child, ended } = await serve('--window', '7', ...keyed, ...limiter);
  const asked = Math.floor(Date.now() / 1000);
  const answer = await fetch(`${base}/pets`, { headers: { authorization: `Bearer ${KEY}` } });
  expect(answer.status).toBe(200);
  const reset = Number(answer.headers.get('x-ratelimit-reset'));
  expect(reset - asked).toBeGreaterThanOrEqual(7);
  expect(reset - Date.now() / 1000).toBeLessThanOrEqual(8);
  child.kill('SIGTERM');
  await ended;
});

test('a scenario is served to clients that are tried by hand', async () => {
  const { base, lines, child, ended } = await serve('--scenario', 'retry-after-date', '--api-key', KEY);
  expect(lines).toContain('retry-after-date: the first request gets 429; Retry-After is a date');
  const answer = await fetch(`${base}/pets`, { headers: { authorization: `Bearer ${KEY}` } });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toMatch(/ GMT$/);
  child.kill('SIGTERM');
  expect((await ended).status).toBe(0);
});

test.each([
  [['--scenario', 'retry'], 'unknown scenario'],
  [['--fault', 'nothing-of-this-name'], 'nothing-of-this-name'],
  [['--plan', 'gold'], 'gold'],
  [['--port', '65536'], '65535'],
  [
    ['--api-key', 'schl\u00fcssel'],
    '--api-key: the key has characters that a header cannot contain; expected ASCII',
  ],
  [['--window', '0'], 'from 1 to 86400'],
  [['--window', '1.5'], 'from 1 to 86400'],
])('%s is one clear line and exit status 2', async (options, told) => {
  const { status, err } = await petspec('serve', ...options);
  expect(status).toBe(2);
  expect(err).toContain(told);
  expect(err).not.toContain('    at ');
});
