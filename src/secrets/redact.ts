import { remembering } from '../model/remembering.ts';
import { nearKeys } from './authorization.ts';
import { type IsPublic, isHideable, isShort } from './hideable.ts';
import { inBase64, inBytes, UNCERTAIN } from './patterns/encodings.ts';
import { BACKSLASH, escapedPattern, escapesIn, plainPattern } from './patterns/escapes.ts';
import { endOfLong, type Sought, soughtFor } from './patterns/long-secret.ts';
import { mayContain, mayContainBase64 } from './patterns/may-contain.ts';
import { placeholderFor } from './placeholder.ts';

/** Shorter near keys are not redacted. */
const MIN_NEAR = 4;

/** Where a text has a secret. */
export interface Span {
  start: number;
  end: number;
  /** What is shown instead, if its place says so. */
  placeholder?: string;
}

/** Finds the key, near keys, and the user's other secrets in what a target sent: in order, and apart. */
export type FindSecrets = (text: string) => readonly Span[];

/** Replaces them. */
export type Redact = (text: string) => string;

/**
 * Finds the key of a run and other secrets, in every escape of `escapes.ts` and every encoding of `encodings.ts`.
 * @param isPublic what is never taken for a secret: without it a response could not be judged
 */
export function secretFinder(
  key: string,
  others: readonly string[] = [],
  isPublic: IsPublic = () => false,
): FindSecrets {
  const secrets = withNearKeys(key, others).filter((each) => isHideable(each, isPublic));
  if (secrets.length === 0) return () => [];
  const [findText, findBase64] = [asText(secrets), asBase64(soughtFor(secrets))];
  return remembering((text) => besides(text, findText(text), findBase64), 200_000);
}

/** Replaces the secrets that {@link secretFinder} finds. Redacted JSON remains JSON. */
export function redactor(...secrets: Parameters<typeof secretFinder>): Redact {
  const find = secretFinder(...secrets);
  return (text) => redacted(text, find(text));
}

/** A text with a placeholder for each secret. */
export function redacted(text: string, spans: readonly Span[]): string {
  let shown = '';
  let done = 0;
  for (const { start, end, placeholder = placeholderFor(text, text.slice(start, end), start) } of spans) {
    shown += text.slice(done, start) + placeholder;
    done = end;
  }
  return done === 0 ? text : shown + text.slice(done);
}

/** The spans, and what is found between them. */
export function besides(text: string, spans: readonly Span[], find: FindSecrets): Span[] {
  let done = 0;
  return [...spans, undefined].flatMap((span) => {
    const from = done;
    done = span?.end ?? text.length;
    const found = find(text.slice(from, span?.start)).map((each) => ({
      ...each,
      start: from + each.start,
      end: from + each.end,
    }));
    return span ? [...found, span] : found;
  });
}

/** A key, other secrets, and what is nearly the key. */
export function withNearKeys(key: string, others: readonly string[] = []): string[] {
  const near = nearKeys(key).filter(
    (each) => each.length >= MIN_NEAR && (isShort(key) || !each.includes(key)),
  );
  return [...new Set([key, ...others, ...near])];
}

/** Finds secrets that are written in characters or in bytes, in either case. */
function asText(secrets: readonly string[]): FindSecrets {
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
    if (!mayBeIn(text)) return [];
    if (mayBeEscaped(text)) {
      escaped ??= patternBy(escapedPattern);
      return findAll(text, escaped, endOf);
    }
    plain ??= patternBy(plainPattern);
    return findAll(text, plain, endOf);
  };
}

function findAll(text: string, pattern: RegExp, endOf: ReturnType<typeof endOfLong>): Span[] {
  const spans: Span[] = [];
  pattern.lastIndex = 0;
  for (let found = pattern.exec(text); found; found = pattern.exec(text)) {
    const end = endOf(text, found.index, pattern.lastIndex);
    spans.push({ start: found.index, end });
    pattern.lastIndex = end;
  }
  return spans;
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

/** Finds secrets in base64, with the characters at either end that they may have a part in. */
function asBase64(sought: readonly Sought[]): FindSecrets {
  const mayBeIn = mayContainBase64(sought.map(({ text }) => text));
  let pattern: RegExp | undefined;
  return (text) => {
    if (!mayBeIn(text)) return [];
    pattern ??= new RegExp(inBase64(sought).join('|'), 'g');
    if (text.search(pattern) < 0) return [];
    let done = 0;
    return [...text.matchAll(pattern)].map(({ 0: found, index }) => {
      const end = index + found.length;
      const [before = ''] = /[\w+/-]*$/.exec(text.slice(Math.max(done, index - UNCERTAIN), index)) ?? [];
      const [after = ''] = /^[\w+/-]*/.exec(text.slice(end, end + UNCERTAIN)) ?? [];
      const start = Math.max(done, index - before.length);
      done = end + after.length;
      return { start, end: done };
    });
  };
}
