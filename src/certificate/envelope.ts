import { type KeyObject, sign, verify } from 'node:crypto';
import { isObject } from '../contract/schema.ts';
import { fingerprintOf } from './keys.ts';

/** Of what an envelope carries: an in-toto statement. */
export const PAYLOAD_TYPE = 'application/vnd.in-toto+json';

/** A DSSE envelope (v1.0.2). */
export interface Envelope {
  payloadType: string;
  payload: Buffer;
  signatures: readonly { keyid: string; sig: Buffer }[];
}

/** The bytes that are signed: the Pre-Authentication Encoding of DSSE, lengths in bytes. */
export function preAuthenticationEncoding(payloadType: string, payload: Uint8Array): Buffer {
  const type = Buffer.from(payloadType);
  return Buffer.concat([
    Buffer.from(`DSSEv1 ${type.length} `),
    type,
    Buffer.from(` ${payload.length} `),
    payload,
  ]);
}

/** An envelope as it is written. @param key Ed25519, private */
export function seal(payload: Uint8Array, key: KeyObject): Record<string, unknown> {
  const sig = sign(null, preAuthenticationEncoding(PAYLOAD_TYPE, payload), key).toString('base64');
  return {
    payloadType: PAYLOAD_TYPE,
    payload: Buffer.from(payload).toString('base64'),
    signatures: [{ keyid: fingerprintOf(key), sig }],
  };
}

/** Whether parsed JSON claims to be an envelope, valid or not, rather than a bare statement. */
export function isSealed(value: unknown): value is Record<string, unknown> {
  return isObject(value) && ['payload', 'signatures', 'payloadType'].some((name) => name in value);
}

/**
 * An envelope from parsed JSON. Strict: a name that DSSE does not have, or base64 that could be written otherwise, is a
 * sign that somebody changed it.
 * @returns the envelope, or in a few words why it is none
 */
export function readEnvelope(value: Record<string, unknown>): Envelope | string {
  const { payloadType, payload, signatures, ...others } = value;
  const [unknown] = Object.keys(others);
  if (unknown !== undefined) return `the envelope has "${unknown}", which DSSE does not know`;
  const bytes = decodeBase64(payload);
  if (!bytes) return 'the payload is no base64';
  if (payloadType !== PAYLOAD_TYPE) return `the payload is no ${PAYLOAD_TYPE}`;
  if (!Array.isArray(signatures) || signatures.length === 0) return 'the envelope has no signatures';
  const read = signatures.map((each) => {
    const { keyid = '', sig, ...rest } = isObject(each) ? each : {};
    const decoded = decodeBase64(sig);
    return typeof keyid === 'string' && decoded && Object.keys(rest).length === 0
      ? { keyid, sig: decoded }
      : undefined;
  });
  const sound = read.filter((each) => each !== undefined);
  if (sound.length < read.length) return 'a signature is not as DSSE has it';
  return { payloadType, payload: bytes, signatures: sound };
}

/** Whether a key signed the envelope. */
export function isSignedBy(envelope: Envelope, key: KeyObject): boolean {
  return envelope.signatures.length > signaturesOfOthers(envelope, [key]).length;
}

/** Signatures by none of some keys. What has no keyid may be anybody's; one that is another key's is not this one's. */
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

/** Base64 in either alphabet (RFC 4648 sections 4 and 5), padded; undefined where it is not exactly that. */
function decodeBase64(text: unknown): Buffer | undefined {
  if (typeof text !== 'string') return undefined;
  const standard = /[-_]/.test(text) ? text.replaceAll('-', '+').replaceAll('_', '/') : text;
  if (standard !== text && /[+/]/.test(text)) return undefined;
  const bytes = Buffer.from(standard, 'base64');
  return bytes.toString('base64') === standard ? bytes : undefined;
}
