import { otherCase } from './authorization.ts';
import { anySpelling, encodings } from './spellings.ts';

/** Keys shorter than this are replaced only as whole words: a key `a` is no reason to blank every `a`. */
const SHORT_KEY = 8;

const ECHOED = '[key]';

/** Replaces the key, and what nearly is the key, in what a target sent. */
export type Redact = (text: string) => string;

/**
 * Builds the redaction of one run, of the key and of other secrets of the user's, in every spelling of `spellings.ts`.
 * The placeholder is harmless inside a JSON string, so that a redacted body is judged as the original would be; a number
 * of a JSON text is left alone.
 */
export function redactor(key: string, others: readonly string[] = []): Redact {
  const secrets = [key, ...others].filter((each) => each !== '');
  if (secrets.length === 0) return (text) => text;
  const near = [key.slice(0, -1), otherCase(key)].filter((each) => each.length >= SHORT_KEY);
  const all = [...new Set([...secrets, ...near])].sort((left, right) => right.length - left.length);
  const encoded = all.flatMap(encodings).filter(({ length }) => length >= SHORT_KEY);
  const alternatives = [...all.map(anySpelling), ...encoded.map(({ pattern }) => pattern)];
  const pattern = new RegExp([...new Set(alternatives)].join('|'), 'gi');
  return (text) =>
    text.replace(pattern, (found: string, place: number) => {
      const [before, after] = [
        text.slice(Math.max(0, place - 40), place),
        text.slice(place + found.length, place + found.length + 40),
      ];
      const isPart = /^\d+$/.test(found)
        ? /\d$/.test(before) || /^\d/.test(after)
        : found.length < SHORT_KEY && (/\w$/.test(before) || /^\w/.test(after));
      return isPart || isJsonNumber(found, before, after) ? found : ECHOED;
    });
}

/** Digits that stand where a JSON text has a number: without them it would be no JSON any more. */
function isJsonNumber(found: string, before: string, after: string): boolean {
  return /^\d+$/.test(found) && /(?:"\s*:|[[,])\s*-?$/.test(before) && /^\s*(?:[,\]}]|$)/.test(after);
}
