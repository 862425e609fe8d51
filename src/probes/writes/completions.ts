import { isObject } from '../../contract/schema.ts';
import type { Schema } from '../../model/contract.ts';

/** Keys of a map whose names the schema does not say, at most. */
const MAX_KEYS = 10;

/** Fields that are added or left out one by one, at most: each object that this makes is judged. */
const MAX_TRIED = 100;

/**
 * Objects with more or fewer fields than one that violates its schema: rules such as `dependentRequired`, or a `required` in
 * `anyOf`, ask for fields that the list of required ones does not name.
 * @param generate a value of a field
 */
export function* completions(
  made: unknown,
  schema: Schema,
  generate: (field: Schema) => unknown,
): Generator<Record<string, unknown>> {
  if (!isObject(made)) return;
  const missing = fieldsOf(schema)
    .filter(([name]) => !Object.hasOwn(made, name))
    .map(([name, field]) => [name, generate(field)] as const)
    .filter(([, value]) => value !== undefined);
  for (const [name, value] of missing.slice(0, MAX_TRIED)) yield { ...made, [name]: value };
  for (const member of membersOf(schema)) {
    const asked = missing.filter(([name]) => member.required?.includes(name));
    if (asked.length > 1) yield { ...made, ...Object.fromEntries(asked) };
  }
  yield { ...made, ...Object.fromEntries(missing) };
  const optional = Object.keys(made).filter((name) => !schema.required?.includes(name));
  for (const name of optional.slice(0, MAX_TRIED))
    yield Object.fromEntries(Object.entries(made).filter(([each]) => each !== name));
  const { additionalProperties, minProperties } = schema;
  const more = Math.min(MAX_KEYS, Number(minProperties ?? 0)) - Object.keys(made).length;
  if (more <= 0 || additionalProperties === false) return;
  const value = isObject(additionalProperties) ? generate(additionalProperties) : 'petspec';
  const keys = Array.from({ length: more }, (_, index) => `petspec${index + 1}`);
  if (value !== undefined) yield { ...made, ...Object.fromEntries(keys.map((key) => [key, value])) };
}

/** The fields that a schema describes, and those that its members do. */
function fieldsOf(schema: Schema): [string, Schema][] {
  return [schema, ...membersOf(schema)].flatMap(({ properties = {} }) => Object.entries(properties));
}

/** The schemas that hold for the same value, some of them perhaps not. */
function membersOf(schema: Schema): Schema[] {
  const keywords = ['anyOf', 'oneOf', 'allOf', 'then', 'else'];
  return keywords.flatMap((each) => schema[each]).filter(isObject) as Schema[];
}
