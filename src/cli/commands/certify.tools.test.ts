import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { writeCertifyFiles } from '../../../test/certificates/certify-files.ts';
import { quickReference } from '../../../test/certificates/quick-reference.ts';
import { testedCommandLine } from '../../../test/command-line/tested-command-line.ts';

const KEY = 'a-key-of-a-test';
const { line, inFolder } = testedCommandLine(KEY);

beforeAll(() => {
  writeCertifyFiles(line.folder, KEY);
});

test('OpenSSL verifies the signature, and sha256sum has the digest of the artefact', async () => {
  const { baseUrl, apiUrl, close } = await quickReference(KEY);
  const target = [baseUrl, '--api-url', apiUrl, '--limit', '120', '--subject', 'store.tar'];
  const run = await line.petspec(
    'certify',
    ...target,
    '--sign-key',
    'sign.pem',
    '--quiet',
    '--out',
    'signed',
  );
  await close();
  expect(run).toMatchObject({ status: 0, err: '' });
  const certificate = JSON.parse(readFileSync(inFolder('signed', 'certificate.json'), 'utf8'));
  const { payloadType, payload: text, signatures } = certificate;
  const payload = Buffer.from(text, 'base64').toString();
  expect(saidByOpenssl(payloadType, payload, signatures[0].sig)).toContain('Signature Verified Successfully');
  const sum = execFileSync('sha256sum', [inFolder('store.tar')])
    .toString()
    .slice(0, 64);
  expect(JSON.parse(payload).subject).toEqual([{ name: 'store.tar', digest: { sha256: sum } }]);
});

/** What OpenSSL says of a signature, over the encoding that DSSE states. */
function saidByOpenssl(payloadType: string, payload: string, signature: string): string {
  const signed = `DSSEv1 ${payloadType.length} ${payloadType} ${Buffer.byteLength(payload)} ${payload}`;
  writeFileSync(inFolder('signed.bin'), signed);
  writeFileSync(inFolder('signature.bin'), Buffer.from(signature, 'base64'));
  const options = '-verify -pubin -inkey verify.pem -rawin -in signed.bin -sigfile signature.bin'.split(' ');
  return execFileSync('openssl', ['pkeyutl', ...options], { cwd: line.folder }).toString();
}
