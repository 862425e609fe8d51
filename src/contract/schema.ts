import type { Schema } from '../model/contract.ts';

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Field {
  /** Requirement id: the field's component and name. */
  id: string;
  schema: Schema;
  required: boolean;
  /** The section of the schema around it, or else the name of that component. */
  section: string | undefined;
  /** The versions that introduced the field and the schemas around it, if stated. */
  since: readonly unknown[];
}

/**
 * Every field of a schema, outermost first. The fields of a component in several places are named once.
 * @param prefix what the ids of the fields begin with: the name of the component, or the id of the requirement around them
 * @param seen the components whose fields were named before
 */
export function fieldsOf(
  schema: Schema,
  prefix: string,
  since: readonly unknown[] = [],
  seen: Set<Schema> = new Set(),
): Field[] {
  const { 'x-circular': whole, 'x-component': component } = schema;
  if (whole) return fieldsOf(whole, whole['x-component'] ?? prefix, since, seen);
  if (component === prefix) {
    if (seen.has(schema)) return [];
    seen.add(schema);
  }
  if (schema.items) return fieldsOf(schema.items, schema.items['x-component'] ?? prefix, since, seen);
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const id = `${prefix}.${name}`;
    const required = schema.required?.includes(name) ?? false;
    const stated = isObject(field['x-since']) ? since : [...since, field['x-since']];
    const below = fieldsOf(field, prefixIn(field, id), stated, seen);
    const section = schema['x-section'] ?? (component === prefix ? component : undefined);
    return [{ id, schema: field, required, section, since: stated }, ...below];
  });
}

/** Prefix of the ids of the fields inside a field. Fields of a list are named by its entries. */
function prefixIn(field: Schema, id: string): string {
  return field.items ? id : (field['x-component'] ?? id);
}

/** The components of the entries of a body, each of which is a requirement; outermost first. */
export function entriesOf(schema: Schema): Schema[] {
  const components: Schema[] = [];
  let { items } = schema;
  while (items?.['x-component'] !== undefined && !components.includes(items)) {
    components.push(items);
    items = items.items;
  }
  return components;
}

/** The keywords of a schema that were added later, with the versions that introduced them. */
export function ruleVersions(schema: Schema): Readonly<Record<string, string>> | undefined {
  const since = schema['x-since'];
  return typeof since === 'object' ? since : undefined;
}

/**
 * The id of the requirement of a keyword: that of the schema, or a separate one if the keyword was added later, so that no
 * requirement ever asks for more than before.
 */
export function ruleIdOf(id: string, schema: Schema, keyword: string): string {
  return ruleVersions(schema)?.[keyword] === undefined ? id : `${id}.${keyword}`;
}

/** The requirements of a value. */
export interface Owner {
  /** The requirement that owns the value itself. */
  id: string;
  /** Prefix of the ids of its fields. */
  prefix: string;
  /** Whether it is a body, or an entry of one: then the component of its entries is also a requirement. */
  isBody: boolean;
}

export function bodyOwner(id: string): Owner {
  return { id, prefix: id, isBody: true };
}

/** The owner of the entries of a list. */
export function entryOwner(entry: Schema, { id, prefix, isBody }: Owner): Owner {
  const component = entry['x-component'];
  if (component === undefined) return { id, prefix, isBody: false };
  return { id: isBody ? component : id, prefix: component, isBody };
}

/** The owner of a value whose schema is a component around it. */
export function circularOwner(whole: Schema, { id, prefix }: Owner): Owner {
  return { id, prefix: whole['x-component'] ?? prefix, isBody: false };
}

/** The owner of a field of an object. */
export function fieldOwner(field: Schema, name: string, { prefix }: Owner): Owner {
  const id = `${prefix}.${name}`;
  return { id, prefix: prefixIn(field, id), isBody: false };
}

/**
 * The id of the requirement that owns the place at `pointer` (segments of a JSON Pointer) in a value of this schema: that of
 * the field, or else of the nearest value around it that has one. So it always exists.
 * @param keyword the violated keyword, if some keywords are separate requirements
 */
export function ownerOf(
  schema: Schema,
  owner: Owner,
  [segment, ...rest]: readonly string[],
  keyword?: string,
): string {
  if (segment === undefined) return owner.id;
  const { 'x-circular': whole, items, properties = {} } = schema;
  if (whole) return ownerOf(whole, circularOwner(whole, owner), [segment, ...rest], keyword);
  if (items) return ownerOf(items, entryOwner(items, owner), rest, keyword);
  const field = Object.hasOwn(properties, segment) ? properties[segment] : undefined;
  if (!field) return owner.id;
  const inner = fieldOwner(field, segment, owner);
  if (rest.length > 0) return ownerOf(field, inner, rest, keyword);
  return keyword === undefined ? inner.id : ruleIdOf(inner.id, field, keyword);
}

/** The schema of a place in a value; undefined if only alternatives or patterns describe it. */
export function schemaAt(schema: Schema, [segment, ...rest]: readonly string[]): Schema | undefined {
  if (segment === undefined) return schema;
  const inner = schemaBelow(schema['x-circular'] ?? schema, segment);
  return inner && schemaAt(inner, rest);
}

function schemaBelow(
  { items, properties = {}, prefixItems, patternProperties, additionalProperties }: Schema,
  segment: string,
): Schema | undefined {
  if (Object.hasOwn(properties, segment)) return properties[segment];
  const first = Array.isArray(prefixItems) ? prefixItems[Number(segment)] : undefined;
  if (isObject(first)) return first;
  if (items) return items;
  return patternProperties === undefined && isObject(additionalProperties) ? additionalProperties : undefined;
}

/** The types of a schema; empty if it allows any. */
export function typesOf({ type, 'x-types': types = [] }: Schema): readonly string[] {
  return type === undefined ? types : [type];
}

/** The schemas in anyOf and oneOf. */
export function alternativesOf({ anyOf, oneOf }: Schema): Schema[] {
  return [anyOf, oneOf].flatMap((members) => (Array.isArray(members) ? (members as Schema[]) : []));
}

/** The schemas in anyOf, oneOf and allOf. */
export function membersOf(schema: Schema): Schema[] {
  const { allOf } = schema;
  return [...alternativesOf(schema), ...(Array.isArray(allOf) ? (allOf as Schema[]) : [])];
}

/** Whether a value of a schema may be an object. @param seen visited schemas, as one may be in very many places */
export function mayBeObject(schema: Schema, seen = new Set<Schema>()): boolean {
  if (seen.has(schema)) return false;
  seen.add(schema);
  return typesOf(schema).includes('object') || membersOf(schema).some((member) => mayBeObject(member, seen));
}
