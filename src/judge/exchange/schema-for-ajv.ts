import { SUBSCHEMA_LISTS, SUBSCHEMA_MAPS, SUBSCHEMAS } from '../../contract/document/keywords.ts';
import type { Schema } from '../../model/contract.ts';

type Node = Record<string, unknown>;

/** The components that a schema has in several places, by the names that ajv knows them by. */
interface Definitions {
  names: Map<Schema, string>;
  nodes: Record<string, Node>;
}

/**
 * A schema for ajv: what may be a number uses the keyword `x-number`, everything else is unchanged. Each component is defined once, so
 * that one in many places, or inside itself, takes the room of one.
 */
export function forAjv(schema: Schema): Node {
  const definitions: Definitions = { names: new Map(), nodes: {} };
  return { ...translated(schema, definitions), $defs: definitions.nodes };
}

/** A schema inside another one. */
function inner(value: unknown, definitions: Definitions): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const schema = value as Schema;
  const component = schema['x-circular'] ?? (schema['x-component'] === undefined ? undefined : schema);
  if (!component) return translated(schema, definitions);
  const known = definitions.names.get(component);
  const name = known ?? `c${definitions.names.size}`;
  if (known === undefined) {
    definitions.names.set(component, name);
    definitions.nodes[name] = translated(component, definitions);
  }
  return { $ref: `#/$defs/${name}` };
}

function translated(schema: Schema, definitions: Definitions): Node {
  if (schema['x-circular']) return inner(schema, definitions) as Node;
  const { type, format, minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf, ...rest } = schema;
  const { 'x-types': several, 'x-nullable': nullable, enum: members, ...others } = rest;
  const node: Node = Object.fromEntries(
    Object.entries(others).filter(([name]) => !name.startsWith('x-') && !NO_RULES.has(name)),
  );
  const own = several ?? (type === undefined ? [] : [type]);
  const types = own.length > 0 ? [...new Set(nullable ? [...own, 'null'] : own)] : undefined;
  const bounds = stated({ minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf });
  const mayBeNumber = types?.some(isNumeric) ?? Object.keys(bounds).length > 0;
  if (mayBeNumber) node['x-number'] = stated({ types, format, ...bounds });
  else if (types) node.type = types.length === 1 ? types[0] : types;
  if (format !== undefined && !(own.length > 0 && own.every(isNumeric))) node.format = format;
  if (members) node.enum = nullable && !members.includes(null) ? [...members, null] : members;
  for (const name of SUBSCHEMAS) if (rest[name] !== undefined) node[name] = inner(rest[name], definitions);
  for (const name of SUBSCHEMA_LISTS)
    if (Array.isArray(rest[name])) node[name] = rest[name].map((each: unknown) => inner(each, definitions));
  for (const name of SUBSCHEMA_MAPS) {
    const fields = rest[name];
    if (typeof fields !== 'object' || fields === null) continue;
    node[name] = Object.fromEntries(
      Object.entries(fields).map(([field, each]) => [field, inner(each, definitions)]),
    );
  }
  return nullable && isChoosy(node) ? { anyOf: [{ type: 'null' }, node] } : node;
}

function isNumeric(type: string): boolean {
  return type === 'integer' || type === 'number';
}

function stated(keywords: Node): Node {
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
function isChoosy(node: Node): boolean {
  return ['allOf', 'anyOf', 'oneOf', 'not', 'if'].some((name) => node[name] !== undefined);
}
