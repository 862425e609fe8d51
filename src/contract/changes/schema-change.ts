import type { Schema } from '../../model/contract.ts';

/** How what a service must do changes: it is allowed less, more, or something else. */
export type ChangeDirection = 'tightens' | 'loosens' | 'changes';

/** Keywords with which a smaller number allows less. */
const UPPER = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties', 'maxContains'];

/** Keywords with which a larger number allows less. */
const LOWER = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties', 'minContains'];

/** Keywords that allow less than nothing in their place, in ways that cannot be compared. */
const NARROWING = [
  ...['format', 'pattern', 'const', 'multipleOf', 'not', 'allOf', 'contains', 'x-equals'],
  ...['propertyNames', 'dependentRequired', 'dependentSchemas', 'prefixItems'],
];

/** Keywords that list what is allowed: without them, everything is. */
const ALTERNATIVES = ['enum', 'oneOf', 'anyOf'];

/**
 * How a value may differ from what it might be before, by the keywords of its own place: its fields are requirements of their
 * own. Undefined if it is allowed what it was.
 */
export function schemaChange(before: Schema, after: Schema): ChangeDirection | undefined {
  return together([
    ...UPPER.map((each) => byNumber(before[each], after[each], -1)),
    ...LOWER.map((each) => byNumber(before[each], after[each], 1)),
    ...NARROWING.map((each) => byPresence(before[each], after[each])),
    ...ALTERNATIVES.map((each) => byMembers(before[each], after[each])),
    byPresence(closed(before), closed(after)),
    byPresence(before.uniqueItems || undefined, after.uniqueItems || undefined),
    byMembers(typesOf(before), typesOf(after)),
    before.items && after.items && isPlain(before.items) && isPlain(after.items)
      ? schemaChange(before.items, after.items)
      : undefined,
  ]);
}

/** What several changes are together. */
export function together(changes: readonly (ChangeDirection | undefined)[]): ChangeDirection | undefined {
  const all = new Set(changes.filter((each) => each !== undefined));
  return all.size > 1 ? 'changes' : [...all][0];
}

/** Whether the entries of a list have no requirement of their own. */
function isPlain({ 'x-component': component, properties }: Schema): boolean {
  return component === undefined && properties === undefined;
}

function closed({ additionalProperties }: Schema): true | undefined {
  return additionalProperties === false || undefined;
}

/** The types of a value, `null` included; undefined if it may be of any. */
function typesOf(schema: Schema): readonly string[] | undefined {
  const types = schema['x-types'] ?? (schema.type === undefined ? undefined : [schema.type]);
  return types && schema['x-nullable'] ? [...types, 'null'] : types;
}

function byNumber(before: unknown, after: unknown, larger: 1 | -1): ChangeDirection | undefined {
  if (before === after) return undefined;
  if (before === undefined) return 'tightens';
  if (after === undefined) return 'loosens';
  return Math.sign(Number(after) - Number(before)) === larger ? 'tightens' : 'loosens';
}

function byPresence(before: unknown, after: unknown): ChangeDirection | undefined {
  if (JSON.stringify(before) === JSON.stringify(after)) return undefined;
  if (before === undefined) return 'tightens';
  return after === undefined ? 'loosens' : 'changes';
}

function byMembers(before: unknown, after: unknown): ChangeDirection | undefined {
  if (!Array.isArray(before) || !Array.isArray(after)) return byPresence(before, after);
  const [old, now] = [before, after].map((each) => new Set(each.map((member) => JSON.stringify(member))));
  const gone = [...(old ?? [])].some((each) => !now?.has(each));
  const added = [...(now ?? [])].some((each) => !old?.has(each));
  return together([gone ? 'tightens' : undefined, added ? 'loosens' : undefined]);
}
