import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { dirname } from 'node:path';
import { afterAll, beforeAll, expect, test as oneTest } from 'vitest';
import { concurrentTest as test, testedCommandLine } from '../../../test/command-line/tested-command-line.ts';
import { seal } from '../../certificate/signing.ts';

const { petspec, inFolder } = testedCommandLine();
const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const stranger = generateKeyPairSync('ed25519');
/** Counts who connects: petspec must not. */
let connections = 0;
const target = createServer((socket) => {
  connections += 1;
  socket.destroy();
});

beforeAll(async () => {
  await new Promise<void>((resolve) => target.listen(0, '127.0.0.1', resolve));
  const pem = (key: KeyObject, type: 'pkcs8' | 'spki') => String(key.export({ type, format: 'pem' }));
  write('sign.pem', pem(privateKey, 'pkcs8'));
  write('verify.pem', pem(publicKey, 'spki'));
  write('stranger.pem', pem(stranger.privateKey, 'pkcs8'));
  write('all.yaml', `targets: { one: { baseUrl: '${url()}' }, two: { baseUrl: '${url()}' } }`);
});
afterAll(() => {
  target.close();
});

const url = () => `http://127.0.0.1:${(target.address() as AddressInfo).port}/v1`;
const write = (name: string, content: string) => {
  mkdirSync(inFolder(dirname(name)), { recursive: true });
  writeFileSync(inFolder(name), content);
};

/** A folder as an earlier `petspec certify` left it, with a certificate of one key or more. */
function certifiedEarlier(folder: string, ...others: KeyObject[]): void {
  const statement = Buffer.from('{}');
  const [sealed, ...more] = [privateKey, ...others].map((key) => seal(statement, key));
  const signatures = [sealed, ...more].flatMap((each) => each?.signatures);
  write(`${folder}/certificate.json`, JSON.stringify({ ...sealed, signatures }));
  for (const name of ['report.json', 'ledger.jsonl', 'badge.svg', 'badge.json'])
    write(`${folder}/${name}`, 'of an earlier run');
}

const contentsOf = (folder: string) =>
  Object.fromEntries(
    readdirSync(inFolder(folder)).map((name) => [name, readFileSync(inFolder(folder, name), 'utf8')]),
  );

const SIGNED = ['--sign-key', 'sign.pem'];

oneTest.concurrent.each<[what: string, folder: string, options: () => string[]]>([
  ['run', 'run', () => ['run', url()]],
  ['run, of the bundled reference', 'bundled', () => ['run']],
  ['run --ui', 'ui', () => ['run', url(), '--ui']],
  ['run --all, in its folder', 'all', () => ['run', '--all', '--config', 'all.yaml']],
  ['run --all, in the folder of a target', 'each/two', () => ['run', '--all', '--config', 'all.yaml']],
  ['report, in the folder of the run', 'report', () => ['report', 'report']],
  ['report, in another folder', 'rendered', () => ['report', 'rendered']],
  ['certify without a key', 'unsigned', () => ['certify', url(), '--api-url', url()]],
  ['certify with another key', 'other', () => ['certify', url(), '--sign-key', 'stranger.pem']],
  ['certify with one key of two', 'cosigned', () => ['certify', url(), ...SIGNED]],
])(
  'a folder with a signed certificate is left as it is, and nothing is sent: petspec %s',
  async (_, folder, options) => {
    certifiedEarlier(folder, ...(folder === 'cosigned' ? [stranger.privateKey] : []));
    const before = contentsOf(folder);
    const out = folder.replace('/two', '');
    const { status, out: printed, err } = await petspec(...options(), '--out', out);
    expect({ status, printed }).toEqual({ status: 2, printed: '' });
    expect(err).toMatch(/^petspec: [^\n]* name another folder with --out\n$/);
    expect(err).toContain(`petspec: ${folder}/certificate.json is signed`);
    expect(contentsOf(folder)).toEqual(before);
    expect(connections).toBe(0);
  },
  120_000,
);

test('certify replaces a certificate of the same key, and says so', async () => {
  certifiedEarlier('again');
  const { status, err } = await petspec('certify', '--quiet', ...SIGNED, '--out', 'again');
  expect(status).toBe(0);
  expect(err).toMatch(/^petspec: again\/certificate\.json is signed with the same key; [^\n]*\n$/);
  const verify = ['verify', 'again/certificate.json', '--key', 'verify.pem', '--allow-reference'];
  const verified = await petspec(...verify);
  expect(verified).toMatchObject({ status: 0, out: expect.stringMatching(/^valid and signed/) });
});

test('certify that cannot begin takes no signed certificate away', async () => {
  certifiedEarlier('in-vain');
  const before = contentsOf('in-vain');
  const options = ['certify', url(), ...SIGNED, '--out', 'in-vain'];
  expect(await petspec(...options)).toMatchObject({
    status: 3,
    err: expect.stringMatching(/; nothing was sent; kept the signed in-vain\/certificate\.json\n$/),
  });
  expect(contentsOf('in-vain')).toEqual(before);
});

test('what is not signed is replaced as ever', async () => {
  for (const [folder, certificate] of [
    ['unsealed', '{"_type":"https://in-toto.io/Statement/v1"}'],
    ['garbage', 'was there before'],
  ] as const) {
    write(`${folder}/certificate.json`, certificate);
    const { status } = await petspec('run', '--only', 'listPets.200', '--quiet', '--out', folder);
    expect({ status, names: Object.keys(contentsOf(folder)) }).toEqual({
      status: 0,
      names: expect.not.arrayContaining(['certificate.json']),
    });
  }
});
