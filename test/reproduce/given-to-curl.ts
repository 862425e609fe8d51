import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { Exchange } from '../../src/model/exchange.ts';
import type { KeyKind } from '../../src/model/probe.ts';
import { authorization, shownHeaders } from '../../src/secrets/keys/authorization.ts';
import { exchange } from '../exchanges/exchange.ts';

/** The key that a script finds in its environment. */
export const KEY = 'Key-1 $HOME `id`';
let folder: string;

/** A stub takes the place of curl: it prints its arguments. @returns the folder that commands run in */
export const folderOfCommands = () => folder;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-curl-'));
  const stub = '#!/bin/sh\nprintf \'%d\\0\' "$#"; for argument; do printf \'%s\\0\' "$argument"; done\n';
  writeFileSync(join(folder, 'curl'), stub, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The arguments that curl gets when a shell runs these commands in one script. */
export function givenBy(commands: readonly string[], shell: 'sh' | 'bash'): string[][] {
  const env = {
    PATH: `${folder}${delimiter}${process.env.PATH}`,
    PETSPEC_API_KEY: KEY,
    STAGING_KEY: 'staging',
  };
  const output = execFileSync(shell, ['-c', commands.join('\n')], {
    cwd: folder,
    env,
    encoding: 'utf8',
    // bash takes standard input that is a socket for a remote shell, and reads the user's .bashrc.
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const words = output.split('\0');
  const given: string[][] = [];
  // The number of arguments, and then each of them.
  for (let at = 0; at < words.length - 1; at += 1 + Number(words[at]))
    given.push(words.slice(at + 1, at + 1 + Number(words[at])));
  return given;
}

export function exchangeOf(change: Partial<Exchange>): Exchange {
  return exchange({
    probe: 'listPets:first',
    url: 'https://staging.example.com/v1/pets?limit=1',
    receivedAt: 0,
    ...change,
  });
}

export const sending = (kind: KeyKind) =>
  exchangeOf({
    requestHeaders: shownHeaders(
      [['authorization', authorization(kind, KEY, 'another-key') ?? '']],
      kind,
      [],
    ),
  });
