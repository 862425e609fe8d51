import type { HeaderLine } from '../../model/exchange.ts';
import { proxySecrets } from '../http/proxy.ts';
import { isShort } from './redact.ts';

/** A name that says that its value is a secret: of a header, a cookie or a parameter. */
const TELLING_NAME = new RegExp(
  [
    'authoriz|authentic|cookie|token|secret|session|passw|passphrase|credential|signature|bearer|csrf|xsrf',
    '(?:api|app|auth|access|client|license|private|secret|user)key',
    '(?:^|[^a-z])(?:auth|hmac|jwt|keys?|otp|pass|pin|pwd|sid|sig)(?![a-z])',
  ].join('|'),
  'i',
);

/** A name that says how something is meant: `X-Auth-Mode`. */
const DESCRIBING_NAME = /[_-](?:enabled|env|environment|method|mode|provider|scheme|type|version)$/i;

/** A scheme of authentication before a token (RFC 9110 section 11.4) says so, too, whatever the name. */
const TELLING_SCHEME =
  /^(?:api-?key|aws4-hmac-sha256|basic|bearer|digest|hawk|hmac|jwt|negotiate|ntlm|signature|token)\s+\S/i;

/** Parameters of a scheme that are no secret. */
const PUBLIC_PARAMETER =
  /^(?:alg|algorithm|domain|expires|headers|keyid|max-age|nc|opaque|path|qop|realm|uri|user|username|version)$/i;

/** Headers that HTTP or tracing defines, and that are no secret: a response may have the same value for good. */
const PUBLIC_NAME =
  /^(?:accept|content|if|sec|x-forwarded)(?:-|$)|^(?:baggage|cache-control|connection|date|expect|forwarded|from|host|origin|pragma|prefer|range|te|traceparent|tracestate|user-agent|via|x-correlation-id|x-request-id)$/i;

/** Values that are no secret under any name: they would blank half of a response, or its dates. */
const PUBLIC_VALUE =
  /^(?:\d{1,4}|\d{4}-\d\d-\d\d(?:[T ][\d:.]*Z?)?|no|none|off|on|true|false|null|undefined|yes)$/i;

/** Letters and digits that a secret has at the least. */
const MIN_LENGTH = 3;

/** Characters from which on a value may be a secret though nothing says so, and digits if it has no letters. */
const LONG = 8;
const LONG_NUMBER = 16;

/** What somebody may write who does not know the value: `production`, `application/json; charset=utf-8`. */
const WORD = /^[a-z]{1,12}$/i;
const MEDIA_TYPE = /^(?:application|audio|font|image|multipart|text|video|\*)\/[\w.*+-]+(?:\s*[,;].*)?$/i;

/** What a user tells a target or a proxy besides the key. */
export interface Own {
  headers: readonly HeaderLine[];
  network?: { proxies?: Readonly<Record<string, string>> };
}

/** The secrets among what the user tells a target or a proxy besides the key, with the parts that are secrets themselves. */
export function ownSecrets({ headers, network }: Own): string[] {
  const all = [
    ...headers.flatMap(headerSecrets),
    ...Object.values(network?.proxies ?? {})
      .flatMap(proxySecrets)
      .filter(isPossible),
  ];
  return [...new Set(all)];
}

function headerSecrets([name, value]: HeaderLine): string[] {
  const isTold = tells(name) || TELLING_SCHEME.test(value);
  const isWhole = !PUBLIC_NAME.test(name) && isUnusual(value);
  const parts = partsOf(value)
    .filter((part) => isTold || tells(part.name))
    .flatMap(({ text }) => withDecoded(text))
    .filter(isPossible);
  const wholes = isTold ? [value, ...withDecoded(credentialsOf(value))] : isWhole ? withDecoded(value) : [];
  const all = [...wholes.filter(isPossible), ...parts];
  // Of a value with a secret in it, such as all cookies in one, the secret is enough.
  const certain = parts.filter((each) => !isShort(each));
  return all.filter((each) => parts.includes(each) || !certain.some((part) => each.includes(part)));
}

const tells = (name: string) => TELLING_NAME.test(name) && !DESCRIBING_NAME.test(name);

/** What stands behind the scheme, where there is one (RFC 9110 section 11.4). */
function credentialsOf(value: string): string {
  return /^[\w-]+[ \t]+(.*)$/.exec(value)?.[1] ?? value;
}

/** What stands between `,`, `;` or `&`, each with the name that it has there. */
function partsOf(value: string): { name: string; text: string }[] {
  const credentials = credentialsOf(value);
  const parts = credentials.split(/[,;&]/).map((pair) => {
    const [, name = '', text = pair] = /^\s*([\w.$-]+)=(.*)$/.exec(pair) ?? [];
    return { name, text: text.trim().replace(/^"(.*)"$/, '$1') };
  });
  return credentials === value ? parts : parts.filter(({ name }) => !PUBLIC_PARAMETER.test(name));
}

/** A part with what it is once its encoding is undone: percent-encoded, or user and password (RFC 7617). */
function withDecoded(text: string): string[] {
  const credentials = /^[\w+/-]{4,}=*$/.test(text) ? Buffer.from(text, 'base64').toString('utf8') : '';
  const [, user = '', password = ''] = /^([^:\p{Cc}\ufffd]*):([^\p{Cc}\ufffd]*)$/u.exec(credentials) ?? [];
  return [text, decodedUri(text), ...(user || password ? [credentials, password || user] : [])];
}

function decodedUri(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function isPossible(text: string): boolean {
  const { length } = text.replace(/[^\p{L}\p{N}]/gu, '');
  return length >= MIN_LENGTH && !PUBLIC_VALUE.test(text);
}

/** Whether a value is a secret by its looks: long, and neither a word nor a number, a date, a version, a media type. */
function isUnusual(value: string): boolean {
  if (!/\p{L}/u.test(value)) return /^\d+$/.test(value) && value.length >= LONG_NUMBER;
  return value.length >= LONG && !WORD.test(value) && !MEDIA_TYPE.test(value);
}
