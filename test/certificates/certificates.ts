import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  alternativeName,
  bits,
  commonName,
  der,
  identifier,
  integer,
  octets,
  sequence,
  time,
  yes,
} from './der.ts';

/** Files (PEM) of a certificate and its key, and what is in them. */
export interface Identity {
  certificateFile: string;
  keyFile: string;
  certificate: string;
  key: string;
}

/** An authority of a test's own, and certificates that it signed: valid for two days, made anew each time. */
export interface Authority extends Identity {
  /** @param names as in subjectAltName: `DNS:store.example.test`, `IP:::1` */
  sign(name: string, names?: readonly string[]): Identity;
}

/** ms */
const HOUR = 3_600_000;
export const AUTHORITY = 'an authority of a test';
const ECDSA_WITH_SHA256 = sequence(identifier('2a8648ce3d040302'));
const BASIC_CONSTRAINTS = identifier('551d13');
export const IS_AUTHORITY = sequence(BASIC_CONSTRAINTS, yes, octets(sequence(yes)));
export const IS_NO_AUTHORITY = sequence(BASIC_CONSTRAINTS, octets(sequence()));
export const alternativeNames = (names: readonly string[]) =>
  sequence(identifier('551d11'), octets(sequence(...names.map(alternativeName))));

/** Made with Node alone: not every machine has OpenSSL's command. @param folder where the files go */
export function makeAuthority(folder: string): Authority {
  const own = newKey();
  const identity = (name: string, key: KeyObject, subject: string, extensions: Buffer[]): Identity => {
    const certificateFile = join(folder, `${name}.pem`);
    const keyFile = join(folder, `${name}.key`);
    const certificate = certificateOf(key, subject, extensions, own);
    const pem = String(key.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(certificateFile, certificate);
    writeFileSync(keyFile, pem, { mode: 0o600 });
    return { certificateFile, keyFile, certificate, key: pem };
  };
  return {
    ...identity('authority', own, AUTHORITY, [IS_AUTHORITY]),
    sign(name, names = []) {
      const extensions = names.length === 0 ? [] : [alternativeNames(names)];
      return identity(name, newKey(), name, [IS_NO_AUTHORITY, ...extensions]);
    },
  };
}

export const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;

/** A certificate (PEM) of version 3, as RFC 5280 has it. */
export function certificateOf(
  key: KeyObject,
  subject: string,
  extensions: Buffer[],
  authority: KeyObject,
): string {
  const publicKey = createPublicKey(key.export({ type: 'pkcs8', format: 'pem' }));
  const now = Date.now();
  const signed = sequence(
    der(0xa0, integer([2])),
    integer([1, ...randomBytes(8)]),
    ECDSA_WITH_SHA256,
    commonName(AUTHORITY),
    sequence(time(now - HOUR), time(now + 48 * HOUR)),
    commonName(subject),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(...extensions)),
  );
  const whole = sequence(signed, ECDSA_WITH_SHA256, bits(sign('sha256', signed, authority)));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
