import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Writes the keys, configurations and other files that tests of `petspec certify` name. */
export function writeCertifyFiles(folder: string, apiKey: string): void {
  const write = (name: string, content: string | Buffer) => writeFileSync(join(folder, name), content);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
  write('sign.pem', pem(privateKey));
  write('verify.pem', pem(publicKey));
  write('stranger.pem', pem(generateKeyPairSync('ed25519').publicKey));
  write('rsa.pem', pem(rsa.privateKey));
  write('rsa-public.pem', pem(rsa.publicKey));
  write(
    'locked.pem',
    privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'a' }),
  );
  write('store.tar', 'an artefact');
  write('mistaken.yaml', 'violations:\n  - requirement: Error.code\n');
  write('the-key', apiKey);
  const named = `baseUrl: 'http://127.0.0.1:9/v1', apiUrl: 'http://127.0.0.1:9', apiKeyFile: the-key`;
  const shared = `shared: { ${named}, sharedKey: true }`;
  write('named.yaml', `targets: { named: { ${named}, baseline: mistaken.yaml }, ${shared} }`);
}

function pem(key: KeyObject): string {
  return String(key.export({ type: key.type === 'private' ? 'pkcs8' : 'spki', format: 'pem' }));
}
