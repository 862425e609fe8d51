import type { Contract } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import { credentialsOf } from '../../model/http/credential.ts';
import { percentDecoded } from '../../model/http/percent-encoding.ts';
import { proxySecrets } from '../../model/http/proxy-address.ts';
import { isPossible, isShort } from '../hideable.ts';
import { isSecretName } from '../secret-name.ts';

/** An authentication scheme before a token (RFC 9110 section 11.4) also shows that the value is a secret. */
const TELLING_SCHEME =
  /^(?:api-?key|aws4-hmac-sha256|basic|bearer|digest|hawk|hmac|jwt|negotiate|ntlm|signature|token)\s+\S/i;

/** Parameters of a scheme that are not secrets. */
const PUBLIC_PARAMETER =
  /^(?:alg|algorithm|domain|expires|headers|keyid|max-age|nc|opaque|path|qop|realm|uri|user|username|version)$/i;

/** Headers of HTTP or tracing that are not secrets: a response may have the same value. */
const PUBLIC_NAME =
  /^(?:accept|content|if|sec|x-forwarded)(?:-|$)|^(?:baggage|cache-control|connection|date|expect|forwarded|from|host|origin|pragma|prefer|range|te|traceparent|tracestate|user-agent|via|x-correlation-id|x-request-id)$/i;

/** From this length on a value may be a secret although its name does not say so; LONG_NUMBER if it has no letters. */
const LONG = 8;
const LONG_NUMBER = 16;

/** Values that anybody may write: `production`, `application/json; charset=utf-8`. */
const WORD = /^[a-z]{1,12}$/i;
const MEDIA_TYPE = /^(?:application|audio|font|image|multipart|text|video|\*)\/[\w.*+-]+(?:\s*[,;].*)?$/i;

/** The headers and the proxies of the user, which may have secrets besides the key. */
export interface UserSecrets {
  headers: readonly HeaderLine[];
  network?: { proxies?: Readonly<Record<string, string>> } | undefined;
}

/** The secrets in the headers and the proxies of the user, and the parts of them that are secrets themselves. */
export function ownSecrets({ headers, network }: UserSecrets): string[] {
  const secrets = [
    ...headers.flatMap(headerSecrets),
    ...Object.values(network?.proxies ?? {})
      .flatMap(proxySecrets)
      .filter(isPossible),
  ];
  return [...new Set(secrets)];
}

/** The parts of a key that are secrets themselves, besides the whole key. */
export function keySecrets(key: string, { operations }: Pick<Contract, 'operations'>): string[] {
  const isBasic = credentialsOf({ operations }).some(({ scheme }) => scheme === 'Basic');
  return [...(isBasic ? basicSecrets(key) : []), ...tokenSecrets(key)];
}

/** The token of a key that begins with a scheme: somebody may send it back alone. */
export function tokenSecrets(key: string): string[] {
  const token = withoutScheme(key);
  return token === key ? [] : [token].filter(isPossible);
}

/** The password of a key that is user and password (RFC 7617), or only its user if there is no password. */
export function basicSecrets(key: string): string[] {
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(key) ?? [];
  return [password || user].filter(isPossible);
}

function headerSecrets([name, value]: HeaderLine): string[] {
  const isNamed = isSecretName(name) || TELLING_SCHEME.test(value);
  const isWhole = !PUBLIC_NAME.test(name) && isUnusual(value);
  const parts = partsOf(value)
    .filter((part) => isNamed || isSecretName(part.name))
    .flatMap(({ text }) => withDecoded(text))
    .filter(isPossible);
  const wholes = isNamed ? [value, ...withDecoded(withoutScheme(value))] : isWhole ? withDecoded(value) : [];
  const candidates = [...wholes.filter(isPossible), ...parts];
  // If only a part of a value is secret, such as one of several cookies, the part is enough.
  const certain = parts.filter((part) => !isShort(part));
  return candidates.filter((text) => parts.includes(text) || !certain.some((part) => text.includes(part)));
}

/** The part after the scheme, if there is one (RFC 9110 section 11.4). */
function withoutScheme(value: string): string {
  return /^[\w-]+[ \t]+(.*)$/.exec(value)?.[1] ?? value;
}

/** The parts between `,`, `;` or `&`, with their names. */
function partsOf(value: string): { name: string; text: string }[] {
  const credentials = withoutScheme(value);
  const parts = credentials.split(/[,;&]/).map((pair) => {
    const [, name = '', text = pair] = /^\s*([\w.$-]+)=(.*)$/.exec(pair) ?? [];
    return { name, text: text.trim().replace(/^"(.*)"$/, '$1') };
  });
  return credentials === value ? parts : parts.filter(({ name }) => !PUBLIC_PARAMETER.test(name));
}

/** A part, plain and decoded: from percent-encoding, or into user and password (RFC 7617). */
function withDecoded(text: string): string[] {
  const credentials = /^[\w+/-]{4,}=*$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : '';
  const [, user = '', password = ''] = /^([^:\p{Cc}\ufffd]*):([^\p{Cc}\ufffd]*)$/u.exec(credentials) ?? [];
  return [text, percentDecoded(text), ...(user || password ? [credentials, password || user] : [])];
}

/** Whether a value looks like a secret: long, and not a word, a number, a date, a version or a media type. */
function isUnusual(value: string): boolean {
  if (!/\p{L}/u.test(value)) return /^\d+$/.test(value) && value.length >= LONG_NUMBER;
  return value.length >= LONG && !WORD.test(value) && !MEDIA_TYPE.test(value);
}
