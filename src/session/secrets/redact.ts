import { remembering } from '../../model/remembering.ts';
import { nearKeys } from './authorization.ts';
import { inBase64, inBytes, UNCERTAIN } from './encodings.ts';
import { BACKSLASH, escapedPattern, escapesIn, plainPattern } from './escapes.ts';
import { endOfLong, type Sought, soughtFor } from './long-secret.ts';
import { mayContain, mayContainBase64 } from './may-contain.ts';
import { placeholderFor } from './placeholder.ts';

/** From this length on a secret is also found inside a word; a shorter one suffices if it mixes letters and digits. */
const LONG = 8;
const LONG_MIXED = 5;

/** Shorter near keys are not redacted. */
const MIN_NEAR = 4;

/** Replaces the key, near keys, and the user's other secrets in what a target sent. */
export type Redact = (text: string) => string;

/**
 * Builds the redaction of a run: of the key and other secrets, in every escape of `escapes.ts` and every encoding of
 * `encodings.ts`. Redacted JSON remains JSON.
 * @param words public words in lower case, which are never redacted: without them a response could not be judged
 */
export function redactor(
  key: string,
  others: readonly string[] = [],
  words: ReadonlySet<string> = new Set(),
): Redact {
  const secrets = withNearKeys(key, others).filter(
    (each) => !JSON_WORD.test(each) && !words.has(each.toLowerCase()),
  );
  if (secrets.length === 0) return (text) => text;
  const [redactText, redactBase64] = [asText(secrets), asBase64(soughtFor(secrets))];
  return remembering((text) => redactBase64(redactText(text)), 200_000);
}

function withNearKeys(key: string, others: readonly string[]): string[] {
  const near = nearKeys(key).filter(
    (each) => each.length >= MIN_NEAR && (isShort(key) || !each.includes(key)),
  );
  return [...new Set([key, ...others, ...near])].filter((each) => each !== '');
}

/** Not secrets, but what scripts make of unset variables. Without these words JSON would not be JSON. */
const JSON_WORD = /^(?:true|false|null)$/i;

/** Finds secrets that are written in characters or in bytes, in either case. */
function asText(secrets: readonly string[]): Redact {
  const sought = soughtFor(secrets);
  const mayBeIn = mayContain(sought.map(({ text }) => text));
  const mayBeEscaped = escapesIn(secrets);
  const endOf = endOfLong(secrets);
  const patternBy = (write: (text: string) => string) =>
    new RegExp(
      [...sought.map((each) => bounded(each, write(each.text))), ...sought.flatMap(inBytes)].join('|'),
      'gi',
    );
  /** Built when needed: they are large. */
  let plain: RegExp | undefined;
  let escaped: RegExp | undefined;
  return (text) => {
    if (!mayBeIn(text)) return text;
    if (mayBeEscaped(text)) {
      escaped ??= patternBy(escapedPattern);
      return replaceAll(text, escaped, endOf);
    }
    plain ??= patternBy(plainPattern);
    return replaceAll(text, plain, endOf);
  };
}

function replaceAll(text: string, pattern: RegExp, endOf: ReturnType<typeof endOfLong>): string {
  let shown = '';
  let done = 0;
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const end = endOf(text, found.index, pattern.lastIndex);
    shown += text.slice(done, found.index) + placeholderFor(text, text.slice(found.index, end), found.index);
    done = end;
    pattern.lastIndex = end;
  }
  return shown + text.slice(done);
}

/** An escape ends in a letter or a digit, but the text after it begins a new word. */
const ESCAPE = `${BACKSLASH}(?:[bfnrt]|u[\\da-f]{4}|x[\\da-f]{2})|[%=](?:25){0,9}[\\da-f]{2}`;

/** A pattern that matches a short secret only as a whole word or number. */
function bounded({ text: secret, isPart }: Sought, pattern: string): string {
  if (isPart || !isShort(secret)) return pattern;
  const part = isNumber(secret) ? 'd' : 'w';
  // Checks what comes before last: most places of a text fail earlier.
  const before = `(?<=(?:^|\\${part.toUpperCase()}|${ESCAPE})(?:${pattern}))`;
  const after = `(?!\\${part})`;
  return `(?:${pattern})${/\w$/.test(secret) ? after : ''}${/^\w/.test(secret) ? before : ''}`;
}

/** A number with fewer digits is treated like a word. */
const isNumber = (secret: string) => /^\d{5,}$/.test(secret);

/** Whether a secret may occur in a word or a number by chance. */
export function isShort(secret: string): boolean {
  const isMixed = /\d/.test(secret) && /[a-z]/i.test(secret);
  return /^\d+$/.test(secret) || secret.length < (isMixed ? LONG_MIXED : LONG);
}

/** Finds secrets in base64, and replaces them with the characters at either end that they may have a part in. */
function asBase64(sought: readonly Sought[]): Redact {
  const mayBeIn = mayContainBase64(sought.map(({ text }) => text));
  let pattern: RegExp | undefined;
  return (text) => {
    if (!mayBeIn(text)) return text;
    pattern ??= new RegExp(inBase64(sought).join('|'), 'g');
    if (text.search(pattern) < 0) return text;
    let shown = '';
    let done = 0;
    for (const { 0: found, index } of text.matchAll(pattern)) {
      const end = index + found.length;
      const [before = ''] = /[\w+/-]*$/.exec(text.slice(Math.max(done, index - UNCERTAIN), index)) ?? [];
      const [after = ''] = /^[\w+/-]*/.exec(text.slice(end, end + UNCERTAIN)) ?? [];
      const start = Math.max(done, index - before.length);
      shown += text.slice(done, start) + placeholderFor(text, text.slice(start, end + after.length), start);
      done = end + after.length;
    }
    return shown + text.slice(done);
  };
}
