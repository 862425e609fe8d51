import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import { isObject } from '../contract/schema.ts';

/** A file has no usable key. The message continues a line that begins with the path of the file. */
export class KeyProblem extends Error {
  override name = 'KeyProblem';
}

const HOW_TO_MAKE_ONE = 'make one with openssl genpkey -algorithm ed25519';

/** Reads the key that signs. @param pem PKCS #8 @throws KeyProblem if it is not an Ed25519 private key */
export function privateKeyOf(pem: string): KeyObject {
  if (/ENCRYPTED PRIVATE KEY/.test(pem))
    throw new KeyProblem('is an encrypted key, which petspec does not support; decrypt it with openssl pkey');
  const key = attempt(() => createPrivateKey(pem));
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new KeyProblem(`is not an Ed25519 private key (PEM); ${HOW_TO_MAKE_ONE}`);
}

/** Reads the key that verifies. @param pem SPKI @throws KeyProblem if it is not an Ed25519 public key */
export function publicKeyOf(pem: string): KeyObject {
  if (/PRIVATE KEY/.test(pem))
    throw new KeyProblem('is a private key; verify with the public key, and keep the private key secret');
  const key = attempt(() => createPublicKey(pem));
  if (key?.asymmetricKeyType === 'ed25519') return key;
  throw new KeyProblem(
    'is not an Ed25519 public key (PEM); derive it from the private key with openssl pkey -pubout',
  );
}

/** The fingerprint of a key: SHA-256 of the public key (SPKI, DER), hexadecimal. */
export function fingerprintOf(key: KeyObject): string {
  const publicKey = key.type === 'private' ? createPublicKey(key) : key;
  return createHash('sha256')
    .update(publicKey.export({ type: 'spki', format: 'der' }))
    .digest('hex');
}

/** The keys without duplicates, so that a key in two files counts once. */
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

/** The type of the payload: an in-toto statement. */
const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A DSSE envelope (v1.0.2). */
export interface Envelope {
  payloadType: string;
  payload: Buffer;
  signatures: readonly { keyid: string; sig: Buffer }[];
}

/** The bytes that are signed: the Pre-Authentication Encoding of DSSE. */
function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    payload,
  ]);
}

/** Signs a payload. @param key Ed25519, private @returns the envelope as JSON */
export function seal(payload: Uint8Array, key: KeyObject): Record<string, unknown> {
  const sig = sign(null, preAuthenticationEncoding(PAYLOAD_TYPE, payload), key).toString('base64');
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: fingerprintOf(key), sig }],
  };
}

/** Whether parsed JSON is an envelope, valid or not, and not a statement. */
export function isSealed(value: unknown): value is Record<string, unknown> {
  return isObject(value) && ['payload', 'signatures', 'payloadType'].some((name) => name in value);
}

/**
 * Reads an envelope from parsed JSON. Strict, because an unknown key or an unusual form of base64 may be the trace of a
 * change.
 * @returns the envelope, or why it is not valid
 */
export function readEnvelope(value: Record<string, unknown>): Envelope | string {
  const { payloadType, payload, signatures, ...unknownMembers } = value;
  const [unknown] = Object.keys(unknownMembers);
  if (unknown !== undefined) return `unknown key '${unknown}' in the DSSE envelope`;
  const bytes = decodeBase64(payload);
  if (!bytes) return 'the payload is not valid base64';
  if (payloadType !== PAYLOAD_TYPE) return `the payload type is not ${PAYLOAD_TYPE}`;
  if (!Array.isArray(signatures) || signatures.length === 0) return 'the envelope has no signatures';
  const valid = signatures.flatMap((signature) => {
    const { keyid = '', sig, ...rest } = isObject(signature) ? signature : {};
    const decoded = decodeBase64(sig);
    return typeof keyid === 'string' && decoded && Object.keys(rest).length === 0
      ? [{ keyid, sig: decoded }]
      : [];
  });
  if (valid.length < signatures.length) return 'a signature is not valid DSSE';
  return { payloadType, payload: bytes, signatures: valid };
}

/** Whether a key signed the envelope. */
export function isSignedBy(envelope: Envelope, key: KeyObject): boolean {
  return envelope.signatures.length > signaturesOfOthers(envelope, [key]).length;
}

/** The signatures that none of these keys made. A signature without a keyid is tried with every key. */
export function signaturesOfOthers(
  { payloadType, payload, signatures }: Envelope,
  keys: readonly KeyObject[],
): Envelope['signatures'] {
  const signed = preAuthenticationEncoding(payloadType, payload);
  const named = keys.map((key) => ({ key, fingerprint: fingerprintOf(key) }));
  return signatures.filter(
    ({ keyid, sig }) =>
      !named.some(
        ({ key, fingerprint }) => (keyid === '' || keyid === fingerprint) && verify(null, signed, key, sig),
      ),
  );
}

/** Decodes padded base64 in either alphabet (RFC 4648 sections 4 and 5); undefined if it has another form. */
function decodeBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const standard = /[-_]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text;
  if (standard !== text && /[+/]/.test(text)) return undefined;
  const bytes = Buffer.from(standard, 'base64');
  return bytes.toString('base64') === standard ? bytes : undefined;
}
