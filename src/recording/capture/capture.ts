import { createHmac, randomBytes } from 'node:crypto';
import type { Contract, Credential } from '../../model/contract.ts';
import { type HeaderLine, headerValues, type Received } from '../../model/exchange.ts';
import { BEARER, credentialsOf } from '../../model/http/credential.ts';
import { addressRedactor } from '../../secrets/address-secrets.ts';
import { KEY_EXPANSION, KEY_PLACEHOLDER } from '../../secrets/authorization.ts';
import { publicIn } from '../../secrets/hideable.ts';
import { ownSecrets } from '../../secrets/own-secrets.ts';
import { areTooMany, knownKeys } from '../../traffic/secrets/known-keys.ts';
import { literalRedaction } from '../../traffic/secrets/literals.ts';
import { type IsSecret, secretHeaders } from '../../traffic/secrets/secret-headers.ts';
import { memberHider } from '../../traffic/secrets/secret-members.ts';
import { authorizationSecrets, shownUrl, urlSecrets } from '../../traffic/secrets/sent-secrets.ts';
import type { Recorded, SentKey } from '../recorded.ts';
import { fieldRedactor } from './redact-fields.ts';
import { type KeyFound, keyIn } from './sent-key.ts';

/** An exchange of a recording without its secrets. */
export interface Captured extends Recorded {
  sentKey: SentKey;
}

/**
 * Captures the exchanges of a recording: from here on nothing holds a key or a cookie. One with too many of them is undefined.
 * @param fields names of headers, parameters and JSON fields whose values are replaced as well
 */
export function recordingCapture(
  contract: Contract,
  fields: readonly string[],
): (recorded: Recorded) => Captured | undefined {
  const secret = randomBytes(32);
  const withoutFields = fieldRedactor(fields, secret);
  const withoutMembers = memberHider(contract, secret);
  const isPublic = publicIn(contract);
  const withoutAddressSecrets = addressRedactor(isPublic);
  const redactKeysOf = knownKeys(isPublic);
  const places = credentialsOf(contract);
  const isSecret = secretHeaders(contract, places);
  return (recorded) => {
    const own = recorded.own && isShown(recorded, places) ? recorded.own : undefined;
    const { form, credentials }: KeyFound = own
      ? { form: 'unknown' }
      : recorded.sentKey
        ? { form: recorded.sentKey.form, credentials: recorded.sentKey.fingerprint }
        : keyIn(recorded, places);
    // A request may carry several keys together. What petspec proxy captured has placeholders in their places.
    const others = recorded.sentKey ? [BEARER] : [...places, BEARER];
    const sent = own ? [] : [credentials, ...others.map((each) => keyIn(recorded, [each]).credentials)];
    const learned = new Set([
      ...sent.filter((each) => each !== undefined),
      ...(own ? [] : authorizationSecrets(recorded.requestHeaders)),
      ...urlSecrets(recorded.url),
    ]);
    // What a run of petspec sends has no secrets of others, and what reproduces a finding sends it again.
    const { shown: hidden, secrets: members } = own
      ? { shown: recorded, secrets: [] }
      : withoutMembers(recorded);
    const { origin } = new URL(recorded.url);
    const literals = new Set(
      [...headerSecrets(recorded, isSecret), ...ownSecrets({ headers: members })].filter(
        (each) => !origin.includes(each.toLowerCase()),
      ),
    );
    if (areTooMany([...learned], [...literals])) return undefined;
    const redactKeys = redactKeysOf([...learned]);
    const redactLiterals = literalRedaction([...literals], isPublic);
    const clean = (text: string) => withoutAddressSecrets(redactLiterals(redactKeys(text)));
    const { own: _, ...rest } = withoutFields(hidden);
    const { requestHeaders, requestBody, response, failure } = rest;
    return {
      ...rest,
      own,
      url: shownUrl(rest.url, clean),
      requestHeaders: own ? requestHeaders : shownHeaders(requestHeaders, clean, isSecret),
      requestBody: requestBody && clean(requestBody),
      response: response && shownResponse(response, clean, isSecret),
      failure: failure && { ...failure, message: clean(failure.message) },
      sentKey: {
        form,
        fingerprint:
          credentials === undefined || form === 'unknown'
            ? undefined
            : createHmac('sha256', secret).update(credentials).digest('base64'),
      },
    };
  };
}

function shownResponse(response: Received, clean: (text: string) => string, isSecret: IsSecret): Received {
  const { undecodable, unread } = response;
  return {
    ...response,
    headers: shownHeaders(response.headers, clean, isSecret),
    body: clean(response.body),
    // Both may quote a header, such as Content-Encoding.
    undecodable: undecodable && clean(undecodable),
    unread: unread && clean(unread),
  };
}

/** Whether petspec wrote the headers with the key: with a placeholder or with a wrong one, which is nobody's key. */
function isShown({ requestHeaders, own }: Recorded, places: readonly Credential[]): boolean {
  const isWritten = (value: string) => own?.key === 'unknown' || KEY_EXPANSION.test(value);
  const plain = places.filter((each) => each.in === 'header' && !each.scheme);
  return (
    headerValues(requestHeaders, BEARER.name).every((value) => isWritten(value) || /^\S* ?$/.test(value)) &&
    plain
      .flatMap(({ name }) => headerValues(requestHeaders, name))
      .every((each) => each === '' || isWritten(each))
  );
}

/** The secrets of secret headers: the same exchange may hold them elsewhere. */
function headerSecrets({ requestHeaders, response }: Recorded, isSecret: IsSecret): string[] {
  const lines = [...requestHeaders, ...(response?.headers ?? [])].filter(([name]) => isSecret(name));
  return ownSecrets({
    headers: lines.map(([name, value]) =>
      // Only the first part of a Set-Cookie is its cookie: others are words, and a time that Date may have as well.
      /^set-cookie$/i.test(name) ? ['Cookie', value.replace(/;.*/s, '')] : [name, value],
    ),
  });
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
