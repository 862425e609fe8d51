import { createHmac, randomBytes } from 'node:crypto';
import { wordsOf } from '../../contract/words.ts';
import type { Contract, Credential, Schema } from '../../model/contract.ts';
import { type HeaderLine, headerValues, type Received } from '../../model/exchange.ts';
import { KEY_EXPANSION, KEY_PLACEHOLDER } from '../../session/secrets/authorization.ts';
import { ownSecrets } from '../../session/secrets/own-secrets.ts';
import { isSecretName } from '../../session/secrets/secret-name.ts';
import type { Recorded } from '../recorded.ts';
import { knownKeys } from './known-keys.ts';
import { fieldRedactor } from './redact-fields.ts';
import { BEARER, credentialsOf, type KeyFound, keyIn, type SentKey } from './sent-key.ts';

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
  const places = credentialsOf(contract);
  const isSecret = secretHeaders(contract, places);
  return (recorded) => {
    const own = recorded.own && isShown(recorded, places) ? recorded.own : undefined;
    const { form, credentials }: KeyFound = own ? { form: 'unknown' } : keyIn(recorded, places);
    const sent = own ? [] : [credentials, keyIn(recorded, [BEARER]).credentials];
    const learned = [...sent.filter((each) => each !== undefined), ...parameterSecrets(recorded.url)];
    const redactKeys = keys.redactionFor(learned, () => textsOf(recorded));
    const literals = literalsIn(recorded, isSecret);
    const clean = (text: string) =>
      literals.reduce((shown, each) => shown.replaceAll(each, '[hidden]'), redactKeys(text));
    const { own: _, ...rest } = withoutFields(recorded);
    const { requestHeaders, requestBody, response, failure } = rest;
    return {
      ...rest,
      ...(own ? { own } : {}),
      url: clean(rest.url),
      requestHeaders: own ? requestHeaders : shownHeaders(requestHeaders, clean, isSecret),
      ...(requestBody === undefined ? {} : { requestBody: clean(requestBody) }),
      ...(response ? { response: shownResponse(response, clean, isSecret) } : {}),
      ...(failure ? { failure: { ...failure, message: clean(failure.message) } } : {}),
      sentKey: {
        form,
        ...(credentials === undefined || form === 'unknown'
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

function shownResponse(response: Received, clean: (text: string) => string, isSecret: IsSecret): Received {
  const { undecodable, unread } = response;
  return {
    ...response,
    headers: shownHeaders(response.headers, clean, isSecret),
    body: clean(response.body),
    // Both may quote a header, such as Content-Encoding.
    ...(undecodable === undefined ? {} : { undecodable: clean(undecodable) }),
    ...(unread === undefined ? {} : { unread: clean(unread) }),
  };
}

/** Whether petspec wrote the headers with the key: with a placeholder or with a wrong one. */
function isShown({ requestHeaders }: Recorded, places: readonly Credential[]): boolean {
  const isWritten = (value: string) => KEY_EXPANSION.test(value) || /petspec-unknown-key/.test(value);
  const plain = places.filter((each) => each.in === 'header' && !each.scheme);
  return (
    headerValues(requestHeaders, BEARER.name).every((value) => isWritten(value) || /^\S* ?$/.test(value)) &&
    plain
      .flatMap(({ name }) => headerValues(requestHeaders, name))
      .every((each) => each === '' || isWritten(each))
  );
}

/** Values of parameters whose names tell that they are secrets. */
function parameterSecrets(url: string): string[] {
  const parameters = [...new URL(url).searchParams];
  return ownSecrets({ headers: parameters.filter(([name]) => isSecretName(name)) });
}

type IsSecret = (name: string) => boolean;

/**
 * Tells headers whose whole value is a secret: those in which the interface takes the key, and those whose names say so, unless
 * the interface says that a value is no secret.
 */
function secretHeaders({ operations }: Contract, places: readonly Credential[]): IsSecret {
  const keys = namesOf(places.filter((each) => each.in === 'header'));
  const publics = namesOf(
    operations
      .flatMap(({ parameters, responses }) => [
        ...parameters.filter((each) => each.in === 'header'),
        ...responses.flatMap(({ headers }) => headers),
      ])
      .filter(({ schema }) => isPublic(schema)),
  );
  return (name) => {
    const lower = name.toLowerCase();
    // The scheme before its secret is shown.
    if (lower === 'authorization') return false;
    return keys.has(lower) || (isSecretName(name) && !publics.has(lower));
  };
}

function namesOf(all: readonly { name: string }[]): Set<string> {
  return new Set(all.map(({ name }) => name.toLowerCase()));
}

/** Whether the values of a schema are no secrets: numbers, times, or values that the interface states. */
function isPublic({ type, format = '', enum: members }: Schema): boolean {
  return (
    (type !== undefined && type !== 'string') || members !== undefined || /^(?:date|time|dura)/.test(format)
  );
}

/** Long values of secret headers: the same exchange may hold them elsewhere. */
function literalsIn({ requestHeaders, response }: Recorded, isSecret: IsSecret): string[] {
  const lines = [...requestHeaders, ...(response?.headers ?? [])].filter(([name]) => isSecret(name));
  return ownSecrets({ headers: lines.map(([name, value]) => [name.replace(/^set-/i, ''), value]) }).filter(
    (each) => each.length >= MIN_LITERAL && /\d/.test(each),
  );
}

function shownHeaders(
  lines: readonly HeaderLine[],
  clean: (text: string) => string,
  isSecret: IsSecret,
): HeaderLine[] {
  return lines.map(([name, value]) => {
    if (/^authorization$/i.test(name)) return [name, shownAuthorization(value)];
    return [clean(name), isSecret(name) ? '[hidden]' : clean(value)];
  });
}

/** With the variable that a shell expands, so that a command that repeats the request works. */
function shownAuthorization(value: string): string {
  const [, scheme = ''] = /^(\S+)\s+\S/.exec(value) ?? [];
  if (scheme.toLowerCase() === 'bearer') return `Bearer ${KEY_PLACEHOLDER}`;
  return scheme === '' ? '[hidden]' : `${scheme} [hidden]`;
}
