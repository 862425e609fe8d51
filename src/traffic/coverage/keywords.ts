import type { Operation } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import type { KeywordCoverage } from '../../model/report/coverage.ts';
import type { RequestProblem } from '../classify.ts';
import { appliedTo, type Place, places, visit, visitAll } from './places.ts';

/** Counts which keywords of schemas are put to the test. */
export interface Keywords {
  /** A value that was sent for a part of a request, and what is wrong with that part. */
  sent(place: Place, value: Json, problems: readonly RequestProblem[]): void;
  /** Something wrong with a request. */
  wrong(problem: RequestProblem): void;
  /** @param value undefined if it is missing */
  received(place: Place, value: Json | undefined): void;
  of(operation: Operation): OperationPlaces;
  result(): KeywordCoverage[];
}

/** The schemas of an operation. */
export interface OperationPlaces {
  /** By place and name: `query limit`. */
  parameters: ReadonlyMap<string, Place>;
  body?: Place;
  /** By status as documented. */
  responses: ReadonlyMap<string, { body?: Place; headers: ReadonlyMap<string, Place> }>;
}

/** The keyword that a field may not be missing. */
const REQUIRED = 'required';

export function countKeywords(operations: readonly Operation[]): Keywords {
  const all = places();
  const found = new Map<string, KeywordCoverage>();
  /** Places of responses that nothing more can be learnt of. */
  const done = new Set<Place>();
  const own = new Map(operations.map((each) => [each.id, placesOf(each)]));

  function placesOf(operation: Operation): OperationPlaces {
    const { id, body } = operation;
    const parameters = operation.parameters.map((each) => {
      const isText = each.schema.type === 'string' && !each.isJson;
      const place = all.of(each.schema, `${id}.${each.name}`, undefined, each.required && each.in !== 'path');
      // Every text of a URL or a header is a string.
      const keywords = isText ? place.keywords.filter((name) => name !== 'type') : place.keywords;
      return [`${each.in} ${each.name}`, { ...place, keywords }] as const;
    });
    const whole = body && all.of(body.schema, `${id}.body`, body.schema['x-component'], body.required);
    return {
      parameters: new Map(parameters),
      ...(whole ? { body: whole } : {}),
      responses: new Map(
        operation.responses.map(({ status, schema, bodyRequirement = '', headers }) => [
          status,
          {
            ...(schema ? { body: all.of(schema, bodyRequirement) } : {}),
            headers: new Map(
              headers.map((each) => [each.name, all.of(each.schema, each.name, undefined, each.required)]),
            ),
          },
        ]),
      ),
    };
  }

  function add(way: KeywordCoverage['in'], { name, keywords, isRequired }: Place): void {
    for (const keyword of isRequired ? [REQUIRED, ...keywords] : keywords) {
      const id = keyOf(way, name, keyword);
      if (found.has(id)) continue;
      const isRequest = way === 'request';
      found.set(id, {
        place: name,
        keyword,
        in: way,
        applied: false,
        ...(isRequest ? { violated: false } : {}),
      });
    }
  }

  function applyTo(way: KeywordCoverage['in'], name: string, keyword: string): void {
    const known = found.get(keyOf(way, name, keyword));
    if (known) known.applied = true;
  }

  function violate({ rule, keyword, pointer = '', within = [], whole }: RequestProblem): void {
    const violated = whole === 'empty' ? REQUIRED : keyword;
    if (violated === undefined) return;
    const place = rule + within.map((each) => (/^\d+$/.test(each) ? '[]' : `.${each}`)).join('');
    // The entries of a list in a body are violated in the name of the list.
    const entry = /\/\d+$/.test(pointer) ? found.get(keyOf('request', `${rule}[]`, violated)) : undefined;
    const known = entry ?? found.get(keyOf('request', place, violated));
    if (known) known.violated = true;
  }

  const seen = { request: new Set<Place['schema']>(), response: new Set<Place['schema']>() };
  for (const { parameters, body, responses } of own.values()) {
    for (const each of parameters.values())
      visitAll(all, each, (place) => add('request', place), seen.request);
    if (body) visitAll(all, body, (place) => add('request', place), seen.request);
    for (const response of responses.values())
      for (const each of [...(response.body ? [response.body] : []), ...response.headers.values()])
        visitAll(all, each, (place) => add('response', place), seen.response);
  }

  return {
    sent(whole, value, problems) {
      const wrong = new Set(problems.map(({ rule }) => rule));
      visit(all, whole, value, (place, own) => {
        // Of what is wrong nobody knows which other keywords it fulfills.
        if (own === undefined || wrong.has(place.name.replace(/\[\]$/, ''))) return;
        for (const each of [REQUIRED, ...appliedTo(place, own)]) applyTo('request', place.name, each);
      });
    },
    wrong: violate,
    received(whole, value) {
      const apply = (place: Place, own: Json | undefined) => {
        if (done.has(place)) return;
        const applied = own === undefined ? [REQUIRED] : [REQUIRED, ...appliedTo(place, own)];
        for (const each of applied) applyTo('response', place.name, each);
        if (applied.length === place.keywords.length + 1) done.add(place);
      };
      if (value === undefined) apply(whole, value);
      else visit(all, whole, value, apply);
    },
    of: ({ id }) => own.get(id) ?? { parameters: new Map(), responses: new Map() },
    result: () => [...found.values()],
  };
}

function keyOf(way: KeywordCoverage['in'], place: string, keyword: string): string {
  return `${way} ${place} ${keyword}`;
}
