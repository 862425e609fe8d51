import type { Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import { schemaErrors } from './schema-validator.ts';

/** Many servers reject addresses over 8,000 bytes. */
export const LONGEST_IN_QUERY = 2_000;

const INT64_MAX = 2n ** 63n - 1n;

/** Whether a value fits a schema. */
export function isFitting(schema: Schema, value: unknown): boolean {
  return schemaErrors(schema, value as Json).length === 0;
}

/**
 * The values that a keyword of a parameter names, such as its minimum or its members, if the rest of the schema allows them.
 * Undefined if petspec cannot tell: whether a text of a length fits a pattern, or a large bound before it was read as a double.
 */
export function valuesAt(schema: Schema, rule: string): unknown[] | undefined {
  const bound = schema[rule];
  if (bound === undefined) return undefined;
  const values = valuesOf(schema, rule, bound);
  return values?.filter((value) => isFitting(schema, value));
}

function valuesOf(schema: Schema, rule: string, bound: unknown): unknown[] | undefined {
  if (rule === 'enum') return bound as unknown[];
  if (!rule.endsWith('Length')) {
    const value = exactBound(Number(bound));
    return value === undefined ? undefined : [value];
  }
  if ((schema.pattern ?? schema.format) !== undefined || Number(bound) > LONGEST_IN_QUERY) return undefined;
  return ['x'.repeat(Number(bound))];
}

/** A bound as it was written. Beyond 2^53 only those of int64 are known: hardly any other number has their doubles. */
function exactBound(bound: number): number | bigint | undefined {
  if (!Number.isInteger(bound) || Number.isSafeInteger(bound)) return bound;
  if (bound === -(2 ** 63)) return BigInt(bound);
  return bound === 2 ** 63 ? INT64_MAX : undefined;
}
