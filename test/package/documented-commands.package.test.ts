import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { realClock, startReference } from '../../src/index.ts';

// Every `sh` block of the README and of docs/, page by page, in a folder of a project that has petspec installed.
// What stands for a service of the reader is the reference, and its document for the openapi.yaml of the reader. Its minute
// lasts ten seconds: long enough to be used up on a busy machine.
const ROOT = join(import.meta.dirname, '../..');
const PAGES = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { encoding: 'utf8', recursive: true }).map((name) => `docs/${name}`),
].filter((name) => name.endsWith('.md'));

/** Commands that go on until somebody ends them, and the line that shows that they work. */
const GOES_ON = /petspec (?:serve|proxy)/;
const IS_READY = 'Press Ctrl-C to stop';

/** Its commands are run by npx itself, which starts npm for each: that takes as long as many a command. */
const BY_NPX = 'README.md';

/** Starts what is installed, as npx does, and leaves everything else to npx. */
const NPX = `#!/bin/sh
installed="\${0%/commands/npx}/node_modules/.bin/$1"
if [ -x "$installed" ]; then shift; exec "$installed" "$@"; fi
PATH="\${PATH#*:}" exec npx "$@"
`;

let project: string;
const commands = () => join(project, 'commands');

beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), 'petspec-documented-'));
  cpSync(inject('installed'), project, { recursive: true, verbatimSymlinks: true });
  mkdirSync(commands());
  writeFileSync(join(commands(), 'npx'), NPX, { mode: 0o755 });
}, 60_000);

afterAll(() => rm(project, { recursive: true, force: true }), 60_000);

function blocksOf(page: string): string[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8');
  return [...markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

/** A block with the addresses of the reference. */
function here(block: string, reference: { baseUrl: string; apiUrl: string }): string {
  return block
    .replaceAll(/https:\/\/(?:staging|api)\.example\.com\/v1|http:\/\/localhost:3000/g, reference.baseUrl)
    .replaceAll('https://messages.example.com', reference.apiUrl);
}

/** Runs a block in bash, as a reader would, and ends what goes on. */
async function typed(
  block: string,
  { folder, PATH }: { folder: string; PATH: string },
): Promise<{ status: number | null; out: string }> {
  const shell = spawn('bash', ['-euc', block], {
    cwd: folder,
    detached: true,
    env: { ...process.env, PATH, PETSPEC_API_KEY: 'an-example-key', npm_config_offline: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  const isOver = once(shell, 'close');
  shell.stdout.on('data', (data) => {
    out += data;
    if (GOES_ON.test(block) && out.includes(IS_READY)) process.kill(-(shell.pid ?? 0), 'SIGINT');
  });
  const [errors] = await Promise.all([text(shell.stderr), isOver]);
  return { status: shell.exitCode, out: out + errors };
}

test('the pages have commands', () => {
  expect(PAGES.flatMap(blocksOf).length).toBeGreaterThan(15);
});

test.concurrent.each(PAGES.filter((page) => blocksOf(page).length > 0))(
  'the commands of %s work as they are written',
  async (page) => {
    const folder = join(project, page.replaceAll(/\W/g, '-'));
    mkdirSync(folder);
    cpSync(join(ROOT, 'spec/openapi.yaml'), join(folder, 'openapi.yaml'));
    const { PATH = '' } = process.env;
    const where = { folder, PATH: page === BY_NPX ? PATH : `${commands()}:${PATH}` };
    const reference = await startReference({
      clock: realClock,
      apiKey: 'an-example-key',
      settings: { limiter: { minute: 10_000 } },
    });
    try {
      for (const block of blocksOf(page)) {
        const { status, out } = await typed(here(block, reference), where);
        if (GOES_ON.test(block)) expect(out).toContain(IS_READY);
        else expect(status, `${block}\n${out}`).toBe(0);
      }
    } finally {
      await reference.close();
    }
  },
  300_000,
);
