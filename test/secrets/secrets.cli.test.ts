import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocket } from 'undici';
import { afterAll, expect } from 'vitest';
import type { Ended } from '../command-line/command-line.ts';
import { concurrentTest as test, testedCommandLine } from '../command-line/tested-command-line.ts';
import { enter } from '../command-line/ui.ts';
import { type EchoService, echoService } from '../services/echo-service.ts';
import { revealedIn, reveals, spellingsOf } from './spellings.ts';

/** With signs that each way of writing has its own escape for. */
const KEY = `sk-live/4f+9Z&"Q<w>'=\\k7%Tb~`;
const GATEWAY = 'gateway/s3cr3t+value';
/** Parts of headers of the user's own, and of the address of a proxy. */
const PARTS = ['c00kie/va1ue+7', 's:signed.c00kie', 't0ken-of-team', 'pa55=of?ann'];
const OWN = [
  `X-Gateway: ${GATEWAY}`,
  `Cookie: theme=dark; sid=${PARTS[0]}; connect=${encodeURIComponent(PARTS[1] ?? '')}`,
  `X-Auth: Token ${PARTS[2]}`,
  `X-Team: Basic ${btoa(`ann:${PARTS[3]}`)}`,
].flatMap((each) => ['--header', each]);
const PROXY_USER = 'pr0xy-user/token';
const FORMATS = 'html,junit,ctrf,har,markdown';
/** About forty requests to both addresses, so that each of the nine kinds of response comes back four times. */
const SOME = ['--no-exhaust', '--only', 'listPets.200,createPet.201,createPet.400,sendMessage.2XX'];
const FEW = ['--read-only', '--no-exhaust', '--only', 'listPets.200'];

const { line, petspec, inFolder } = testedCommandLine(KEY);
const services: EchoService[] = [];

afterAll(() => {
  for (const service of services) service.close();
});

async function echoing(answers?: number): Promise<EchoService> {
  const service = await echoService(answers);
  services.push(service);
  return service;
}

/** Every byte that a run left behind or printed, by where it is. */
function written(out: string, ended: Ended): Map<string, string> {
  const folder = inFolder(out);
  const files = readdirSync(folder).map(
    (name) => [name, readFileSync(join(folder, name), 'latin1')] as const,
  );
  return new Map([...files, ['stdout', ended.out], ['stderr', ended.err]]);
}

function expectNoSecret(texts: ReadonlyMap<string, string>): void {
  // A key that lacks a character, too: it is nearly the key.
  const revealing = [...texts].flatMap(([where, text]) =>
    revealedIn(text, [KEY, KEY.slice(0, -1), GATEWAY, ...PARTS, PROXY_USER]).map(
      (secret) => `${where}: ${secret}`,
    ),
  );
  expect(revealing).toEqual([]);
}

test('what this test looks for it would find', async () => {
  const hidden = [KEY, GATEWAY, ...PARTS, PROXY_USER].flatMap((secret) =>
    spellingsOf(secret).filter((spelling) => !reveals(`before ${spelling} after`, secret)),
  );
  expect(hidden).toEqual([]);
  expect(reveals('sk-live', KEY)).toBe(false);
});

test('a service that echoes the key everywhere: it is in no file, no line, no annotation, in no spelling', async () => {
  const { url, strayed } = await echoing();
  const summary = inFolder('step-summary.md');
  const env = { GITHUB_ACTIONS: 'true', GITHUB_STEP_SUMMARY: summary };
  const options = ['--verbose', ...SOME, '--max-wait', '1', '--format', FORMATS, ...OWN];
  const run = await line.start(['run', url, ...options, '--api-url', url, '--out', 'echoed'], { env }).ended;
  expect(run.status).toBe(1);
  expect(run.out).toContain('::error');
  const texts = written('echoed', run);
  expect([...texts.keys()]).toHaveLength(9);
  expect(texts.get('ledger.jsonl')?.split('[key]').length).toBeGreaterThan(1_000);
  expectNoSecret(new Map([...texts, ['step summary', readFileSync(summary, 'latin1')]]));
  expect(strayed).toEqual([]);

  const again = await petspec('report', 'echoed', '--format', FORMATS, '--verbose', '--out', 'again');
  expect(again.status).toBe(1);
  expectNoSecret(written('again', again));
  const formats = ['text', 'html'];
  const compared = await Promise.all(
    formats.map((format) => petspec('compare', 'echoed', 'again', '--format', format)),
  );
  for (const each of compared) expect(each).toMatchObject({ status: 0, err: '' });
  expectNoSecret(new Map(compared.map(({ out }, index) => [`compare ${formats[index]}`, out])));
});

test('a proxy that echoes its user; the user has no password', async () => {
  const { url } = await echoing();
  const env = { http_proxy: `http://${encodeURIComponent(PROXY_USER)}@${new URL(url).host}` };
  const options = ['--verbose', ...FEW, '--format', FORMATS, '--out', 'proxied'];
  const run = await line.start(['run', 'http://127.0.0.1:9/v1', ...options], { env }).ended;
  const texts = written('proxied', run);
  expect(texts.get('ledger.jsonl')?.split('[key]').length).toBeGreaterThan(300);
  expectNoSecret(texts);
});

