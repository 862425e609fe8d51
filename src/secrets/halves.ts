import type { HeaderLine } from '../model/exchange.ts';
import { isShort } from './hideable.ts';
import type { SecretSpan } from './redact.ts';

/** Where values of headers have halves of secrets, by the places of the values: `header:0`. */
export type HalvesIn = (lines: readonly HeaderLine[]) => ReadonlyMap<string, SecretSpan[]>;

const NONE: ReadonlyMap<string, SecretSpan[]> = new Map();

/** Finds secrets whose first half ends a header and whose second half begins another. */
export function halvesFinder(secrets: readonly string[]): HalvesIn {
  const all = secrets
    .filter((each) => !isShort(each))
    .map((each) => each.toLowerCase())
    .flatMap((secret) => Array.from(secret.slice(1), (_, index) => cut(secret, index + 1)));
  return (lines) => {
    const values = lines.map(([, value]) => value.toLowerCase());
    // Compares the last characters first: there are many halves, and nearly no header ends with one.
    const ends = new Set(values.map((value) => value.charAt(value.length - 1)));
    const cuts = all
      .filter(
        ([first]) =>
          ends.has(first.charAt(first.length - 1)) && values.some((value) => value.endsWith(first)),
      )
      .filter(([, second]) => values.some((value) => value.startsWith(second)));
    return cuts.length === 0
      ? NONE
      : new Map(values.map((value, index) => [`header:${index}`, spansIn(value, cuts)]));
  };
}

type Halves = readonly [first: string, second: string];

function cut(secret: string, length: number): Halves {
  return [secret.slice(0, length), secret.slice(length)];
}

function spansIn(value: string, cuts: readonly Halves[]): SecretSpan[] {
  const start = Math.max(0, ...cuts.map(([, second]) => (value.startsWith(second) ? second.length : 0)));
  const end = Math.min(
    value.length,
    ...cuts.map(([first]) => (value.endsWith(first) ? value.length - first.length : value.length)),
  );
  if (end <= start && (start > 0 || end < value.length)) return [{ start: 0, end: value.length }];
  return [
    { start: 0, end: start },
    { start: end, end: value.length },
  ].filter((span) => span.start < span.end);
}
