import { wordsOf } from '../../contract/words.ts';
import type { Contract } from '../../model/contract.ts';
import { placeholderFor } from '../../session/secrets/placeholder.ts';
import type { Redact } from '../../session/secrets/redact.ts';

/** A value that is shorter, or has no digit, may be a part of a word: it is only found as a whole word. */
const LONG = 12;

/** A shorter value is not looked for: it is too often something else. */
const SHORT = 6;

/** Words of HTTP in headers, which a cookie may happen to hold. */
const HTTP_WORD =
  /^(?:application|bearer|charset|chunked|digest|identity|keep-alive|max-age|must-revalidate|no-cache|no-store|nosniff|origin|private|public)$/i;

/** A mail address or a URL is no secret, and what replaces it would violate the format of a field. */
const ADDRESS = /^\S+@\S+\.\w+$|^https?:/i;

/** An escape in JSON or in a URL ends in a letter or a digit, but the text after it begins a new word. */
const BEFORE = '(?<=^|\\W|\\\\[bfnrt]|%[\\da-f]{2})';

/** Words that are public in any exchange, in lower case: those of the interface and of its paths. */
export function publicWords(contract: Contract): ReadonlySet<string> {
  const segments = contract.operations.flatMap(({ path }) => path.toLowerCase().split('/'));
  return new Set([...wordsOf(contract), ...segments]);
}

/**
 * Replaces secrets of one exchange, such as its cookies, as they are: there may be new ones in each exchange.
 * @param words public words in lower case, which are not replaced
 */
export function literalRedaction(secrets: readonly string[], words: ReadonlySet<string>): Redact {
  const patterns = secrets
    .toSorted((left, right) => right.length - left.length)
    .flatMap((each) => patternOf(each, words));
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join('|'), 'gi');
  return (text) =>
    text.replace(pattern, (found: string, place: number) => placeholderFor(text, found, place));
}

function patternOf(secret: string, words: ReadonlySet<string>): string[] {
  const escaped = secret.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  if (secret.length >= LONG && /\d/.test(secret)) return [escaped];
  const isPublic = words.has(secret.toLowerCase()) || HTTP_WORD.test(secret) || ADDRESS.test(secret);
  // A short number may be an id or a time.
  if (secret.length < SHORT || !/\p{L}/u.test(secret) || isPublic) return [];
  return [`${BEFORE}${escaped}(?!\\w)`];
}
