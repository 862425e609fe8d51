import { literal } from '../../secrets/decode.ts';
import { type IsPublic, isHideable } from '../../secrets/hideable.ts';
import { placeholderFor } from '../../secrets/placeholder.ts';
import { type Redact, redactor } from '../../secrets/redact.ts';

/** The latest keys, which are remembered. */
const MAX_KEYS = 100;

/** Limits for one exchange: keys are hidden in all their forms, other secrets as they are. */
const MAX_OF_ONE = { keys: MAX_KEYS, literals: 1_000 };

/**
 * Whether an exchange has more secrets than can be hidden in little time, so that nothing of it may be shown.
 * @param keys without duplicates, like the literals
 */
export function areTooMany(keys: readonly string[], literals: readonly string[]): boolean {
  return keys.length > MAX_OF_ONE.keys || literals.length > MAX_OF_ONE.literals;
}

/**
 * Redacts the keys of a recording by their values, also in other exchanges.
 * @param isPublic values that are never redacted
 * @returns a function that remembers the keys of an exchange and returns its redaction
 */
export function knownKeys(isPublic: IsPublic): (exchangeKeys: readonly string[]) => Redact {
  const keys = new Set<string>();
  let redact: Redact = (text) => text;
  return (exchangeKeys) => {
    const isKnown = exchangeKeys.every((key) => keys.has(key));
    for (const key of exchangeKeys) {
      // The latest is last.
      keys.delete(key);
      keys.add(key);
    }
    for (const key of keys) if (keys.size > MAX_KEYS) keys.delete(key);
    if (!isKnown) redact = redactor('', [...keys], isPublic);
    return redact;
  };
}

/** A value that is shorter or has no digit may be part of a word: only a whole word matches. */
const LONG = 12;

/** Shorter values are not searched for: they are too often something else. */
const SHORT = 6;

/** Mail addresses and URLs are no secrets, and a placeholder would violate the format of a field. */
const ADDRESS = /^\S+@\S+\.\w+$|^https?:/i;

/** Escapes in JSON and URLs end in a letter or a digit, but the text after them begins a new word. */
const BEFORE = '(?<=^|\\W|\\\\[bfnrt]|%[\\da-f]{2})';

/** Replaces secrets of one exchange as they are, such as cookies, which may be new in each exchange. */
export function literalRedaction(secrets: readonly string[], isPublic: IsPublic): Redact {
  const patterns = secrets
    .filter((secret) => isHideable(secret, isPublic))
    .toSorted((left, right) => right.length - left.length)
    .flatMap((secret) => patternOf(secret));
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join('|'), 'gi');
  return (text) =>
    text.replace(pattern, (match: string, place: number) => placeholderFor(text, match, place));
}

function patternOf(secret: string): string[] {
  const escaped = literal(secret);
  if (secret.length >= LONG && /\d/.test(secret)) return [escaped];
  // A short number may be an id or a time.
  if (secret.length < SHORT || !/\p{L}/u.test(secret) || ADDRESS.test(secret)) return [];
  return [`${BEFORE}${escaped}(?!\\w)`];
}
