import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

/** A file does not hold the key that it should. The message follows the path of the file. */
export class KeyProblem extends Error {
  override name = 'KeyProblem';
}

const HOW = 'make one with openssl genpkey -algorithm ed25519';

/** The key that signs. @param pem PKCS #8 @throws KeyProblem if it is not an Ed25519 private key */
export function privateKeyOf(pem: string): KeyObject {
  if (/ENCRYPTED PRIVATE KEY/.test(pem))
    throw new KeyProblem('is an encrypted key, which petspec does not support; decrypt it with openssl pkey');
  const key = attempt(() => createPrivateKey(pem));
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new KeyProblem(`is not an Ed25519 private key (PEM); ${HOW}`);
}

/** The key that verifies. @param pem SPKI @throws KeyProblem if it is not an Ed25519 public key */
export function publicKeyOf(pem: string): KeyObject {
  if (/PRIVATE KEY/.test(pem))
    throw new KeyProblem('is a private key; verify with the public key, and keep the private key secret');
  const key = attempt(() => createPublicKey(pem));
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new KeyProblem(
    'is not an Ed25519 public key (PEM); derive it from the private key with openssl pkey -pubout',
  );
}

/** The fingerprint of a key: SHA-256 of its public half (SPKI, DER), hexadecimal. */
export function fingerprintOf(key: KeyObject): string {
  const half = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(half.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** Removes duplicates, so that a key in two files counts once. */
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
