import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Contract, Gap, Operation, Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { segmentsOf } from '../../model/json.ts';
import { rememberingEach } from '../../model/remembering.ts';
import { isSomeInside, patternsOf } from '../document/unjudged.ts';
import { type BrokenKeyword, brokenKeyword } from './broken-keyword.ts';
import { compiledOf, forgetNumbers } from './compile.ts';
import { type OuterError, withoutInner } from './inner-errors.ts';
import { brokenRule, type NumberRule } from './number-rule.ts';
import type { SchemaOmissions } from './schema-for-ajv.ts';
import { beginSteps, inTime, slowPatterns, TooManySteps, TooSlow } from './time-limits.ts';

/** A place in a value that violates its schema. */
export interface SchemaError {
  /** Segments of the JSON Pointer to the place, including the name of a field that is missing. */
  pointer: string[];
  missing: boolean;
  /** The name of a property of the object there that the schema does not allow. */
  extra?: string | undefined;
  /** The keyword of the schema that the value violates. */
  keyword: string;
  /** The words for the violation; if a field is missing, about the object around it. */
  words: BrokenKeyword;
}

/** Longer arrays are judged entry by entry: the errors of a hundred thousand entries would fill the memory. */
const MANY = 1_000;

/**
 * The violations of a schema by a value. In a very long array, repeated kinds of wrong entries are left out. A pattern that
 * would take too long is ignored, as are alternatives that would be looked at in too many ways.
 */
export function schemaErrors(schema: Schema, value: Json): SchemaError[] {
  const unjudged = new Set<string>();
  let areBranchesLost = false;
  for (;;) {
    const { hasPatterns, judge } = judgeOf(schema, value, { unjudged, areBranchesLost });
    const judgeInSteps = () => {
      beginSteps(value);
      return judge();
    };
    try {
      return hasPatterns ? inTime(value, judgeInSteps) : judgeInSteps();
    } catch (error) {
      if (error instanceof TooSlow) unjudged.add(error.pattern);
      else if (error instanceof TooManySteps) {
        areBranchesLost = true;
        withoutBranches.add(schema);
      } else throw error;
    }
  }
}

const withoutBranches = new WeakSet<Schema>();

/** Whether some value was judged by a schema without its alternatives. */
function hasLostBranches(schema: Schema): boolean {
  return withoutBranches.has(schema);
}

/** Compiles before the clock starts: a validator that is interrupted halfway could not be used again. */
function judgeOf(
  schema: Schema,
  value: Json,
  leftOut: SchemaOmissions,
): { hasPatterns: boolean; judge: () => SchemaError[] } {
  const { items } = schema;
  if (!items || !Array.isArray(value) || value.length <= MANY) {
    const { hasPatterns, validate } = compiledOf(schema, leftOut);
    return { hasPatterns, judge: () => errorsBy(validate, value) };
  }
  const whole = compiledOf(withoutItems(schema), leftOut);
  const entry = compiledOf(items, leftOut);
  return {
    hasPatterns: whole.hasPatterns || entry.hasPatterns,
    judge: () => [...errorsBy(whole.validate, value), ...errorsOfEntries(entry.validate, value)],
  };
}

/** The errors of the first entry of each kind of wrong entries. */
function errorsOfEntries(validate: ValidateFunction, entries: readonly Json[]): SchemaError[] {
  const ways = new Set<string>();
  return entries.flatMap((entry, index) => {
    const errors = errorsBy(validate, entry);
    // Words may name what only this entry has.
    const way = JSON.stringify(errors.map(({ pointer, keyword }) => [pointer, keyword]));
    if (errors.length === 0 || ways.has(way)) return [];
    ways.add(way);
    return errors.map((error) => ({ ...error, pointer: [String(index), ...error.pointer] }));
  });
}

const itemless = new WeakMap<Schema, Schema>();

function withoutItems(schema: Schema): Schema {
  const cached = itemless.get(schema);
  if (cached) return cached;
  const { items: _, ...rest } = schema;
  itemless.set(schema, rest);
  return rest;
}

function errorsBy(validate: ValidateFunction, value: Json): SchemaError[] {
  forgetNumbers();
  return validate(value) ? [] : withoutInner(validate.errors ?? [], validate.schema).map(errorOf);
}

function errorOf({ error, inner }: OuterError): SchemaError {
  const segments = segmentsOf(error.instancePath);
  const missing = error.keyword === 'required';
  return {
    pointer: missing ? [...segments, String(error.params.missingProperty)] : segments,
    missing,
    extra: error.params.additionalProperty,
    keyword:
      error.keyword === 'x-number'
        ? brokenRule(error.schema as NumberRule, error.data)
        : error.keyword.replace('x-members', 'enum'),
    words: brokenKeyword(error, inner),
  };
}

/** The gaps of operations whose judgment would have taken too long for what a target sent. */
export function slowSchemaGaps({ operations }: Pick<Contract, 'operations'>): Gap[] {
  const gapsOf = (reason: string, isSlow: (schema: Schema) => boolean) => {
    // Many operations share a component.
    const isSlowInside = rememberingEach((schema: Schema) => isSomeInside(schema, isSlow));
    return operations
      .filter((operation) => schemasOf(operation).some(isSlowInside))
      .map(({ method, path }) => ({ operation: `${method} ${path}`, isWhole: false, reason }));
  };
  const byPattern = [...slowPatterns()].flatMap(([pattern, length]) =>
    gapsOf(
      `the pattern ${pattern.slice(0, 60)} takes too long, so no text of ${length} characters or more is judged by it`,
      (schema) => patternsOf(schema).includes(pattern),
    ),
  );
  return [...byPattern, ...gapsOf(TOO_MANY, hasLostBranches)];
}

const TOO_MANY =
  'the schemas inside allOf, anyOf, oneOf, not, if, contains and patternProperties lead to each other in more ways than petspec looks at, so some values are judged without these keywords';

function schemasOf({ parameters, body, responses }: Operation): Schema[] {
  return [
    ...parameters.map(({ schema }) => schema),
    body?.schema,
    ...responses.flatMap(({ headers, schema, otherBodies = [] }) => [
      schema,
      ...[...otherBodies, ...headers].map((part) => part.schema),
    ]),
  ].filter((schema) => schema !== undefined);
}
