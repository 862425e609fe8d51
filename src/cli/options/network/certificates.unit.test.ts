import { createPrivateKey } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { makeAuthority } from '../../../../test/certificates/certificates.ts';
import { UsageError } from '../../../model/usage-error.ts';
import { type CertificateFlags, certificatesOf } from './certificates.ts';

const folder = mkdtempSync(join(tmpdir(), 'petspec-certificates-'));
const at = (name: string) => join(folder, name);
const authority = makeAuthority(folder);
const mine = authority.sign('mine');
authority.sign('other');
for (const [name, type] of [
  ['encrypted.key', 'pkcs8'],
  ['traditional.key', 'sec1'],
] as const) {
  const encryption = { cipher: 'aes-256-cbc', passphrase: 'word' };
  writeFileSync(at(name), createPrivateKey(mine.key).export({ type, format: 'pem', ...encryption }));
}
mkdirSync(at('folder'));
writeFileSync(at('list.json'), '[]');
writeFileSync(at('cut.pem'), `${mine.certificate.slice(0, 200)}\n-----END CERTIFICATE-----\n`);
writeFileSync(
  at('half.pem'),
  `${authority.certificate}${mine.certificate.slice(0, 200)}\n-----END CERTIFICATE-----\n`,
);
writeFileSync(at('cut.key'), '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n');
writeFileSync(at('chain.pem'), `the chain\n${mine.certificate}\n${authority.certificate}${mine.key}`);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const flagsIn = (flags: CertificateFlags): CertificateFlags =>
  Object.fromEntries(Object.entries(flags).map(([name, file]) => [name, at(String(file))]));

test('nothing where nothing is named', () => {
  expect(certificatesOf({})).toEqual({});
});

test('a certificate and its key, in two files', () => {
  const { client } = certificatesOf(flagsIn({ clientCert: 'mine.pem', clientKey: 'mine.key' }));
  expect(client).toEqual({ certificate: mine.certificate, key: mine.key });
});

test('a chain and its key in one file', () => {
  const { client } = certificatesOf(flagsIn({ clientCert: 'chain.pem' }));
  expect(client?.certificate).toBe(mine.certificate + authority.certificate);
  expect(client?.key).toContain(mine.key);
});

test('several authorities in one file', () => {
  expect(certificatesOf(flagsIn({ ca: 'chain.pem' })).ca).toBe(mine.certificate + authority.certificate);
});

test.each<[flags: CertificateFlags, words: string]>([
  [{ ca: 'no.pem' }, "--ca: cannot read '…/no.pem' (ENOENT)"],
  [{ ca: 'folder' }, "--ca: cannot read '…/folder' (EISDIR)"],
  [{ ca: 'list.json' }, "--ca: no certificate (PEM) in '…/list.json'"],
  [{ ca: 'mine.key' }, "--ca: no certificate (PEM) in '…/mine.key'"],
  [{ ca: 'cut.pem' }, "--ca: certificate 1 in '…/cut.pem' is not valid"],
  [{ ca: 'half.pem' }, "--ca: certificate 2 in '…/half.pem' is not valid"],
  [{ clientCert: 'mine.key' }, "--client-cert: no certificate (PEM) in '…/mine.key'"],
  [
    { clientCert: 'mine.pem' },
    "--client-cert: no private key (PEM) in '…/mine.pem'; name its file with --client-key",
  ],
  [{ clientKey: 'mine.key' }, '--client-key: no client certificate'],
  [{ clientCert: 'mine.pem', clientKey: 'other.pem' }, "--client-key: no private key (PEM) in '…/other.pem'"],
  [
    { clientCert: 'mine.pem', clientKey: 'other.key' },
    "--client-key: the key in '…/other.key' does not match the certificate in '…/mine.pem'",
  ],
  [
    { clientCert: 'mine.pem', clientKey: 'cut.key' },
    "--client-key: the private key in '…/cut.key' is not valid",
  ],
  [
    { clientCert: 'mine.pem', clientKey: 'encrypted.key' },
    "the private key in '…/encrypted.key' is encrypted",
  ],
  [
    { clientCert: 'mine.pem', clientKey: 'traditional.key' },
    "the private key in '…/traditional.key' is encrypted",
  ],
])('one line for %o', (flags, words) => {
  const attempt = () => certificatesOf(flagsIn(flags));
  expect(attempt).toThrow(UsageError);
  expect(attempt).toThrow(words.replaceAll('…', folder));
  expect(attempt).not.toThrow(/\n/);
});
