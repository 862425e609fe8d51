import { closest, distance } from 'fastest-levenshtein';

/** Wrong usage. The message is one line: what is wrong, where, what to do. The command line exits with 2. */
export class UsageError extends Error {
  override name = 'UsageError';

  readonly more: readonly string[];

  /** @param more further problems, a line each */
  constructor(message: string, more: readonly string[] = []) {
    super(message);
    this.more = more;
  }
}

/** The end of an error about an unknown name; empty if no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : `; did you mean '${near}'?`;
}

/**
 * The known name that a mistyped name most likely means: at most a third of the characters differ, or it has the same letters in
 * another order, or it begins with the text before a `*`.
 */
function nearest(name: string, known: readonly string[]): string | undefined {
  const simple = name.toLowerCase();
  const exact = known.find((candidate) => candidate.toLowerCase() === simple);
  if (exact !== undefined || known.length === 0) return exact;
  const near = closest(
    simple,
    known.map((candidate) => candidate.toLowerCase()),
  );
  const isNear = distance(simple, near) <= Math.max(1, Math.ceil(Math.max(simple.length, near.length) / 3));
  if (isNear) return known.find((candidate) => candidate.toLowerCase() === near);
  const stem = simple.replace(/[.*]+$/, '');
  const isMeant = (candidate: string) =>
    lettersOf(candidate) === lettersOf(simple) || (stem.length > 1 && candidate.startsWith(stem));
  return known.find((candidate) => isMeant(candidate.toLowerCase()));
}

function lettersOf(name: string): string {
  return [...name].sort().join('');
}

/** Returns the problem with the value of a setting, to follow its name; undefined if it is valid. Never quotes a secret. */
export type Rule<Others = unknown> = (value: unknown, others: Others) => string | undefined;

/** The problem with an invalid value. */
export function notValid(expected: string): string {
  return ` is not valid; expected ${expected}`;
}

/** A rule about a value alone. */
export function expecting(what: string, isValid: (value: unknown) => boolean): Rule {
  return (value) => (isValid(value) ? undefined : notValid(what));
}
