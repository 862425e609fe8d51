import { hash, timingSafeEqual } from 'node:crypto';
import type { KeyVerdict } from './http/call.ts';

// The scheme is case-insensitive (RFC 9110 §11.1).
const BEARER = /^bearer +(.+)$/i;

/**
 * Judges the `Authorization` headers of a request (interface: Authentication). The digests are compared in
 * constant time, so that the response time reveals neither the key nor its length.
 */
export function createKeyCheck(apiKey: string): (authorization: readonly string[]) => KeyVerdict {
  const expected = digest(apiKey);
  return (authorization) => {
    const [value, second] = authorization;
    if (!value) return 'missing';
    const token = second === undefined ? BEARER.exec(value)?.[1] : undefined;
    return token !== undefined && timingSafeEqual(digest(token), expected) ? 'valid' : 'invalid';
  };
}

// A header's characters are bytes (RFC 9110 §5.5): node decodes them as latin1.
function digest(token: string): Buffer {
  return hash('sha256', Buffer.from(token, 'latin1'), 'buffer');
}

/** The challenge that a 401 must carry (RFC 9110 §11.6.1, RFC 6750 §3). */
export function challenge(key: KeyVerdict): string {
  return key === 'missing'
    ? 'Bearer realm="animal store"'
    : 'Bearer realm="animal store", error="invalid_token"';
}
