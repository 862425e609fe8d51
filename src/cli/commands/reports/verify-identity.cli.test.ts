import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { attestationOf, trustedRoot } from '../../../../test/certificates/attested.ts';
import { testedCommandLine } from '../../../../test/command-line/tested-command-line.ts';

const { line, petspec, inFolder } = testedCommandLine();
const write = (name: string, value: unknown) => writeFileSync(inFolder(name), JSON.stringify(value));

const CERTIFICATE = 'certified/certificate.json';
const REPORT = ['--report', 'certified/report.json'];
const verify = (...words: string[]) => petspec('verify', CERTIFICATE, '--allow-reference', ...words);
const BY = ['--identity', 'bundle.json', '--trusted-root', 'root.json', '--repository'];

beforeAll(async () => {
  await petspec('certify', '--quiet', '--out', inFolder('certified'));
  const file = readFileSync(inFolder(CERTIFICATE));
  write('bundle.json', attestationOf(file));
  write('of-another-file.json', attestationOf(Buffer.from('another file')));
  write('root.json', trustedRoot);
  writeFileSync(inFolder('no.json'), '-----BEGIN');
}, 120_000);

test('a certificate that a workflow of the repository attested, by a process', async () => {
  const { status, out, err } = await line.petspec(
    'verify',
    CERTIFICATE,
    '--allow-reference',
    ...BY,
    'example/store',
  );
  expect({ status, err }).toEqual({ status: 0, err: '' });
  expect(out).toMatch(/^valid and attested: certified\/certificate\.json\n/);
  expect(out).toContain(
    '  - the workflow https://github.com/example/store/.github/workflows/certify.yml@refs/heads/main at commit c0ffee',
  );
  expect(out).toContain('on a github-hosted runner, says that petspec');
  expect(out).toContain('what the workflow does: read it at that commit');
  expect(out).not.toContain('anybody can write such a file');
});

test.each([
  [
    [...BY, 'example/other'],
    /^refused: .*: it was attested for https:\/\/github\.com\/example\/store, not for example\/other\n/,
  ],
  [
    ['--identity', 'of-another-file.json', ...BY.slice(2), 'example/store'],
    /^refused: .*: its attestation: it is about another file\n$/,
  ],
  [
    [...REPORT, '--min-sensitivity', '100'],
    /^refused: .*: its run would have shown \d+ of \d+ known faults; at least 100 % are asked for\n$/,
  ],
])('refused, exit 1: %j', async (words, out) => {
  expect(await verify(...words)).toMatchObject({ status: 1, err: '', out: expect.stringMatching(out) });
});

test('a run that would have shown enough of the known faults', async () => {
  const { status, out } = await verify(...REPORT, '--min-sensitivity', '50');
  expect(status).toBe(0);
  expect(out).toMatch(/- its run would have shown \d+ of \d+ known faults\n/);
});

test.each([
  [['--identity', 'bundle.json'], '--identity, --trusted-root and --repository belong together'],
  [['--repository', 'example/store'], '--identity, --trusted-root and --repository belong together'],
  [
    ['--identity', 'no.json', ...BY.slice(2), 'example/store'],
    '--identity: no.json is not a Sigstore bundle; expected JSON',
  ],
  [
    ['--identity', 'nothing.json', ...BY.slice(2), 'example/store'],
    "--identity: no such file 'nothing.json'",
  ],
  [[...BY, 'example'], 'expected owner/name'],
  [['--min-sensitivity', '90'], '--min-sensitivity needs --report'],
  [[...REPORT, '--min-sensitivity', '101'], 'expected a number from 0 to 100'],
])('wrong usage, exit 2: %j', async (words, why) => {
  expect(await verify(...words)).toMatchObject({ status: 2, out: '', err: expect.stringContaining(why) });
});
