import { remembering } from '../model/remembering.ts';
import { literal } from './decode.ts';
import { asWord, secretDetector } from './detect.ts';
import { type IsPublic, isHideable, isShort } from './hideable.ts';
import { nearKeys } from './keys/authorization.ts';
import { placeholderFor } from './placeholder.ts';

/** Shorter near keys are not redacted. */
const MIN_NEAR = 4;

/** A text of more parts is hidden as a whole. */
const MAX_PARTS = 1_000_000;

/** Where a text has a secret. */
export interface SecretSpan {
  start: number;
  end: number;
  /** What is shown instead, if its place says so. */
  placeholder?: string;
}

/** Finds the key, near keys, and the user's other secrets in a text of a target. The spans are in order and do not overlap. */
export type FindSecrets = (text: string) => readonly SecretSpan[];

/** Replaces the secrets in a text. */
export type Redact = (text: string) => string;

/**
 * Where the parts of a text end, from large parts to small ones: strings of JSON, lists of numbers, words, parts of an address or a
 * header, and a name and its value. Backslashes before a sign belong to the sign.
 */
const ENDS_OF_PARTS: readonly RegExp[] = [
  /((?<!\\)(?:\\\\)*")/,
  /(?<![\d\s,])([\d\s,]*,[\d\s]*,[\d\s]*,[\d\s,]*)/,
  /(\s+)/,
  /((?<!\\)\\*["'<>`])/,
  /((?<!\\)\\*[&;,?#(){}|[\]])/,
  /((?<!\\)\\*[=:])/,
  /((?<!\\)\\*[/@])/,
];

/**
 * Finds the key of a run and other secrets: as they are, or else the smallest part of a text that contains one in any encoding.
 * @param isPublic texts that are never hidden: without them a response could not be judged
 */
export function secretFinder(
  key: string,
  otherSecrets: readonly string[] = [],
  isPublic: IsPublic = () => false,
): FindSecrets {
  const secrets = withNearKeys(key, otherSecrets).filter((secret) => isHideable(secret, isPublic));
  if (secrets.length === 0) return () => [];
  const isIn = secretDetector(secrets);
  const plain = plainPattern(secrets);
  return remembering((text) => {
    if (!isIn(text)) return [];
    const spans = [...text.matchAll(plain)]
      .map(({ 0: secret, index }) => ({ start: index, end: index + secret.length }))
      // An escape after it may belong to a longer secret.
      .filter(({ end }) => !/[\\%&=]/.test(text.charAt(end)));
    if (spans.length === 0) return smallestParts(text, isIn);
    return besides(text, spans, (rest) => (isIn(rest) ? smallestParts(rest, isIn) : []));
  }, 200_000);
}

/** Replaces the secrets that {@link secretFinder} finds. Redacted JSON remains JSON. */
export function redactor(...secrets: Parameters<typeof secretFinder>): Redact {
  const find = secretFinder(...secrets);
  return (text) => redacted(text, find(text));
}

/** A text with a placeholder for each secret. */
export function redacted(text: string, spans: readonly SecretSpan[]): string {
  let shown = '';
  let done = 0;
  for (const { start, end, placeholder = placeholderFor(text, text.slice(start, end), start) } of spans) {
    shown += text.slice(done, start) + placeholder;
    done = end;
  }
  return done === 0 ? text : shown + text.slice(done);
}

/** The spans, and those that `find` finds between them. */
export function besides(text: string, spans: readonly SecretSpan[], find: FindSecrets): SecretSpan[] {
  let done = 0;
  return [...spans, undefined].flatMap((span) => {
    const from = done;
    done = span?.end ?? text.length;
    const between = find(text.slice(from, span?.start)).map((inner) => moved(inner, from));
    return span ? [...between, span] : between;
  });
}

function moved(span: SecretSpan, by: number): SecretSpan {
  return { ...span, start: span.start + by, end: span.end + by };
}

/** A key, other secrets, and the near keys of the key. */
export function withNearKeys(key: string, otherSecrets: readonly string[] = []): string[] {
  const near = nearKeys(key).filter(
    (nearKey) => nearKey.length >= MIN_NEAR && (isShort(key) || !nearKey.includes(key)),
  );
  return [...new Set([key, ...otherSecrets, ...near])];
}

/** A pattern for secrets as they are, the longest first, because a near key may be a part of the key. */
function plainPattern(secrets: readonly string[]): RegExp {
  const longestFirst = secrets.toSorted((left, right) => right.length - left.length);
  const patterns = longestFirst.map((secret) => (isShort(secret) ? asWord(secret) : literal(secret)));
  return new RegExp(patterns.join('|').replaceAll(' ', '[ +]'), 'gi');
}

/** The smallest parts of a text that contain a secret; the whole text if a secret spans several parts. */
function smallestParts(text: string, isIn: (text: string) => boolean, level = 0): SecretSpan[] {
  const ends = ENDS_OF_PARTS[level];
  const whole = [{ start: 0, end: text.length }];
  if (ends === undefined) return whole;
  const parts = text.split(ends, MAX_PARTS);
  if (parts.length === MAX_PARTS) return whole;
  if (parts.length === 1) return smallestParts(text, isIn, level + 1);
  let start = 0;
  const spans = parts.flatMap((part) => {
    const from = start;
    start += part.length;
    return isIn(part) ? smallestParts(part, isIn, level + 1).map((span) => moved(span, from)) : [];
  });
  // The rest must contain none, such as bytes with spaces between them.
  return spans.length === 0 || isIn(redacted(text, spans.map(blank))) ? whole : spans;
}

const blank = (span: SecretSpan): SecretSpan => ({ ...span, placeholder: '|' });