test('a run that is interrupted; its key came from a file, and is in no argument', async () => {
  const { url, hangs } = await echoing(3);
  writeFileSync(inFolder('key.txt'), `${KEY}\n`);
  const options = ['--api-key-file', 'key.txt', '--read-only', '--verbose', '--out', 'interrupted'];
  const { child, ended } = line.start(['run', url, ...options], { env: { PETSPEC_API_KEY: 'another-key' } });
  await hangs;
  expectNoSecret(new Map([['arguments', readFileSync(`/proc/${child.pid}/cmdline`, 'latin1')]]));
  child.kill('SIGINT');
  const run = await ended;
  expect(run.err).toContain('interrupted: finishing');
  expect(run.err).not.toContain('warning');
  const texts = written('interrupted', run);
  expect(texts.get('ledger.jsonl')).toContain('[key]');
  expectNoSecret(texts);
});

test('a bug of petspec: its message shows no key, nor does its stack', async () => {
  const { url } = await echoing();
  // Something in the worker breaks, and quotes what it was given.
  const bug = `URLSearchParams.prototype.toString = () => { throw new Error('broken by ' + process.env.PETSPEC_API_KEY); };`;
  writeFileSync(inFolder('bug.mjs'), bug);
  const env = { NODE_OPTIONS: `--import ${inFolder('bug.mjs')}`, PETSPEC_DEBUG: '1' };
  const run = await line.start(['run', url, ...FEW, '--out', 'bug'], { env }).ended;
  expect(run).toMatchObject({ status: 4, out: '' });
  expect(run.err).toContain('internal error, which says nothing about the target: Error: broken by [key]');
  expectNoSecret(written('bug', run));
});

test('--api-key: a warning, clean arguments, and no word of it where nobody catches a bug', async () => {
  const bug = `import { isMainThread } from 'node:worker_threads';
    const key = ${JSON.stringify(KEY)};
    if (isMainThread) process.on('SIGUSR2', () => { throw Object.assign(new Error('lost ' + key), { key }); });`;
  writeFileSync(inFolder('thrown.mjs'), bug);
  const { url, hangs } = await echoing(0);
  const env = { NODE_OPTIONS: `--import ${inFolder('thrown.mjs')}`, PETSPEC_API_KEY: '' };
  const options = ['--read-only', '--quiet', '--out', 'thrown', ...OWN];
  const { child, ended } = line.start(['run', url, '--api-key', KEY, ...options], { env });
  await hangs;
  const shown = readFileSync(`/proc/${child.pid}/cmdline`, 'latin1');
  expect(shown).toContain('petspec');
  expectNoSecret(new Map([['arguments', shown]]));
  child.kill('SIGUSR2');
  const run = await ended;
  expect(run.status).toBe(4);
  expect(run.err).toMatch(/^petspec: warning: --api-key: other users of this machine can see it/);
  expect(run.err).toContain('internal error, which says nothing about the target: Error: lost [key]');
  expectNoSecret(written('thrown', run));
});

test('the vitest UI: neither its page nor what it tells the page has the key', async () => {
  const { url } = await echoing();
  const { child, ended } = line.start(['run', url, ...FEW, '--ui', '--out', 'ui']);
  const address = await new Promise<string>((resolve) => {
    let out = '';
    child.stdout?.on('data', (text) => {
      out += text;
      const [found] = /^http:\S+$/m.exec(out) ?? [];
      if (found) resolve(found);
    });
  });
  const { page, token } = await enter({ address, origin: new URL(address).origin });
  expect(page.text).toContain('id="app"');
  const told = await askVitest(new URL(`/__vitest_api__?token=${token}`, address));
  child.kill('SIGINT');
  const texts = written('ui', await ended);
  expect(texts.get('ledger.jsonl')).toContain('[key]');
  expect(told).toContain('listPets.200');
  expectNoSecret(new Map([...texts, ['page', page.text], ['told', told]]));
});

/** Everything that the server of the vitest UI tells a page that asks for all it can ask for. */
async function askVitest(address: URL): Promise<string> {
  const socket = new WebSocket(address.href.replace(/^http/, 'ws'), { headers: { origin: address.origin } });
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const questions = [
    'getConfig',
    'getResolvedProjectLabels',
    'getFiles',
    'getUnhandledErrors',
    'getTestFiles',
  ];
  const answers: string[] = [];
  await new Promise<void>((resolve) => {
    socket.addEventListener('message', ({ data }) => {
      answers.push(String(data));
      if (questions.every((_, index) => answers.some((each) => each.includes(`"question-${index}"`))))
        resolve();
    });
    // A call as vitest writes it: birpc, as flatted.
    for (const [index, question] of questions.entries())
      socket.send(
        JSON.stringify([{ t: '1', m: '2', i: '3', a: '4' }, 'q', question, `question-${index}`, []]),
      );
  });
  socket.close();
  return answers.join('\n');
}
