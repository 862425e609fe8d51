import { isObject } from '../../contract/schema.ts';
import type { Schema } from '../../model/contract.ts';

/** The most keys of a map whose names the schema does not state. */
const MAX_KEYS = 10;

/** The most fields to add or to leave out one by one: each resulting object is validated. */
const MAX_TRIED = 100;

/**
 * Objects with more or fewer fields than one that violates its schema: keywords such as `dependentRequired`, or `required` in
 * `anyOf`, ask for fields that are not in the schema's own `required`.
 * @param generate makes a value of a field
 */
export function* completions(
  object: unknown,
  schema: Schema,
  generate: (field: Schema) => unknown,
): Generator<Record<string, unknown>> {
  if (!isObject(object)) return;
  const missing = fieldsOf(schema)
    .filter(([name]) => !Object.hasOwn(object, name))
    .map(([name, field]) => [name, generate(field)] as const)
    .filter(([, value]) => value !== undefined);
  for (const [name, value] of missing.slice(0, MAX_TRIED)) yield { ...object, [name]: value };
  for (const member of membersOf(schema)) {
    const asked = missing.filter(([name]) => member.required?.includes(name));
    if (asked.length > 1) yield { ...object, ...Object.fromEntries(asked) };
  }
  yield { ...object, ...Object.fromEntries(missing) };
  const optional = Object.keys(object).filter((name) => !schema.required?.includes(name));
  for (const name of optional.slice(0, MAX_TRIED))
    yield Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));
  const { additionalProperties, minProperties } = schema;
  const more = Math.min(MAX_KEYS, Number(minProperties ?? 0)) - Object.keys(object).length;
  if (more <= 0 || additionalProperties === false) return;
  const value = isObject(additionalProperties) ? generate(additionalProperties) : 'petspec';
  const keys = Array.from({ length: more }, (_, index) => `petspec${index + 1}`);
  if (value !== undefined) yield { ...object, ...Object.fromEntries(keys.map((key) => [key, value])) };
}

/** The fields that a schema and its members describe. */
function fieldsOf(schema: Schema): [string, Schema][] {
  return [schema, ...membersOf(schema)].flatMap(({ properties = {} }) => Object.entries(properties));
}

/** The schemas that may apply to the same value. */
function membersOf(schema: Schema): Schema[] {
  const keywords = ['anyOf', 'oneOf', 'allOf', 'then', 'else'];
  return keywords.flatMap((keyword) => schema[keyword]).filter(isObject) as Schema[];
}
