import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A key of a file is not one that signs or verifies here: one line that says why. */
export class KeyProblem extends Error {
  override name = 'KeyProblem';
}

const HOW = 'openssl genpkey -algorithm ed25519 makes one';

/** The key that signs. @param pem PKCS #8 @throws KeyProblem where it is no Ed25519 private key */
export function privateKeyOf(pem: string): KeyObject {
  if (/ENCRYPTED PRIVATE KEY/.test(pem))
    throw new KeyProblem('the key is encrypted: petspec asks for no passphrase');
  const key = attempt(() => createPrivateKey(pem));
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new KeyProblem(`is no Ed25519 private key in PEM; ${HOW}`);
}

/** The key that verifies. @param pem SPKI @throws KeyProblem where it is no Ed25519 public key */
export function publicKeyOf(pem: string): KeyObject {
  if (/PRIVATE KEY/.test(pem))
    throw new KeyProblem('is a private key: only the public one verifies, keep this one to yourself');
  const key = attempt(() => createPublicKey(pem));
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new KeyProblem('is no Ed25519 public key in PEM; openssl pkey -pubout makes one of the private key');
}

/** What names a key: SHA-256 over its public half (SPKI, DER), hexadecimal. */
export function fingerprintOf(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(half.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** Keys without those that are among them already: a key counts once, however often and in whatever file it is named. */
export function distinctKeys(keys: readonly KeyObject[]): KeyObject[] {
  return [...new Map(keys.map((key) => [fingerprintOf(key), key])).values()];
}

function attempt(read: () => KeyObject): KeyObject | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
