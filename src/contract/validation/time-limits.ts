import { createContext, Script } from 'node:vm';
import type { Json } from '../../model/json.ts';
import { regularExpression } from '../document/patterns.ts';

// Patterns come from the user's document and texts from a target: some patterns, such as `^(a+)+$`, take years for the right
// text. Libraries with linear time have no lookaheads or count characters differently, so V8 matches and is interrupted.

/** Time to judge a value before patterns are timed one by one, in ms. */
const QUICK = 500;

/** Time of a pattern for all texts together, in ms, and the characters that add a ms: most patterns are far faster. */
const PATIENCE = 1_000;
const CHARACTERS_PER_MS = 1_000;

/** Texts of this length are fast for any pattern that was written in good faith. */
const SHORT = 16;

/** A pattern would take too long for a text. */
export class TooSlow extends Error {
  override name = 'TooSlow';
  readonly pattern: string;

  constructor(pattern: string) {
    super(`the pattern ${pattern} takes too long`);
    this.pattern = pattern;
  }
}

/** For each slow pattern, the length from which texts are not judged by it. */
const slowFrom = new Map<string, number>();

/** The time left for a pattern, in ms. */
const msLeft = new Map<string, number>();

/** Whether each pattern is timed by itself. */
let isTimed = false;

/** The part of a RegExp that ajv uses. */
interface Matcher {
  /** @throws TooSlow if it would take too long */
  test: (text: string) => boolean;
  toString: () => string;
}

/** A pattern of a document that gives up instead of blocking petspec. */
export function matcherOf(pattern: string): Matcher {
  const expression = regularExpression(pattern);
  if (!expression) throw new Error(`${pattern} is not a regular expression`);
  return {
    test: (text) => {
      if (text.length >= (slowFrom.get(pattern) ?? Number.POSITIVE_INFINITY)) throw new TooSlow(pattern);
      return isTimed && text.length > SHORT ? timedTest(expression, pattern, text) : expression.test(text);
    },
    toString: () => String(expression),
  };
}

function timedTest(expression: RegExp, pattern: string, text: string): boolean {
  const allowed = (msLeft.get(pattern) ?? PATIENCE) + text.length / CHARACTERS_PER_MS;
  let took = 0;
  const result = interruptible(() => {
    const begun = performance.now();
    const isMatch = expression.test(text);
    took = performance.now() - begun;
    return isMatch;
  }, allowed);
  if (result) {
    msLeft.set(pattern, Math.min(PATIENCE, allowed - took));
    return result.value;
  }
  slowFrom.set(pattern, Math.min(text.length, slowFrom.get(pattern) ?? text.length));
  throw new TooSlow(pattern);
}

/**
 * Judges a value by a schema with patterns. Nearly all values are judged at once, so patterns are timed one by one only if a
 * value is not.
 * @throws TooSlow if a pattern would take too long
 */
export function inTime<Result>(value: unknown, judge: () => Result): Result {
  if (typeof value !== 'object' && String(value).length <= SHORT) return judge();
  const quick = interruptible(judge, QUICK);
  if (quick) return quick.value;
  isTimed = true;
  try {
    return judge();
  } finally {
    isTimed = false;
  }
}

/** The patterns that took too long, each with the length from which texts are not judged by it. */
export function slowPatterns(): ReadonlyMap<string, number> {
  return slowFrom;
}

/** The globals of the context. */
interface CallContext {
  act: () => unknown;
}

let call: { script: Script; surroundings: CallContext } | undefined;

/**
 * Calls a function, and interrupts it if it takes too long: only V8 can end a regular expression. Each call costs a tenth of a
 * millisecond.
 * @param ms the time limit
 * @returns the result of the function; undefined if it took too long
 */
function interruptible<Value>(act: () => Value, ms: number): { value: Value } | undefined {
  call ??= {
    script: new Script('act()'),
    surroundings: createContext({ act: undefined }) as CallContext,
  };
  const { script, surroundings } = call;
  surroundings.act = act;
  try {
    return { value: script.runInContext(surroundings, { timeout: Math.max(1, Math.ceil(ms)) }) as Value };
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  } finally {
    surroundings.act = () => undefined;
  }
}

/** The error comes from the context, so it is no instance of the outer Error. */
function isTimeout(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

// Schemas come from the user's document. If each one contains the next twice, as in `anyOf: [Next, Next]`, each level doubles
// the work, and so does each level of a value whose schema contains itself twice.

/** Members that are looked at for one value, and additional ones for each value inside it. */
const MAX_STEPS = 100_000;
const STEPS_PER_VALUE = 300;

/** Judging a value by a schema would look at more members than petspec does. */
export class TooManySteps extends Error {
  override name = 'TooManySteps';

  constructor() {
    super(`a value is looked at by more than ${MAX_STEPS} members`);
  }
}

let stepsTaken = 0;
let stepsAllowed = MAX_STEPS;
let judgedValue: Json = null;

/** Restarts the count for another value. */
export function beginSteps(value: Json): void {
  stepsTaken = 0;
  stepsAllowed = MAX_STEPS;
  judgedValue = value;
}

/**
 * Counts the members of a schema before a value is judged by them.
 * @throws TooManySteps if they are too many
 */
export function countSteps(members: number): true {
  stepsTaken += members;
  if (stepsTaken <= stepsAllowed) return true;
  // Few values get here, so only these are measured.
  if (stepsAllowed === MAX_STEPS) stepsAllowed += STEPS_PER_VALUE * sizeOf(judgedValue);
  if (stepsTaken > stepsAllowed) throw new TooManySteps();
  return true;
}

/** The number of values in a value, itself included. */
function sizeOf(value: Json): number {
  let size = 0;
  const next: Json[] = [value];
  while (next.length > 0) {
    const current = next.pop();
    size += 1;
    if (typeof current === 'object' && current !== null)
      for (const inner of Object.values(current)) next.push(inner);
  }
  return size;
}
