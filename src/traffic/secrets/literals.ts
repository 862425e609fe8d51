import { literal } from '../../secrets/decode.ts';
import { type IsPublic, isHideable } from '../../secrets/hideable.ts';
import { placeholderFor } from '../../secrets/placeholder.ts';
import type { Redact } from '../../secrets/redact.ts';

/** A value that is shorter, or has no digit, may be a part of a word: it is only found as a whole word. */
const LONG = 12;

/** A shorter value is not looked for: it is too often something else. */
const SHORT = 6;

/** A mail address or a URL is no secret, and what replaces it would violate the format of a field. */
const ADDRESS = /^\S+@\S+\.\w+$|^https?:/i;

/** An escape in JSON or in a URL ends in a letter or a digit, but the text after it begins a new word. */
const BEFORE = '(?<=^|\\W|\\\\[bfnrt]|%[\\da-f]{2})';

/**
 * Replaces secrets of one exchange, such as its cookies, as they are: there may be new ones in each exchange.
 */
export function literalRedaction(secrets: readonly string[], isPublic: IsPublic): Redact {
  const patterns = secrets
    .filter((each) => isHideable(each, isPublic))
    .toSorted((left, right) => right.length - left.length)
    .flatMap((each) => patternOf(each));
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join('|'), 'gi');
  return (text) =>
    text.replace(pattern, (found: string, place: number) => placeholderFor(text, found, place));
}

function patternOf(secret: string): string[] {
  const escaped = literal(secret);
  if (secret.length >= LONG && /\d/.test(secret)) return [escaped];
  // A short number may be an id or a time.
  if (secret.length < SHORT || !/\p{L}/u.test(secret) || ADDRESS.test(secret)) return [];
  return [`${BEFORE}${escaped}(?!\\w)`];
}
