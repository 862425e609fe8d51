import type { IsPublic } from '../../secrets/hideable.ts';
import { type Redact, redactor } from '../../secrets/redact.ts';

/** Keys that are known at a time, the latest ones. */
const MAX_KEYS = 100;

/** So many keys are looked for together in each of their forms. With more of them that takes too long. */
const MAX_TOGETHER = 10;

/** Redactions that are kept: making one takes as long as judging an exchange. */
const MAX_REDACTIONS = 200;

/** Secrets of one exchange that can be hidden: keys in each of their forms, and others as they are. */
const MAX_OF_ONE = { keys: 100, literals: 1_000 };

/**
 * Whether an exchange has more secrets than can be hidden in little time, so that nothing of it may be shown.
 * @param keys without doubles, as are the literals
 */
export function areTooMany(keys: readonly string[], literals: readonly string[]): boolean {
  return keys.length > MAX_OF_ONE.keys || literals.length > MAX_OF_ONE.literals;
}

/** Redacts the keys of a recording by their values, those of other exchanges as well. */
export interface KnownKeys {
  /**
   * The redaction of one exchange. All known keys are found in each form that a target may give them. If there are very many,
   * those of other exchanges are found in the form in which they were sent.
   * @param own the keys of the exchange, which are known from then on
   * @param texts all that the exchange holds
   */
  redactionFor(own: readonly string[], texts: () => string): Redact;
}

/** @param isPublic what is never redacted */
export function knownKeys(isPublic: IsPublic): KnownKeys {
  const keys = new Set<string>();
  const redactions = new Map<string, Redact>();

  function redactionOf(some: readonly string[]): Redact {
    const name = JSON.stringify(some);
    const known = redactions.get(name) ?? redactor('', some, isPublic);
    redactions.delete(name);
    redactions.set(name, known);
    const [oldest] = redactions.size > MAX_REDACTIONS ? redactions.keys() : [];
    if (oldest !== undefined) redactions.delete(oldest);
    return known;
  }

  return {
    redactionFor(own, texts) {
      if (keys.size <= MAX_TOGETHER) {
        for (const each of own) keys.add(each);
        if (keys.size <= MAX_TOGETHER) return redactionOf([...keys]);
      }
      for (const each of own) {
        // The latest is last.
        keys.delete(each);
        keys.add(each);
      }
      const [oldest] = keys.size > MAX_KEYS ? keys : [];
      if (oldest !== undefined) keys.delete(oldest);
      const all = texts();
      const others = [...keys].filter((each) => !own.includes(each) && all.includes(each));
      return redactionOf([...own, ...others]);
    },
  };
}
