import { percentDecoded } from '../model/http/percent-encoding.ts';
import { UsageError } from '../model/usage-error.ts';
import { type IsPublic, isHideable } from './hideable.ts';
import { IN_QUERY } from './placeholder.ts';
import { type FindSecrets, type Redact, redacted, type SecretSpan } from './redact.ts';
import { isSecretParameter } from './secret-name.ts';

/** The delimiter before a parameter: plain, escaped as in JSON or HTML, or percent-encoded in the value of another parameter. */
const BEFORE = '(?:[?&#]|\\\\u00(?:26|3f|23)|&amp;|%(?:25){0,9}(?:3f|26|23)|;(?=[jp]|s(?:id|ess)))';
const NAME = '[\\w.~$-]{1,64}(?:\\[\\w{0,64}\\]|%5b\\w{0,64}%5d)?';
const PARAMETER = new RegExp(`${BEFORE}(${NAME})(?:=|\\\\u003d|(%(?:25){0,9}3d))`, 'gi');
const PLAIN_VALUE = /(?:\\\/|[^&#?\s"'<>\\])+/y;
const ENCODED_VALUE = /(?:(?!%(?:25){0,9}(?:2[0236]|3[ce]))[\w.~+/=%$-])+/iy;

/** Punctuation of a sentence, a list or a header after an address. */
const AFTER = /[),.;\]}]+$/;

/** A secret that is already hidden. */
const PLACEHOLDER = /^(?:\[(?:key|hidden|redacted)|%5Bhidden%5D|\$)/i;

/** Finds the values of secret parameters (by their names) in the query and the fragment of every address in a text. */
export function addressSecretFinder(isPublic: IsPublic): FindSecrets {
  return (text) => {
    const spans: SecretSpan[] = [];
    PARAMETER.lastIndex = 0;
    for (let match = PARAMETER.exec(text); match; match = PARAMETER.exec(text)) {
      const [, name = '', encoded] = match;
      // The value may be an address with parameters of its own.
      if (!isSecretParameter(percentDecoded(name))) continue;
      const start = PARAMETER.lastIndex;
      const value = valueAt(text, start, encoded === undefined ? PLAIN_VALUE : ENCODED_VALUE);
      if (PLACEHOLDER.test(value) || !isHideable(value, isPublic)) continue;
      PARAMETER.lastIndex = start + value.length;
      spans.push({ start, end: start + value.length, placeholder: IN_QUERY });
    }
    return spans;
  };
}

function valueAt(text: string, place: number, pattern: RegExp): string {
  pattern.lastIndex = place;
  return (pattern.exec(text)?.[0] ?? '').replace(AFTER, '');
}

/** Hides the values that {@link addressSecretFinder} finds. */
export function addressRedactor(isPublic: IsPublic): Redact {
  const find = addressSecretFinder(isPublic);
  return (text) => redacted(text, find(text));
}

/** A key that is a word, or this short, may be in an address by chance. */
const WORDS = /^[a-z._-]*$/i;
const SHORT = 7;

/**
 * Refuses an address with the key in its path, in any case and also percent-encoded: reports show the addresses of a run. Hosts
 * are public anyway.
 * @param addresses by the name that the message gives them
 * @throws UsageError that does not quote the address
 */
export function refuseKeyInAddress(
  key: string | undefined,
  addresses: Readonly<Record<string, string | undefined>>,
): void {
  if (key === undefined || key.length <= SHORT || WORDS.test(key)) return;
  const isIn = (text: string) => text.toLowerCase().includes(key.toLowerCase());
  for (const [name, address] of Object.entries(addresses)) {
    const path = address === undefined ? '' : new URL(address).pathname;
    if (isIn(path) || isIn(percentDecoded(path)))
      throw new UsageError(
        `${name}: the address contains the API key, which every report would show; use one without it`,
      );
  }
}
