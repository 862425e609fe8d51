import type { KeywordCoverage } from '../../model/report/coverage.ts';
import type { RequestProblem } from '../classify.ts';
import type { Place } from './places.ts';

type Direction = KeywordCoverage['in'];

/** Belongs to the schema of an object, and is counted for each field that the object must have. */
export const REQUIRED = 'required';

/** The keywords of the places of an interface, and which of them were put to the test. */
export class KeywordTally {
  readonly #entries = new Map<string, KeywordCoverage>();

  /** Adds the keywords of a place, as not yet tested. What is already there stays as it is. */
  add(direction: Direction, { name, keywords, isRequired }: Place): void {
    for (const keyword of isRequired ? [REQUIRED, ...keywords] : keywords) {
      const key = keyOf(direction, name, keyword);
      if (this.#entries.has(key)) continue;
      const violated = direction === 'request' ? { violated: false } : {};
      this.#entries.set(key, { place: name, keyword, in: direction, applied: false, ...violated });
    }
  }

  /** A value was sent that fulfills these keywords, or came that they apply to. */
  apply(direction: Direction, { name }: Place, keywords: readonly string[]): void {
    for (const each of keywords) {
      const entry = this.#entries.get(keyOf(direction, name, each));
      if (entry) entry.applied = true;
    }
  }

  /** A request was sent that violates a keyword. */
  violate({ rule, keyword, pointer = '', within = [], whole }: RequestProblem): void {
    const violated = whole === 'empty' ? REQUIRED : keyword;
    if (violated === undefined) return;
    const name = rule + within.map((each) => (/^\d+$/.test(each) ? '[]' : `.${each}`)).join('');
    // An entry of a list in a body is reported by the rule of the list.
    const ofEntry = /\/\d+$/.test(pointer)
      ? this.#entries.get(keyOf('request', `${rule}[]`, violated))
      : undefined;
    const entry = ofEntry ?? this.#entries.get(keyOf('request', name, violated));
    if (entry) entry.violated = true;
  }

  /** In the order in which they were added. */
  result(): KeywordCoverage[] {
    return [...this.#entries.values()];
  }
}

function keyOf(direction: Direction, place: string, keyword: string): string {
  return `${direction} ${place} ${keyword}`;
}
