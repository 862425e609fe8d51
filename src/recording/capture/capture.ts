import { createHmac, randomBytes } from 'node:crypto';
import { wordsOf } from '../../contract/words.ts';
import type { Contract } from '../../model/contract.ts';
import { type HeaderLine, headerValues, type Received } from '../../model/exchange.ts';
import { KEY_EXPANSION, KEY_PLACEHOLDER } from '../../session/secrets/authorization.ts';
import { ownSecrets } from '../../session/secrets/own-secrets.ts';
import type { Recorded } from '../recorded.ts';
import { knownKeys } from './known-keys.ts';
import { fieldRedactor } from './redact-fields.ts';

/** What the Authorization header of a request holds. */
export interface SentKey {
  /** `unknown`: no key was recorded, as browsers leave it out, or it is elsewhere, such as in a cookie. */
  form: 'bearer' | 'empty' | 'other-scheme' | 'bare' | 'unknown';
  /** Tells keys apart. Made with a random key that only this process has, and written nowhere. */
  fingerprint?: string;
}

/** An exchange of a recording without its secrets. */
export interface Captured extends Recorded {
  sentKey: SentKey;
}

/** A shorter value may be a common word. */
const MIN_LITERAL = 12;

/**
 * Captures the exchanges of a recording: from here on nothing holds a key or a cookie.
 * @param fields names of headers, parameters and JSON fields whose values are replaced as well
 */
export function recordingCapture(
  contract: Contract,
  fields: readonly string[],
): (recorded: Recorded) => Captured {
  const secret = randomBytes(32);
  const withoutFields = fieldRedactor(fields, secret);
  const keys = knownKeys(wordsOf(contract));
  return (recorded) => {
    const values = headerValues(recorded.requestHeaders, 'Authorization');
    const own = recorded.own && values.every(isShown) ? recorded.own : undefined;
    const { form, credentials } = own ? { form: 'unknown' as const } : keyIn(values, recorded);
    const learned = [...(credentials === undefined ? [] : [credentials]), ...parameterSecrets(recorded.url)];
    const redactKeys = keys.redactionFor(learned, () => textsOf(recorded));
    const literals = literalsIn(recorded);
    const clean = (text: string) =>
      literals.reduce((shown, each) => shown.replaceAll(each, '[hidden]'), redactKeys(text));
    const { own: _, ...rest } = withoutFields(recorded);
    const { requestHeaders, requestBody, response, failure } = rest;
    return {
      ...rest,
      ...(own ? { own } : {}),
      url: clean(rest.url),
      requestHeaders: own ? requestHeaders : shownHeaders(requestHeaders, clean),
      ...(requestBody === undefined ? {} : { requestBody: clean(requestBody) }),
      ...(response ? { response: shownResponse(response, clean) } : {}),
      ...(failure ? { failure: { ...failure, message: clean(failure.message) } } : {}),
      sentKey: {
        form,
        ...(credentials === undefined
          ? {}
          : { fingerprint: createHmac('sha256', secret).update(credentials).digest('base64') }),
      },
    };
  };
}

/** All texts of an exchange in which a key may be. */
function textsOf({ url, requestHeaders, requestBody = '', response, failure }: Recorded): string {
  const headers = [...requestHeaders, ...(response?.headers ?? [])].flat();
  return [url, requestBody, response?.body, failure?.message, ...headers].join('\n');
}

function shownResponse(response: Received, clean: (text: string) => string): Received {
  return { ...response, headers: shownHeaders(response.headers, clean), body: clean(response.body) };
}

/** Whether petspec wrote the header, with a placeholder for the key or with a wrong one. */
function isShown(value: string): boolean {
  return KEY_EXPANSION.test(value) || /petspec-unknown-key|^\S* ?$/.test(value);
}

function keyIn(
  [value, ...others]: readonly string[],
  { requestHeaders }: Recorded,
): { form: SentKey['form']; credentials?: string } {
  if (value === undefined || others.length > 0) return { form: 'unknown' };
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(.+)$/.exec(value) ?? [];
  if (scheme === '') {
    const isEmpty = /^(?:bearer)?\s*$/i.test(value) && headerValues(requestHeaders, 'Cookie').length === 0;
    return isEmpty ? { form: 'empty' } : { form: 'bare', credentials: value };
  }
  // The scheme is case-insensitive (RFC 9110 section 11.1).
  return { form: scheme.toLowerCase() === 'bearer' ? 'bearer' : 'other-scheme', credentials };
}

/** Values of parameters whose names tell that they are secrets. */
function parameterSecrets(url: string): string[] {
  const parameters = [...new URL(url).searchParams];
  return parameters.length === 0 ? [] : ownSecrets({ headers: parameters.filter(([name]) => tells(name)) });
}

const tells = (name: string) => /key|token|secret|auth|passw|session|signature/i.test(name);

/** Headers whose whole value is a secret. */
const SECRET_HEADER = /^(?:proxy-authorization|cookie|set-cookie|.*(?:token|secret|session|api-?key).*)$/i;

/** Long values of secret headers: the same exchange may hold them elsewhere. */
function literalsIn({ requestHeaders, response }: Recorded): string[] {
  const lines = [...requestHeaders, ...(response?.headers ?? [])].filter(([name]) =>
    SECRET_HEADER.test(name),
  );
  return ownSecrets({ headers: lines.map(([name, value]) => [name.replace(/^set-/i, ''), value]) }).filter(
    (each) => each.length >= MIN_LITERAL && /\d/.test(each),
  );
}

function shownHeaders(lines: readonly HeaderLine[], clean: (text: string) => string): HeaderLine[] {
  return lines.map(([name, value]) => {
    if (/^authorization$/i.test(name)) return [name, shownAuthorization(value)];
    return [clean(name), SECRET_HEADER.test(name) ? '[hidden]' : clean(value)];
  });
}

/** With the variable that a shell expands, so that a command that repeats the request works. */
function shownAuthorization(value: string): string {
  const [, scheme = ''] = /^(\S+)\s+\S/.exec(value) ?? [];
  if (scheme.toLowerCase() === 'bearer') return `Bearer ${KEY_PLACEHOLDER}`;
  return scheme === '' ? '[hidden]' : `${scheme} [hidden]`;
}
