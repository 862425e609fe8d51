import { isUtf8 } from 'node:buffer';
import { percentDecodedBytes } from './percent-encoding.ts';

/** A proxy, and how to authenticate to it. */
export interface HttpProxy {
  /** Its address without user and password, for output. */
  name: string;
  origin: string;
  /** The value of Proxy-Authorization (RFC 9110 section 11.7.2), if the address names a user. */
  authorization?: string;
}

/** @param address as in HTTPS_PROXY, user and password included */
export function proxyAt(address: string): HttpProxy {
  const { origin, username, password } = new URL(address);
  const user = credentials(username, password).toString('base64');
  return { name: origin, origin, ...(username === '' ? {} : { authorization: `Basic ${user}` }) };
}

/** The secrets in a proxy's address, encoded and decoded; a user without a password is a token. */
export function proxySecrets(address: string): string[] {
  const { username, password } = new URL(address);
  if (username === '' && password === '') return [];
  const [secret, both] = [password || username, credentials(username, password)];
  const bytes = percentDecodedBytes(secret);
  // The redaction of secrets reads percent-encoding as UTF-8, so it needs other bytes as written.
  return [textOf(bytes), textOf(both), both.toString('base64'), ...(isUtf8(bytes) ? [] : [secret])];
}

/** The bytes of user and password in the address, as no charset is prescribed (RFC 7617 section 2). */
function credentials(username: string, password: string): Buffer {
  return Buffer.concat([percentDecodedBytes(username), Buffer.from(':'), percentDecodedBytes(password)]);
}

function textOf(bytes: Buffer): string {
  return bytes.toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}
