import { escapedPart, partsOf, softBreakOf } from './escapes.ts';

/**
 * A longer secret, such as a JSON web token, is found by its two ends. A pattern of the whole would have hundreds of
 * characters for each of its own: it takes seconds to compile, or is too large.
 */
const LONG_SECRET = 100;

/** Parts of a long secret that one pattern is made of. */
const WINDOW = 48;

/** Windows whose compiled patterns are kept. More of them could use up the memory that the engine has for code. */
const MAX_KEPT = 60;

/** What is looked for to find a secret. */
export interface Sought {
  text: string;
  /** Whether it is one end of a longer secret. */
  isPart: boolean;
  /** How many bytes of the secret come after it. */
  rest: number;
}

/** What is looked for to find secrets, the longest first. */
export function soughtFor(secrets: readonly string[]): Sought[] {
  const all = withoutBeginnings(secrets)
    .flatMap((secret) => (isLong(secret) ? endsOf(secret) : [{ text: secret, isPart: false, rest: 0 }]))
    .sort((left, right) => right.text.length - left.text.length || right.rest - left.rest);
  // Of a key and its near keys, one end is often the same.
  return all.filter(({ text }, index) => all.findIndex((each) => each.text === text) === index);
}

/** Without the beginnings of long secrets, such as a near key. They are found with the long ones. */
function withoutBeginnings(secrets: readonly string[]): string[] {
  const long = secrets.filter(isLong);
  return secrets.filter(
    (each) =>
      each.length < LONG_SECRET - 1 || !long.some((other) => other !== each && other.startsWith(each)),
  );
}

function isLong(secret: string): boolean {
  return secret.length > LONG_SECRET;
}

function endsOf(secret: string): Sought[] {
  const parts = partsOf(secret);
  const start = parts.slice(0, cutsOf(parts)[1]).join('');
  const rest = Buffer.byteLength(secret) - Buffer.byteLength(start);
  return [
    { text: start, isPart: true, rest },
    { text: parts.slice(-WINDOW).join(''), isPart: true, rest: 0 },
  ];
}

/** Where the windows of a secret begin: not behind backslashes, of which nobody could say to which window they belong. */
function cutsOf(parts: readonly string[]): number[] {
  const cuts = [0];
  for (let place = WINDOW; place < parts.length; place += WINDOW) {
    if (parts[place - 1]?.startsWith('\\')) place += 1;
    if (place < parts.length) cuts.push(place);
  }
  return cuts;
}

/** Where a secret ends in a text. @param end the end of what was found at the start */
type EndOf = (text: string, start: number, end: number) => number;

/** Follows long secrets from their first characters on, as far as a text goes on with them. */
export function endOfLong(secrets: readonly string[]): EndOf {
  const followed = withoutBeginnings(secrets).filter(isLong).map(follow);
  return (text, start, end) => Math.max(end, ...followed.map((endIn) => endIn(text, start)));
}

function follow(secret: string): (text: string, start: number) => number {
  const lower = secret.toLowerCase();
  /** Built when needed, window by window. */
  let steps: Step[] | undefined;
  return (text, start) => {
    const last = start + secret.length;
    if (text.slice(start, last).toLowerCase() === lower) return last;
    steps ??= stepsOf(secret);
    let place = start;
    for (const { plain, whole, beginning } of steps) {
      const end = place + (plain?.length ?? 0);
      const isPlain = plain !== undefined && text.slice(place, end).toLowerCase() === plain;
      const next = isPlain ? end : endOfMatch(whole(), text, place);
      if (next === undefined) return endOfMatch(beginning(), text, place) ?? place;
      place = next;
    }
    return place;
  };
}

/** Patterns for a window of a secret that others follow, and for as much of it as there is. */
interface Step {
  /** Its text in lower case, if none of its characters can begin an escape: that is faster to compare. */
  plain?: string | undefined;
  whole: () => RegExp;
  beginning: () => RegExp;
}

function stepsOf(secret: string): Step[] {
  const parts = partsOf(secret);
  const softBreak = softBreakOf(secret);
  const patternAt = (place: number) =>
    `${place === 0 ? '' : softBreak}(?:${escapedPart(parts, place).join('|')})`;
  const cuts = cutsOf(parts);
  return cuts.map((from, index) => {
    const to = cuts[index + 1] ?? parts.length;
    const patterns = () => Array.from({ length: to - from }, (_, place) => patternAt(from + place));
    // What follows decides how much of an escape belongs to the last character.
    const whole = () => compiled(patterns().join('') + (to < parts.length ? `(?=${patternAt(to)})` : ''));
    const beginning = () => compiled(patterns().reduceRight((after, each) => `(?:${each}${after})?`, ''));
    const text = parts.slice(from, to).join('');
    return {
      plain: /^[\w.~+-]*$/.test(text) ? text.toLowerCase() : undefined,
      whole: index < MAX_KEPT ? kept(whole) : whole,
      beginning: index < MAX_KEPT ? kept(beginning) : beginning,
    };
  });
}

function compiled(source: string): RegExp {
  return new RegExp(source, 'iy');
}

/** Compiles a pattern when it is needed, and only once. */
function kept(compile: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => {
    made ??= compile();
    return made;
  };
}

function endOfMatch(pattern: RegExp, text: string, place: number): number | undefined {
  pattern.lastIndex = place;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
