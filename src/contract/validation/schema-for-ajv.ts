import type { Schema } from '../../model/contract.ts';
import { SUBSCHEMA_LISTS, SUBSCHEMA_MAPS, SUBSCHEMAS } from '../document/keywords.ts';
import { type IsUnjudged, isPartlyJudged, patternsOf, tooStrict } from '../document/unjudged.ts';

type JsonSchema = Record<string, unknown>;

/**
 * The position of a schema: a field with its own requirement, another value whose fields have such, inside a value that is one
 * requirement as a whole, or inside a `not` or an `if`, which must stay as strict as they are.
 */
type SchemaPosition = 'field' | 'value' | 'inside' | 'exact';

/** The components of a schema, by their names for ajv. */
interface Definitions extends Required<SchemaOmissions> {
  names: Readonly<Record<SchemaPosition, Map<Schema, string>>>;
  nodes: Record<string, JsonSchema>;
}

/** What is left out of a schema, so that it allows more. */
export interface SchemaOmissions {
  /** Patterns. */
  unjudged?: ReadonlySet<string>;
  /** Whether each value is judged by one schema only, so that the time is linear in the value. */
  areBranchesLost?: boolean;
}

/**
 * Translates a schema for ajv: possible numbers use the keyword `x-number`, everything else is unchanged. Each component is
 * defined once, so that it takes the memory of one even in many places, or inside itself. A format that is only good practice
 * counts where it is a separate requirement.
 */
export function forAjv(
  schema: Schema,
  { unjudged = new Set(), areBranchesLost = false }: SchemaOmissions = {},
): JsonSchema {
  const definitions: Definitions = {
    names: { field: new Map(), value: new Map(), inside: new Map(), exact: new Map() },
    nodes: {},
    unjudged,
    areBranchesLost,
  };
  return { ...translated(schema, 'value', definitions), $defs: definitions.nodes };
}

/** A schema inside another one. */
function inner(value: unknown, place: SchemaPosition, definitions: Definitions): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  const component = schema['x-circular'] ?? (schema['x-component'] === undefined ? undefined : schema);
  if (!component) return translated(schema, place, definitions);
  const { names, nodes } = definitions;
  const knownName = names[place].get(component);
  const name = knownName ?? `c${Object.keys(nodes).length}`;
  if (knownName === undefined) {
    names[place].set(component, name);
    // The component may be inside itself.
    nodes[name] = {};
    nodes[name] = translated(component, place, definitions);
  }
  return { $ref: `#/$defs/${name}` };
}

/** The position of the schema of a keyword. */
function placeIn(place: SchemaPosition, keyword: string): SchemaPosition {
  if (keyword === 'not' || keyword === 'if' || place === 'exact') return 'exact';
  if (place === 'inside') return 'inside';
  return keyword === 'properties' ? 'field' : keyword === 'items' ? 'value' : 'inside';
}

function isGoodPractice(schema: Schema): boolean {
  return schema.format !== undefined && schema['x-level']?.format === 'should';
}

