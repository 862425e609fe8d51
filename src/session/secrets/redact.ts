import { nearKeys } from './authorization.ts';
import { inBase64, inBytes, UNCERTAIN } from './encodings.ts';
import { anySpelling, hasEscapes, literal } from './escaped-forms.ts';
import { cover } from './placeholder.ts';

/** Characters from which on a secret is found inside a word as well: any, and letters together with digits. */
const LONG = 8;
const LONG_MIXED = 5;

/** What nearly is a key is looked for from this length on. */
const MIN_NEAR = 4;

/** Replaces the key, what nearly is the key, and other secrets of the user's in what a target sent. */
export type Redact = (text: string) => string;

/**
 * Builds the redaction of one run: of the key and of other secrets, in every spelling of `spellings.ts` and in every
 * encoding of `encodings.ts`. What takes their place leaves JSON what it was.
 * @param words that everybody knows, in lower case: without them a response could not be judged
 */
export function redactor(
  key: string,
  others: readonly string[] = [],
  words: ReadonlySet<string> = new Set(),
): Redact {
  const secrets = lookedFor(key, others)
    .filter((each) => !JSON_WORD.test(each) && !words.has(each.toLowerCase()))
    .sort((left, right) => right.length - left.length);
  if (secrets.length === 0) return (text) => text;
  const [spelled, encoded] = [asText(secrets), asBase64(secrets)];
  return (text) => encoded(spelled(text));
}

function lookedFor(key: string, others: readonly string[]): string[] {
  const near = nearKeys(key).filter(
    (each) => each.length >= MIN_NEAR && (isShort(key) || !each.includes(key)),
  );
  return [...new Set([key, ...others, ...near])].filter((each) => each !== '');
}

/** No secret, but what a script makes of a variable that is not set; without them JSON is no JSON. */
const JSON_WORD = /^(?:true|false|null)$/i;

/** Found in all that is written in characters or in bytes, whatever its case. */
function asText(secrets: readonly string[]): Redact {
  const bytes = secrets.flatMap(inBytes);
  const patternBy = (write: (text: string) => string) =>
    new RegExp([...secrets.map((each) => bounded(each, write(each))), ...bytes].join('|'), 'gi');
  const plain = patternBy(literal);
  /** Few texts have escapes, and the pattern for them is large. */
  let escaped: RegExp | undefined;
  return (text) => {
    if (!hasEscapes(text)) return covered(text, plain);
    escaped ??= patternBy(anySpelling);
    return covered(text, escaped);
  };
}

function covered(text: string, pattern: RegExp): string {
  return text.replace(pattern, (found: string, place: number) => cover(text, found, place));
}

/** What a letter or a digit before a text may be part of, so that the text begins behind it all the same. */
const ESCAPE = '\\\\(?:[bfnrt]|u[\\da-f]{4}|x[\\da-f]{2})|[%=](?:25){0,9}[\\da-f]{2}';

/** A pattern for a secret that matches it as a whole word, or as a whole number, where it is too short to be sure. */
function bounded(secret: string, pattern: string): string {
  if (!isShort(secret)) return pattern;
  const part = isNumber(secret) ? 'd' : 'w';
  // What comes before is looked at last: most places of a text are passed over without.
  const before = `(?<=(?:^|\\${part.toUpperCase()}|${ESCAPE})(?:${pattern}))`;
  const after = `(?!\\${part})`;
  return `(?:${pattern})${/\w$/.test(secret) ? after : ''}${/^\w/.test(secret) ? before : ''}`;
}

/** A number of fewer digits is a word like any other. */
const isNumber = (secret: string) => /^\d{5,}$/.test(secret);

/** Whether a secret may be part of a word or of a number by chance. */
export function isShort(secret: string): boolean {
  const isMixed = /\d/.test(secret) && /[a-z]/i.test(secret);
  return /^\d+$/.test(secret) || secret.length < (isMixed ? LONG_MIXED : LONG);
}

/** Found in base64, with the characters at either end that it may have a part in. */
function asBase64(secrets: readonly string[]): Redact {
  const patterns = inBase64(secrets);
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join('|'), 'g');
  return (text) => {
    if (text.search(pattern) < 0) return text;
    let shown = '';
    let done = 0;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const end = index + found.length;
      const [before = ''] = /[\w+/-]*$/.exec(text.slice(Math.max(done, index - UNCERTAIN), index)) ?? [];
      const [after = ''] = /^[\w+/-]*/.exec(text.slice(end, end + UNCERTAIN)) ?? [];
      const start = Math.max(done, index - before.length);
      shown += text.slice(done, start) + cover(text, text.slice(start, end + after.length), start);
      done = end + after.length;
    }
    return shown + text.slice(done);
  };
}
