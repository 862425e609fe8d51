import type { Operation } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import type { Steps } from '../../model/large/steps.ts';
import type { KeywordCoverage } from '../../model/report/coverage.ts';
import type { RequestProblem } from '../classify.ts';
import {
  appliedTo,
  type OperationPlaces,
  places,
  placesOf,
  type SchemaPlace,
  type SchemaPlaces,
  visit,
  visitingOperations,
} from './places.ts';

/** Counts the schema keywords that exchanges exercise. */
export interface Keywords {
  /** A value that was sent for a part of a request, and what is wrong with that part. */
  sent(place: SchemaPlace, value: Json, problems: readonly RequestProblem[]): void;
  /** A problem of a request. */
  wrong(problem: RequestProblem): void;
  /** @param value undefined if it is missing */
  received(place: SchemaPlace, value: Json | undefined): void;
  of(operation: Operation): OperationPlaces;
  result(): KeywordCoverage[];
}

/** Counts the keywords of the schemas of these operations. */
export function* countingKeywords(operations: readonly Operation[]): Steps<Keywords> {
  const schemaPlaces = places();
  const byOperation = new Map<string, OperationPlaces>();
  for (const operation of operations) {
    byOperation.set(operation.id, placesOf(schemaPlaces, operation));
    yield;
  }
  const tally = new KeywordTally();
  yield* visitingOperations(schemaPlaces, byOperation.values(), (direction, place) =>
    tally.add(direction, place),
  );
  return {
    sent: (place, value, problems) => applySent(tally, schemaPlaces, place, value, problems),
    wrong: (problem) => tally.violate(problem),
    received: receivedKeywords(tally, schemaPlaces),
    of: ({ id }) => byOperation.get(id) ?? { parameters: new Map(), responses: new Map() },
    result: () => tally.result(),
  };
}

/** Applies the keywords that a value of a request fulfills. */
function applySent(
  tally: KeywordTally,
  schemaPlaces: SchemaPlaces,
  whole: SchemaPlace,
  value: Json,
  problems: readonly RequestProblem[],
): void {
  const wrong = new Set(problems.map(({ rule }) => rule));
  visit(schemaPlaces, whole, value, (place, part) => {
    // A wrong value may fulfill other keywords, but its problems do not tell which.
    if (part === undefined || wrong.has(place.name.replace(/\[\]$/, ''))) return;
    tally.apply('request', place, [REQUIRED, ...appliedTo(place, part)]);
  });
}

/** Applies the keywords that judge a value of a response. */
function receivedKeywords(tally: KeywordTally, schemaPlaces: SchemaPlaces): Keywords['received'] {
  /** Places whose keywords were all applied. */
  const done = new Set<SchemaPlace>();
  const apply = (place: SchemaPlace, part: Json | undefined) => {
    if (done.has(place)) return;
    const applied = part === undefined ? [REQUIRED] : [REQUIRED, ...appliedTo(place, part)];
    tally.apply('response', place, applied);
    if (applied.length === place.keywords.length + 1) done.add(place);
  };
  return (place, value) => {
    if (value === undefined) apply(place, value);
    else visit(schemaPlaces, place, value, apply);
  };
}

type KeywordDirection = KeywordCoverage['in'];

/** A keyword of an object that is counted for each of its required fields. */
const REQUIRED = 'required';

/** The keywords at the places of an interface, and whether exchanges exercised them. */
class KeywordTally {
  readonly #entries = new Map<string, KeywordCoverage>();

  /** Adds the keywords of a place as not exercised, unless they are there already. */
  add(direction: KeywordDirection, { name, keywords, isRequired }: SchemaPlace): void {
    for (const keyword of isRequired ? [REQUIRED, ...keywords] : keywords) {
      const key = keyOf(direction, name, keyword);
      if (this.#entries.has(key)) continue;
      const violated = direction === 'request' ? { violated: false } : {};
      this.#entries.set(key, { place: name, keyword, in: direction, applied: false, ...violated });
    }
  }

  /** A sent value fulfills these keywords, or they apply to a received one. */
  apply(direction: KeywordDirection, { name }: SchemaPlace, keywords: readonly string[]): void {
    for (const keyword of keywords) {
      const entry = this.#entries.get(keyOf(direction, name, keyword));
      if (entry) entry.applied = true;
    }
  }

  /** A request violates a keyword. */
  violate({ rule, keyword, pointer = '', within = [], whole }: RequestProblem): void {
    const violated = whole === 'empty' ? REQUIRED : keyword;
    if (violated === undefined) return;
    const name = rule + within.map((segment) => (/^\d+$/.test(segment) ? '[]' : `.${segment}`)).join('');
    // The problem of a list entry in a body has the rule of the list.
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

function keyOf(direction: KeywordDirection, place: string, keyword: string): string {
  return `${direction} ${place} ${keyword}`;
}
