import { describe } from '../contract/describe.ts';
import { ownerOf } from '../contract/schema.ts';
import type { BrokenKeyword } from '../contract/validation/broken-keyword.ts';
import { type SchemaError, schemaErrors } from '../contract/validation/schema-validator.ts';
import type { Contract, Operation, Parameter, RequestBody, Schema } from '../model/contract.ts';
import { type HeaderLine, headerValues } from '../model/exchange.ts';
import { isJson, mediaTypeOf } from '../model/http/media-type.ts';
import { at, type Json, parseJson, pointerOf, stringifyJson } from '../model/json.ts';
import { quote } from '../model/visible.ts';
import { matchOperation, type Servers } from './match-operation.ts';
import { type ParameterValue, valuesOf } from './parameter-values.ts';

/** A request that somebody sent to a service. */
export interface IncomingRequest {
  method: string;
  /** Absolute. */
  url: string;
  headers: readonly HeaderLine[];
  /** Undefined if it is not known whether there is a body. */
  body?: string;
  /** Why the body is no text, such as `not UTF-8`. */
  undecodable?: string | undefined;
}

/** Where a request is wrong: in a parameter, in how its body is declared or written, or in a value of the body. */
export type ProblemKind = 'parameter' | 'media-type' | 'json' | 'shape';

/** What is wrong with a request. */
export interface RequestProblem {
  kind: ProblemKind;
  /** What it violates: `<operation>.<parameter>`, `<component>.<field>` or `<operation>.body`. */
  rule: string;
  /** The keyword of the schema that a value violates. */
  keyword?: string;
  reason: string;
  /** A quotation from the request. */
  detail?: string;
  expected: string;
  received: string;
  /** JSON Pointer into the request body. */
  pointer?: string;
  /** The path into the value of a parameter that is a list or an object. */
  within?: readonly string[] | undefined;
  /** What the whole body is, if it is not an object. */
  whole?: 'empty' | 'array' | 'null' | 'other' | undefined;
}

/** A value of a request that the interface describes. */
export interface CarriedValue {
  /** As in {@link RequestProblem}. */
  rule: string;
  schema: Schema;
  value: Json;
  /** Absent if it is a field of the body. */
  parameter?: Pick<Parameter, 'name' | 'in'>;
  /** JSON Pointer into the request body, if it is a field of it. */
  pointer?: string;
}

/** The operation of a request, and what the interface says about the request. */
export interface Classified {
  operation?: Operation;
  /** The request has the method and path of its operation, but not at its address. */
  isMisplaced: boolean;
  /** The parameters and the fields of the body that the interface describes. */
  values: readonly CarriedValue[];
  /** Set if the request has a body: its value, if it is the JSON that the interface wants. */
  body?: { value: Json | undefined } | undefined;
  /** What is wrong with the request. A problem of a body hides what follows from it. */
  problems: readonly RequestProblem[];
}

/** Finds the operation of a request, and what is invalid about the request. Pure, and total for any text. */
export function classify(contract: Contract, servers: Servers, request: IncomingRequest): Classified {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  const match = url && matchOperation(contract, servers, request.method, url);
  if (!url || !match) return { isMisplaced: false, values: [], problems: [] };
  const { operation, isMisplaced } = match;
  const sent = { path: match.path, query: url.searchParams, headers: request.headers };
  const parameters = operation.parameters.map((parameter) => ({
    parameter,
    values: valuesOf(parameter, sent),
  }));
  const { values, problems, body } = bodyOf(operation, request);
  return {
    operation,
    isMisplaced,
    body,
    values: [
      ...parameters.flatMap(({ parameter, values: carried = [] }) =>
        carried.map(({ value }) => ({
          rule: `${operation.id}.${parameter.name}`,
          schema: parameter.schema,
          value,
          parameter,
        })),
      ),
      ...values,
    ],
    problems: [
      ...parameters
        .filter(({ parameter, values: carried }) => parameter.required && carried?.length === 0)
        .map(({ parameter }) => missingParameter(operation, parameter)),
      ...parameters.flatMap(({ parameter, values: carried = [] }) =>
        carried.flatMap((carriedValue) => parameterProblem(operation, parameter, carriedValue)),
      ),
      ...problems,
    ],
  };
}

function missingParameter(operation: Operation, { name, schema }: Parameter): RequestProblem {
  return {
    kind: 'parameter',
    rule: `${operation.id}.${name}`,
    keyword: 'required',
    reason: `the parameter ${name} is missing`,
    expected: `${name}: ${describe(schema)}`,
    received: `no ${name}`,
  };
}

function parameterProblem(
  operation: Operation,
  { name, schema }: Parameter,
  { text, value }: ParameterValue,
): RequestProblem[] {
  const [error] = schemaErrors(schema, value);
  if (!error) return [];
  const { reason, expected } = wordsFor(schema, error);
  return [
    {
      kind: 'parameter',
      rule: `${operation.id}.${name}`,
      keyword: error.keyword,
      reason: `the parameter ${name} ${reason}`,
      expected: `${name}: ${expected}`,
      received: `${name}=${quote(text)}`,
      within: error.pointer.length > 0 ? error.pointer : undefined,
    },
  ];
}

