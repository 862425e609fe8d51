import type { Credential } from '../../model/contract.ts';
import { headerValues } from '../../model/exchange.ts';
import { BEARER, valuesAt } from '../../model/http/credential.ts';
import { isSecretName } from '../../secrets/secret-name.ts';
import type { Recorded, SentKey } from '../recorded.ts';

/** The form of a key, and the key itself: a secret, also if it looks like a placeholder. */
export interface KeyFound extends Pick<SentKey, 'form'> {
  credentials?: string | undefined;
}

type KeyPlaces = Pick<Recorded, 'url' | 'requestHeaders'>;

/** The key of a recorded request, where the interface takes it. */
export function keyIn(
  recorded: KeyPlaces & Pick<Recorded, 'isHeadComplete'>,
  credentials: readonly Credential[],
): KeyFound {
  const found = credentials.map((each) =>
    each.scheme ? inScheme(recorded, each.scheme) : plainIn(recorded, each),
  );
  return (
    found.find(({ form }) => form !== 'unknown') ??
    found.find(({ credentials }) => credentials !== undefined) ?? {
      form: recorded.isHeadComplete && !hasSecrets(recorded, credentials) ? 'absent' : 'unknown',
    }
  );
}

/** Whether something in a request may be a key, wherever it is. */
function hasSecrets({ url, requestHeaders }: KeyPlaces, credentials: readonly Credential[]): boolean {
  const names = [...requestHeaders.map(([name]) => name), ...new URL(url).searchParams.keys()];
  const own = new Set(credentials.map(({ name }) => name.toLowerCase()));
  return names.some((name) => own.has(name.toLowerCase()) || isSecretName(name));
}

/** A key in the header Authorization. */
function inScheme(
  { requestHeaders }: Pick<KeyPlaces, 'requestHeaders'>,
  wanted: NonNullable<Credential['scheme']>,
): KeyFound {
  const [value, ...others] = headerValues(requestHeaders, BEARER.name);
  if (value === undefined || others.length > 0) return { form: 'unknown' };
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
  const [value, ...others] = valuesAt(credential, url, requestHeaders);
  if (value === undefined || others.length > 0) return { form: 'unknown' };
  if (value === '') return { form: 'empty' };
  return { form: isPlaceholder(value) ? 'unknown' : 'own', credentials: value };
}

/** Characters that no token has (RFC 6750 section 2.1), and with which recorders and templates mark what is left out. */
const MARKS = /[*[\]<>{}…•█]|\.{3}|^\$|^%.*%$/u;

/** One character over and over, and `x` in place of a part. */
const REPEATED = /^(.)\1*$|x{4}/iu;

/** Words that say that something was left out. */
const LEFT_OUT =
  /(?:^|[^a-z])(?:redacted|hidden|masked|removed|filtered|censored|sanitized|scrubbed|obfuscated|anonymized|omitted|placeholder)(?![a-z])/i;

/** What a key is, in place of a key: `YOUR_API_KEY`. Older ledgers of petspec proxy have `petspec-another-key` for several. */
const NAMES =
  /^_*(?:(?:your|my|the|some)[-_ ]?)?(?:(?:api|access|auth|bearer)[-_ ]?)?(?:key|token|secret|jwt)_*$|^petspec-another-key$/i;

/** Whether a text stands in a recording in place of a key: it may stand for several, so it does not tell keys apart. */
function isPlaceholder(text: string): boolean {
  return [MARKS, REPEATED, LEFT_OUT, NAMES].some((each) => each.test(text));
}
