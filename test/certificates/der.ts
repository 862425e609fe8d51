import { isIPv6 } from 'node:net';

/** One value in DER: what it is, how long, and what is in it. */
export function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const digits = length < 0x80 ? [] : length < 0x100 ? [length] : [length >> 8, length & 0xff];
  const size = digits.length === 0 ? [length] : [0x80 | digits.length, ...digits];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

export const sequence = (...parts: readonly Buffer[]) => der(0x30, ...parts);
export const integer = (bytes: readonly number[]) => der(0x02, Buffer.from(bytes));
export const identifier = (hex: string) => der(0x06, Buffer.from(hex, 'hex'));
export const bits = (content: Buffer) => der(0x03, Buffer.from([0]), content);
export const octets = (content: Buffer) => der(0x04, content);
export const yes = der(0x01, Buffer.from([0xff]));

/** @param at ms of the clock, before 2050 */
export const time = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replaceAll(/[-T:]/g, '')}Z`));

/** A name that has nothing but this common name. */
export const commonName = (name: string) =>
  sequence(der(0x31, sequence(identifier('550403'), der(0x0c, Buffer.from(name)))));

/** @param name as in subjectAltName: `DNS:store.example.test`, `IP:::1`, `URI:https://store.example.test` */
export function alternativeName(name: string): Buffer {
  const [, kind, value = ''] = /^(DNS|IP|URI):(.*)$/.exec(name) ?? [];
  if (!kind) throw new Error(`not a name of a certificate: ${name}`);
  if (kind === 'URI') return der(0x86, Buffer.from(value));
  return kind === 'DNS' ? der(0x82, Buffer.from(value)) : der(0x87, bytesOf(value));
}

/** The bytes of an IP address. */
function bytesOf(address: string): Buffer {
  if (!isIPv6(address)) return Buffer.from(address.split('.').map(Number));
  const [left = [], right = []] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0');
  const groups = [...left, ...zeros, ...right].map((group) => group.padStart(4, '0'));
  return Buffer.from(groups.join(''), 'hex');
}
