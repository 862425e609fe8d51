import type { ValidateFunction } from 'ajv/dist/2020.js';
import type { Schema } from '../../model/contract.ts';
import { type Json, segmentsOf } from '../../model/json.ts';
import { type BrokenKeyword, brokenKeyword } from './broken-keyword.ts';
import { compiledOf } from './compile.ts';
import { type OuterError, withoutInner } from './inner-errors.ts';
import { brokenRule, type NumberRule } from './number-rule.ts';
import type { SchemaOmissions } from './schema-for-ajv.ts';
import { inTime, TooSlow } from './slow-patterns.ts';
import { beginSteps, TooManySteps } from './steps.ts';
import { forgetNumbers } from './unique-items.ts';

/** A place in a value that violates its schema. */
export interface SchemaError {
  /** Segments of the JSON Pointer to the place, including the name of a field that is missing. */
  pointer: string[];
  missing: boolean;
  /** The keyword of the schema that the value violates. */
  keyword: string;
  /** What is wrong with the value that violates it: of a field that is missing, the object around it. */
  words: BrokenKeyword;
}

/** Longer arrays are judged entry by entry: the errors of a hundred thousand entries would fill the memory. */
const MANY = 1_000;

/**
 * Where a value violates its schema. In a very long array, entries that are wrong in the same way as an earlier one are
 * left out. A pattern that would take too long counts as one that the document does not state, and so do alternatives in
 * more ways than petspec looks at.
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
export function hasLostBranches(schema: Schema): boolean {
  return withoutBranches.has(schema);
}

/** Compiles what judges a value: what is compiled halfway, because the time is over, could not be used again. */
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

/** The errors of the first entry for each way in which entries are wrong. */
function errorsOfEntries(validate: ValidateFunction, entries: readonly Json[]): SchemaError[] {
  const ways = new Set<string>();
  return entries.flatMap((entry, index) => {
    const errors = errorsBy(validate, entry);
    // The words may name what only this entry has.
    const way = JSON.stringify(errors.map(({ pointer, keyword }) => [pointer, keyword]));
    if (errors.length === 0 || ways.has(way)) return [];
    ways.add(way);
    return errors.map((error) => ({ ...error, pointer: [String(index), ...error.pointer] }));
  });
}

const itemless = new WeakMap<Schema, Schema>();

function withoutItems(schema: Schema): Schema {
  const known = itemless.get(schema);
  if (known) return known;
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
    keyword:
      error.keyword === 'x-number'
        ? brokenRule(error.schema as NumberRule, error.data)
        : error.keyword.replace('x-members', 'enum'),
    words: brokenKeyword(error, inner),
  };
}
