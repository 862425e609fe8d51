import { createHmac, randomBytes } from 'node:crypto';
import type { Contract, Credential } from '../../model/contract.ts';
import { type HeaderLine, headerValues, type Received } from '../../model/exchange.ts';
import { BEARER, credentialsOf, valuesAt } from '../../model/http/credential.ts';
import { addressRedactor } from '../../secrets/address-secrets.ts';
import { publicIn } from '../../secrets/hideable.ts';
import { KEY_EXPANSION, KEY_PLACEHOLDER } from '../../secrets/keys/authorization.ts';
import { ownSecrets } from '../../secrets/keys/own-secrets.ts';
import { isSecretName } from '../../secrets/secret-name.ts';
import { areTooMany, knownKeys, literalRedaction } from '../../traffic/secrets/redactions.ts';
import { memberHider } from '../../traffic/secrets/secret-members.ts';
import {
  authorizationSecrets,
  type IsSecret,
  secretHeaders,
  shownUrl,
  urlSecrets,
} from '../../traffic/secrets/sent-secrets.ts';
import type { Recorded, SentKey } from '../recorded.ts';
import { fieldRedactor } from './redact-fields.ts';

/** An exchange of a recording without its secrets. */
export interface Captured extends Recorded {
  sentKey: SentKey;
}

/**
 * Captures the exchanges of a recording: from here on nothing holds a key or a cookie. Undefined if an exchange has too many
 * secrets.
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
    // A request may carry several keys. petspec proxy has replaced those that it captured by placeholders.
    const furtherPlaces = recorded.sentKey ? [BEARER] : [...places, BEARER];
    const sent = own
      ? []
      : [credentials, ...furtherPlaces.map((place) => keyIn(recorded, [place]).credentials)];
    const learned = new Set([
      ...sent.filter((key) => key !== undefined),
      ...(own ? [] : authorizationSecrets(recorded.requestHeaders)),
      ...urlSecrets(recorded.url),
    ]);
    // A run of petspec sends no secrets of others, and its bodies must stay to reproduce a finding.
    const { shown: hidden, secrets: members } = own
      ? { shown: recorded, secrets: [] }
      : withoutMembers(recorded);
    const { origin } = new URL(recorded.url);
    const literals = new Set(
      [...headerSecrets(recorded, isSecret), ...ownSecrets({ headers: members })].filter(
        (literal) => !origin.includes(literal.toLowerCase()),
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

/** Whether petspec wrote the key headers: with a placeholder, or with a wrong key, which is nobody's. */
function isShown({ requestHeaders, own }: Recorded, places: readonly Credential[]): boolean {
  const isWritten = (value: string) => own?.key === 'unknown' || KEY_EXPANSION.test(value);
  const plain = places.filter((place) => place.in === 'header' && !place.scheme);
  return (
    headerValues(requestHeaders, BEARER.name).every((value) => isWritten(value) || /^\S* ?$/.test(value)) &&
    plain
      .flatMap(({ name }) => headerValues(requestHeaders, name))
      .every((value) => value === '' || isWritten(value))
  );
}

/** The secrets in headers: the exchange may repeat them elsewhere. */
function headerSecrets({ requestHeaders, response }: Recorded, isSecret: IsSecret): string[] {
  const lines = [...requestHeaders, ...(response?.headers ?? [])].filter(([name]) => isSecret(name));
  return ownSecrets({
    headers: lines.map(([name, value]) =>
      // Only the first part of a Set-Cookie is its cookie: the others are words, and a time that Date may have as well.
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

/** The form of a key, and the key itself, which is a secret even if it looks like a placeholder. */
interface KeyFound extends Pick<SentKey, 'form'> {
  credentials?: string | undefined;
}

type KeyPlaces = Pick<Recorded, 'url' | 'requestHeaders'>;

/** The key of a recorded request, in the places where the interface takes it. */
function keyIn(
  recorded: KeyPlaces & Pick<Recorded, 'isHeadComplete'>,
  credentials: readonly Credential[],
): KeyFound {
  const keys = credentials.map((credential) =>
    credential.scheme ? inScheme(recorded, credential.scheme) : plainIn(recorded, credential),
  );
  return (
    keys.find(({ form }) => form !== 'unknown') ??
    keys.find(({ credentials }) => credentials !== undefined) ?? {
      form: recorded.isHeadComplete && !hasSecrets(recorded, credentials) ? 'absent' : 'unknown',
    }
  );
}

/** Whether a request may have a key anywhere. */
function hasSecrets({ url, requestHeaders }: KeyPlaces, credentials: readonly Credential[]): boolean {
  const names = [...requestHeaders.map(([name]) => name), ...new URL(url).searchParams.keys()];
  const keyNames = new Set(credentials.map(({ name }) => name.toLowerCase()));
  return names.some((name) => keyNames.has(name.toLowerCase()) || isSecretName(name));
}

/** A key in the header Authorization. */
function inScheme(
  { requestHeaders }: Pick<KeyPlaces, 'requestHeaders'>,
  wanted: NonNullable<Credential['scheme']>,
): KeyFound {
  const [value, ...further] = headerValues(requestHeaders, BEARER.name);
  if (value === undefined || further.length > 0) return { form: 'unknown' };
  const [, scheme = '', credentials = ''] = /^(\S+)\s+(.+)$/.exec(value) ?? [];
  if (scheme === '') {
    const isEmpty =
      (value.trim() === '' || value.trim().toLowerCase() === wanted.toLowerCase()) &&
      headerValues(requestHeaders, 'Cookie').length === 0;
    return isEmpty
      ? { form: 'empty' }
      : { form: isPlaceholder(value) ? 'unknown' : 'bare', credentials: value };
  }
  if (isPlaceholder(credentials)) return { form: 'unknown', credentials };
  // The scheme is case-insensitive (RFC 9110 section 11.1).
  return { form: scheme.toLowerCase() === wanted.toLowerCase() ? 'own' : 'other-scheme', credentials };
}

/** A key that is the whole value of a header, a cookie or a parameter of the query. */
function plainIn({ url, requestHeaders }: KeyPlaces, credential: Credential): KeyFound {
  const [value, ...further] = valuesAt(credential, url, requestHeaders);
  if (value === undefined || further.length > 0) return { form: 'unknown' };
  if (value === '') return { form: 'empty' };
  return { form: isPlaceholder(value) ? 'unknown' : 'own', credentials: value };
}

/** Characters that no token has (RFC 6750 section 2.1): recorders and templates mark omissions with them. */
const MARKS = /[*[\]<>{}…•█]|\.{3}|^\$|^%.*%$/u;

/** A single repeated character, or `x` in place of a part. */
const REPEATED = /^(.)\1*$|x{4}/iu;

/** Words for an omission. */
const LEFT_OUT =
  /(?:^|[^a-z])(?:redacted|hidden|masked|removed|filtered|censored|sanitized|scrubbed|obfuscated|anonymized|omitted|placeholder)(?![a-z])/i;

/**
 * Names of a key in place of a key: `YOUR_API_KEY`. Older ledgers of petspec proxy have `petspec-another-key` for several keys.
 */
const NAMES =
  /^_*(?:(?:your|my|the|some)[-_ ]?)?(?:(?:api|access|auth|bearer)[-_ ]?)?(?:key|token|secret|jwt)_*$|^petspec-another-key$/i;

/** Whether a text is a placeholder for a key. It may stand for several keys, so it does not tell keys apart. */
function isPlaceholder(text: string): boolean {
  return [MARKS, REPEATED, LEFT_OUT, NAMES].some((pattern) => pattern.test(text));
}
