import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { creation, list, read, scriptOf } from '../../../test/reproduce/scripts.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Repetition } from '../../model/finding.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'petspec-hostile-script-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Texts that run a command if a shell does not quote them. */
const ATTACKS = [
  "'; touch owned; '",
  '"; touch owned; "',
  '$(touch owned)',
  '`touch owned`',
  '\ntouch owned\n',
];
const NAME = `${ATTACKS.join(' ')} a[$(touch owned)]`;
const ATTACK = `${NAME} \0id\0`;
const REPETITIONS: readonly Repetition[] = [
  { kind: 'in-turn', exchanges: [1, 2, 3] },
  { kind: 'in-turn-and-again', exchanges: [1, 2, 3], times: 9 },
  { kind: 'record', exchanges: [1, 2], field: NAME, value: '7' },
  { kind: 'record', exchanges: [1, 2], field: 'id', value: ATTACK },
  { kind: 'again', exchange: 3, times: 2, shows: 'answers' },
  { kind: 'again', exchange: 1, times: 2, shows: 'limits' },
  { kind: 'after-refusal' },
];

test.each(REPETITIONS)('nothing that a ledger or a service says is run: $kind', (repetition) => {
  const hostile = (exchange: Exchange): Exchange => ({
    ...exchange,
    url: `${exchange.url}?x=${ATTACK}`,
    requestHeaders: [...exchange.requestHeaders, ['x-own', ATTACK], [ATTACK, '[hidden]']],
    ...(exchange.requestBody === undefined
      ? {}
      : { requestBody: `{"name":${JSON.stringify(`${ATTACK}bcdfghjk`)}}` }),
  });
  const { script } = scriptOf([list, creation, read].map(hostile), { repetition });
  // Instead of curl: a hostile response.
  const answer = `HTTP/1.1 429 X\r\nRetry-After: ${ATTACKS[2]} a[$(touch owned)]\r\n\r\n[{"id":"${ATTACKS[2]}"}]\n429`;
  const stub = `curl() { printf %s "$ANSWER"; }; sleep() { :; }`;
  spawnSync('bash', ['-c', `${stub}\n${script}`], {
    cwd: folder,
    env: { PATH: process.env.PATH, ANSWER: answer, PETSPEC_API_KEY: 'k' },
    stdio: 'ignore',
  });
  expect(existsSync(join(folder, 'owned')), script).toBe(false);
});