function translated(schema: Schema, place: SchemaPosition, definitions: Definitions): JsonSchema {
  if (schema['x-circular']) return inner(schema, place, definitions) as JsonSchema;
  const {
    type,
    format: stated,
    minimum,
    maximum,
    exclusiveMinimum,
    exclusiveMaximum,
    multipleOf,
    ...rest
  } = schema;
  const { 'x-types': several, 'x-nullable': nullable, enum: members, ...otherKeywords } = rest;
  const isOptional = place !== 'field' && place !== 'exact' && isGoodPractice(schema);
  const format = isOptional ? undefined : stated;
  const node: JsonSchema = Object.fromEntries(
    Object.entries(otherKeywords).filter(([name]) => !name.startsWith('x-') && !NO_RULES.has(name)),
  );
  const statedTypes = several ?? (type === undefined ? [] : [type]);
  const types =
    statedTypes.length > 0 ? [...new Set(nullable ? [...statedTypes, 'null'] : statedTypes)] : undefined;
  const bounds = present({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf });
  const mayBeNumber = types?.some(isNumeric) ?? Object.keys(bounds).length > 0;
  if (mayBeNumber) node['x-number'] = present({ types, format, ...bounds });
  else if (types) node.type = types.length === 1 ? types[0] : types;
  if (format !== undefined && !(statedTypes.length > 0 && statedTypes.every(isNumeric))) node.format = format;
  const areLarge = members?.some(
    (member) => typeof member === 'number' && Math.abs(member) > Number.MAX_SAFE_INTEGER,
  );
  const allowed = nullable && members && !members.includes(null) ? [...members, null] : members;
  // Values beyond doubles are bigints, which ajv does not compare.
  if (allowed) node[areLarge ? 'x-members' : 'enum'] = allowed;
  const within = (subschema: unknown, name: string) => inner(subschema, placeIn(place, name), definitions);
  for (const name of SUBSCHEMAS) if (rest[name] !== undefined) node[name] = within(rest[name], name);
  for (const name of SUBSCHEMA_LISTS)
    if (Array.isArray(rest[name]))
      node[name] = rest[name].map((subschema: unknown) => within(subschema, name));
  for (const name of SUBSCHEMA_MAPS) {
    const fields = rest[name];
    if (typeof fields !== 'object' || fields === null) continue;
    node[name] = Object.fromEntries(
      Object.entries(fields).map(([field, subschema]) => [field, within(subschema, name)]),
    );
  }
  leaveOutPatterns(node, schema, definitions.unjudged);
  leaveOutStrict(node, schema, place, definitions.unjudged);
  const branches = branchesOf(node);
  if (definitions.areBranchesLost) leaveOutBranches(node);
  else if (branches > 0) node['x-branches'] = branches;
  const comesBack = schema['x-other-direction'] ?? [];
  if (comesBack.length > 0)
    node.properties = {
      ...Object.fromEntries(comesBack.map((name) => [name, {}])),
      ...(node.properties as JsonSchema),
    };
  return nullable && isChoosy(node) ? { anyOf: [{ type: 'null' }, node] } : node;
}

function leaveOutPatterns(node: JsonSchema, schema: Schema, unjudged: ReadonlySet<string>): void {
  if (unjudged.has(String(schema.pattern))) delete node.pattern;
  const lost = Object.keys(schema.patternProperties ?? {}).filter((pattern) => unjudged.has(pattern));
  if (lost.length === 0) return;
  for (const pattern of lost) delete (node.patternProperties as JsonSchema)[pattern];
  // It may be about properties with such names.
  delete node.additionalProperties;
}

/** Keywords by which a value or one inside it is judged by several schemas. */
const BRANCHES = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'contains', 'patternProperties'];

/** The number of schemas in these keywords of a node. */
function branchesOf(node: JsonSchema): number {
  return BRANCHES.flatMap((name) =>
    name === 'patternProperties' ? Object.keys(node[name] ?? {}) : node[name],
  ).filter((branch) => branch !== undefined).length;
}

function leaveOutBranches(node: JsonSchema): void {
  // It may be about properties with such names.
  if (node.patternProperties !== undefined) delete node.additionalProperties;
  for (const name of [...BRANCHES, 'minContains', 'maxContains']) delete node[name];
}

/** Leaves out keywords that would reject valid values because something inside them is not judged. */
function leaveOutStrict(
  node: JsonSchema,
  schema: Schema,
  place: SchemaPosition,
  unjudged: ReadonlySet<string>,
): void {
  // `not` and `if` keep their formats.
  const isUnjudged: IsUnjudged = (subschema, keyword) =>
    isPartlyJudged(subschema) ||
    patternsOf(subschema).some((pattern) => unjudged.has(pattern)) ||
    (placeIn(place, keyword) !== 'exact' && isGoodPractice(subschema));
  for (const keyword of tooStrict(schema, isUnjudged)) {
    if (keyword === 'oneOf' && node.anyOf === undefined) node.anyOf = node.oneOf;
    else if (keyword === 'oneOf') node.allOf = [...((node.allOf as unknown[]) ?? []), { anyOf: node.oneOf }];
    delete node[keyword];
  }
}

function isNumeric(type: string): boolean {
  return type === 'integer' || type === 'number';
}

function present(keywords: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));
}

/** Keywords that restrict nothing: without them, equal schemas have one validator. */
const NO_RULES = new Set([
  'description',
  'title',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
]);

/** Whether a schema has members that null would have to fit. */
function isChoosy(node: JsonSchema): boolean {
  return ['allOf', 'anyOf', 'oneOf', 'not', 'if'].some((name) => node[name] !== undefined);
}
