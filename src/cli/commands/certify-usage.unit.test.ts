import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { writeCertifyFiles } from '../../../test/certificates/certify-files.ts';
import { privateKeyOf, publicKeyOf } from '../../certificate/signing.ts';
import { loadContract } from '../../contract/load.ts';
import { UsageError } from '../../model/usage-error.ts';
import { runInVitest } from '../../vitest/vitest-run.ts';
import { openBaselines } from '../options/baselines.ts';
import { keyFrom, subjectOf } from '../options/signing.ts';
import { certifyCommand } from './certify.ts';
import { verifyCommand } from './reports/verify.ts';
import { runCommand } from './run.ts';

const DIGEST = 'ab'.repeat(32);
const folder = mkdtempSync(join(tmpdir(), 'petspec-certify-'));
const inFolder = (...names: string[]) => join(folder, ...names);
beforeAll(() => writeCertifyFiles(folder, 'a-key-of-a-test'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What a command says before it begins; that its exit status is 2 is shown where all commands are. */
function refused(text: string): Promise<unknown> {
  const [name, ...options] = text.replaceAll('~', folder).split(' ');
  const command = { certify: certifyCommand, verify: verifyCommand, run: runCommand }[String(name)];
  if (!command) throw new Error(`there is no ${name}`);
  return command(() => undefined, runInVitest)
    .exitOverride()
    .parseAsync(options, { from: 'user' })
    .then(
      () => undefined,
      (error: unknown) => error,
    );
}

const WHOLE = 'is not supported; a certificate needs a whole run';

test('certify offers nothing with which no run can be certified', () => {
  const help = certifyCommand(() => undefined, runInVitest).helpInformation();
  for (const option of [
    '--only',
    '--read-only',
    '--no-exhaust',
    '--shared-key',
    '--baseline',
    '--insecure',
    '--dry-run',
  ])
    expect(help).not.toMatch(new RegExp(`^ +${option}\\b`, 'm'));
  expect(help).not.toMatch(/--exhaust[^-]*none/);
  expect(help).toMatch(/^ +--exhaust <window>/m);
});

test.each([
  ['certify --only listPets', `--only ${WHOLE}`],
  ['certify --read-only', `--read-only ${WHOLE}`],
  ['certify --no-exhaust', `--no-exhaust ${WHOLE}`],
  ['certify --exhaust none', `--no-exhaust ${WHOLE}`],
  ['certify --dry-run', `--dry-run ${WHOLE}`],
  ['certify --ui', `--ui ${WHOLE}`],
  ['certify --write-baseline a.yaml', `--write-baseline ${WHOLE}`],
  ['certify --sign-key ~/rsa.pem', "rsa.pem' is not an Ed25519 private key"],
  ['certify --subject ~/store.tar', '--subject: no target named'],
  ['certify --shared-key', '--shared-key: certify needs a key that nobody else uses'],
  ['certify shared --config ~/named.yaml', "'sharedKey' of the configuration: certify needs a key"],
  ['certify shared --config ~/named.yaml --no-shared-key --only a', `--only ${WHOLE}`],
  ['verify ~/store.tar --target staging', "--target: 'staging' is not an http or https URL"],
  ['verify ~/store.tar --subject a@md5:ab', "unknown digest algorithm 'md5'"],
  ['verify ~/store.tar --subject a@constructor:ab', "unknown digest algorithm 'constructor'"],
  ['verify ~/store.tar --subject sha256:ab', 'invalid sha256 digest'],
  ['certify --set 9.9.9', '--set 9.9.9: unknown set of requirements; expected one of 0.1.0, 0.2.0, 0.3.0'],
  ['run --set 0.0.1', '--set 0.0.1: unknown set'],
  ['verify ~/nowhere.json', "nowhere.json'"],
  ['verify ~/store.tar --report ~/nowhere.json', '--report'],
  ['run --baseline ~/mistaken.yaml', "mistaken.yaml, line 2, column 5: 'Error.code' needs a comment"],
  ['run --write-baseline ~/mistaken.yaml', "mistaken.yaml' already exists"],
  ['run named --config ~/named.yaml', "mistaken.yaml, line 2, column 5: 'Error.code' needs a comment"],
  ['run --all --config ~/named.yaml', "mistaken.yaml, line 2, column 5: 'Error.code' needs a comment"],
  [
    'run --all --config ~/named.yaml --baseline a.yaml',
    'cannot combine --baseline or --write-baseline with --all',
  ],
  ['certify --all', `--all ${WHOLE}`],
])('wrong usage: petspec %s', async (options, words) => {
  const error = await refused(options);
  expect(error).toBeInstanceOf(UsageError);
  expect(String(error)).toContain(words);
});

test.each([
  ['nowhere.pem', "nowhere.pem'"],
  ['.', '(EISDIR)'],
  ['rsa.pem', 'is not an Ed25519 private key'],
  ['verify.pem', 'is not an Ed25519 private key'],
  ['locked.pem', 'is an encrypted key'],
  ['store.tar', 'is not an Ed25519 private key'],
])('a key to sign with: %s', (name, words) => {
  expect(() => keyFrom('--sign-key', inFolder(name), privateKeyOf)).toThrow(UsageError);
  expect(() => keyFrom('--sign-key', inFolder(name), privateKeyOf)).toThrow(words);
});

test.each([
  ['sign.pem', 'is a private key; verify with the public key'],
  ['rsa-public.pem', 'is not an Ed25519 public key'],
  ['store.tar', 'is not an Ed25519 public key'],
])('a key to verify with: %s', (name, words) => {
  expect(() => keyFrom('--key', inFolder(name), publicKeyOf)).toThrow(UsageError);
  expect(() => keyFrom('--key', inFolder(name), publicKeyOf)).toThrow(words);
});

test.each([
  ['a@b', "'a@b' is not a file"],
  ['a@sha256:ab', 'invalid sha256 digest'],
  [`a@sha256:${DIGEST.toUpperCase()}`, 'expected 64 digits, 0 to 9 and a to f'],
  ['a@md5:ab', "unknown digest algorithm 'md5'"],
])('a subject: %s', (text, words) => {
  expect(() => subjectOf(text)).toThrow(UsageError);
  expect(() => subjectOf(text)).toThrow(words);
});

test('a baseline that cannot be written is refused before anything is sent', async () => {
  const path = inFolder('no', 'where.yaml');
  await expect(openBaselines({ writeBaseline: path }, loadContract())).rejects.toThrow(
    "where.yaml' (ENOENT)",
  );
  await expect(openBaselines({ baseline: path }, loadContract())).rejects.toThrow('no such file');
});