/** The words of the violated keyword, if they say more than the schema in words. */
function wordsFor(schema: Schema, { words }: SchemaError): BrokenKeyword {
  if (!words.isPlain) return words;
  return { reason: `is not ${describe(schema)}`, expected: describe(schema) };
}

type JudgedRequest = Pick<Classified, 'values' | 'problems' | 'body'>;

/** Judges the media type, then the JSON, then the shape of a body: each problem hides the later ones. */
function bodyOf(operation: Operation, { headers, body: text, undecodable }: IncomingRequest): JudgedRequest {
  const { body } = operation;
  if (!body || text === undefined) return { values: [], problems: [] };
  const rule = `${operation.id}.body`;
  const wrong = (fields: Omit<RequestProblem, 'rule'>): JudgedRequest => ({
    values: [],
    problems: [{ rule, ...fields }],
    body: text === '' ? undefined : { value: undefined },
  });
  if (text === '')
    return body.required
      ? wrong({
          kind: 'shape',
          reason: 'the request has no body',
          expected: body.mediaType,
          received: 'no body',
          whole: 'empty',
        })
      : { values: [], problems: [] };
  const declared = headerValues(headers, 'Content-Type');
  if (!declared.some((mediaType) => isMediaType(mediaType, body.mediaType)))
    return wrong({
      kind: 'media-type',
      reason: `the body is not declared as ${body.mediaType}`,
      expected: `Content-Type: ${body.mediaType}`,
      received: declared.length === 0 ? 'no Content-Type' : `Content-Type: ${quote(declared.join(', '))}`,
    });
  // The fields of forms are not judged.
  if (!isJson(body.mediaType)) return { values: [], problems: [], body: { value: undefined } };
  const parsed = parseJson(text);
  if (undecodable !== undefined || !parsed.ok)
    return wrong({
      kind: 'json',
      reason: 'the body is not JSON',
      detail: undecodable ?? quote(parsed.ok ? '' : parsed.error),
      expected: 'one JSON value',
      received: quote(text),
    });
  return {
    values: fieldsIn(operation, body, parsed.value),
    problems: shapeProblems(operation, body, parsed.value),
    body: { value: parsed.value },
  };
}

/** Whether a Content-Type has this media type, whatever its parameters (RFC 9110 section 8.3.1). */
export function isMediaType(value: string, wanted: string): boolean {
  return mediaTypeOf(value).type === mediaTypeOf(wanted).type;
}

function ownerIn(operation: Operation, { schema }: RequestBody, pointer: readonly string[]): string {
  const id = `${operation.id}.body`;
  return ownerOf(schema, { id, prefix: schema['x-component'] ?? id, isBody: false }, pointer);
}

/** Entries of a list that are read: further ones show nothing new. */
const MOST_ENTRIES = 100;

/** The fields of a body that its schema describes, at any depth. */
function fieldsIn(operation: Operation, body: RequestBody, value: Json): CarriedValue[] {
  const carried = (schema: Schema, inner: Json | undefined, place: readonly string[]): CarriedValue[] => {
    if (inner === undefined) return [];
    const field = { rule: ownerIn(operation, body, place), schema, value: inner, pointer: pointerOf(place) };
    return [field, ...inside(schema, inner, place)];
  };
  const inside = (stated: Schema, outer: Json, place: readonly string[]): CarriedValue[] => {
    const { items, properties = {} } = stated['x-circular'] ?? stated;
    if (Array.isArray(outer) && items)
      return outer
        .slice(0, MOST_ENTRIES)
        .flatMap((entry, index) => carried(items, entry, [...place, String(index)]));
    return Object.entries(properties).flatMap(([name, schema]) =>
      carried(schema, at(outer, pointerOf([name])), [...place, name]),
    );
  };
  return inside(body.schema, value, []);
}

/** What is wrong with the value of a body: the first problem of each field. */
function shapeProblems(operation: Operation, body: RequestBody, value: Json): RequestProblem[] {
  const problems = new Map<string, RequestProblem>();
  for (const error of schemaErrors(body.schema, value)) {
    const { pointer, missing, keyword } = error;
    const rule = ownerIn(operation, body, pointer);
    if (problems.has(rule)) continue;
    const name = pointer.at(-1) ?? 'the body';
    const place = pointerOf(pointer);
    const field = pointer.reduce<Schema>(
      (schema, segment) => schema.items ?? schema.properties?.[segment] ?? {},
      body.schema,
    );
    const { reason, expected } = missing
      ? { reason: 'is missing', expected: describe(field) }
      : wordsFor(field, error);
    problems.set(rule, {
      kind: 'shape',
      rule,
      keyword,
      reason: `${name} ${reason}`,
      expected: `${name}: ${expected}`,
      received: missing ? `no ${name}` : quote(stringifyJson(at(value, place))),
      pointer: place,
      whole: pointer.length === 0 ? wholeOf(value) : undefined,
    });
  }
  return [...problems.values()];
}

function wholeOf(value: Json): NonNullable<RequestProblem['whole']> {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : 'other';
}
