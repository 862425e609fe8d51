import type { IsPublic } from '../../secrets/hideable.ts';
import { type Redact, redactor } from '../../secrets/redact.ts';

/** Keys that are known at a time, the latest ones. */
const MAX_KEYS = 100;

/** Secrets of one exchange that can be hidden: keys in each of their forms, and others as they are. */
const MAX_OF_ONE = { keys: MAX_KEYS, literals: 1_000 };

/**
 * Whether an exchange has more secrets than can be hidden in little time, so that nothing of it may be shown.
 * @param keys without doubles, as are the literals
 */
export function areTooMany(keys: readonly string[], literals: readonly string[]): boolean {
  return keys.length > MAX_OF_ONE.keys || literals.length > MAX_OF_ONE.literals;
}

/**
 * Redacts the keys of a recording by their values, those of other exchanges as well.
 * @param isPublic what is never redacted
 * @returns the redaction of one exchange by its keys, which are known from then on
 */
export function knownKeys(isPublic: IsPublic): (own: readonly string[]) => Redact {
  const keys = new Set<string>();
  let redact: Redact = (text) => text;
  return (own) => {
    const isKnown = own.every((each) => keys.has(each));
    for (const each of own) {
      // The latest is last.
      keys.delete(each);
      keys.add(each);
    }
    for (const each of keys) if (keys.size > MAX_KEYS) keys.delete(each);
    if (!isKnown) redact = redactor('', [...keys], isPublic);
    return redact;
  };
}
