import { closest, distance } from 'fastest-levenshtein';

/** Wrong usage. The message is one line: what is wrong, where, what to do. The command line exits with 2. */
export class UsageError extends Error {
  override name = 'UsageError';

  readonly more: readonly string[];

  /** @param more what else is wrong, a line each */
  constructor(message: string, more: readonly string[] = []) {
    super(message);
    this.more = more;
  }
}

/** What to add to an error about an unknown name; empty if no known name is near. */
export function didYouMean(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near === undefined ? '' : `; did you mean '${near}'?`;
}

/**
 * The known name that a mistyped one most likely means: at most a third of its characters differ, or it has the same letters in
 * another order, or it begins with what was typed before a `*`.
 */
function nearest(name: string, known: readonly string[]): string | undefined {
  const simple = name.toLowerCase();
  const exact = known.find((each) => each.toLowerCase() === simple);
  if (exact !== undefined || known.length === 0) return exact;
  const found = closest(
    simple,
    known.map((each) => each.toLowerCase()),
  );
  const near = known.find((each) => each.toLowerCase() === found);
  const isNear = distance(simple, found) <= Math.max(1, Math.ceil(Math.max(simple.length, found.length) / 3));
  if (isNear) return near;
  const stem = simple.replace(/[.*]+$/, '');
  const isMeant = (each: string) =>
    lettersOf(each) === lettersOf(simple) || (stem.length > 1 && each.startsWith(stem));
  return known.find((each) => isMeant(each.toLowerCase()));
}

function lettersOf(name: string): string {
  return [...name].sort().join('');
}

/** What is wrong with the value of a setting, to follow its name; undefined if nothing is. It never quotes a secret. */
export type Rule<Others = unknown> = (value: unknown, others: Others) => string | undefined;

/** What to say of a value that is not what it has to be. */
export function notValid(expected: string): string {
  return ` is not valid; expected ${expected}`;
}

/** A rule about a value alone. */
export function expecting(what: string, isValid: (value: unknown) => boolean): Rule {
  return (value) => (isValid(value) ? undefined : notValid(what));
}
