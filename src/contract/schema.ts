import type { Schema } from '../model/contract.ts';

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface Field {
  /** Requirement id: the field's component and name. */
  id: string;
  schema: Schema;
  required: boolean;
  section: string | undefined;
  /** The versions that introduced the field and the schemas around it, if stated. */
  since: readonly unknown[];
}

/**
 * Every field of a schema, outermost first. `owner` is the requirement id of the schema itself. The fields of a component
 * that is in several places are named once.
 * @param seen the components whose fields were named before
 */
export function fieldsOf(
  schema: Schema,
  owner: string,
  since: readonly unknown[] = [],
  seen: Set<Schema> = new Set(),
): Field[] {
  if (schema.items) return fieldsOf(schema.items, schema.items['x-component'] ?? owner, since, seen);
  if (schema['x-component'] !== undefined) {
    if (seen.has(schema)) return [];
    seen.add(schema);
  }
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const id = `${owner}.${name}`;
    const required = schema.required?.includes(name) ?? false;
    const stated = isObject(field['x-since']) ? since : [...since, field['x-since']];
    const inner = field.items ?? field;
    const below = inner.properties ? fieldsOf(inner, inner['x-component'] ?? id, stated, seen) : [];
    return [{ id, schema: field, required, section: schema['x-section'], since: stated }, ...below];
  });
}

/** The keywords of a schema that were added later, with the versions that introduced them. */
export function ruleVersions(schema: Schema): Readonly<Record<string, string>> | undefined {
  const since = schema['x-since'];
  return typeof since === 'object' ? since : undefined;
}

/**
 * The requirement that a keyword of a schema belongs to: the schema's own, or a separate one if the keyword was added
 * later. So no id ever asks for more than it did.
 */
export function ruleIdOf(id: string, schema: Schema, keyword: string): string {
  return ruleVersions(schema)?.[keyword] === undefined ? id : `${id}.${keyword}`;
}

/**
 * The requirement that owns the place at `pointer` (segments of a JSON Pointer) in a value of this schema.
 * An unknown field belongs to the object that contains it.
 */
export function ownerOf(schema: Schema, owner: string, pointer: readonly string[]): string {
  const [segment, ...rest] = pointer;
  if (segment === undefined) return owner;
  const whole = schema['x-circular'];
  if (whole) return ownerOf(whole, whole['x-component'] ?? owner, pointer);
  if (schema.items) return ownerOf(schema.items, schema.items['x-component'] ?? owner, rest);
  const field = schema.properties?.[segment];
  if (!field) return owner;
  const object = (field['x-circular'] ?? field).properties ?? field.items?.properties;
  const component = field.items ? field.items['x-component'] : field['x-component'];
  const own = `${owner}.${segment}`;
  return ownerOf(field, rest.length > 0 && object && component && !field.items ? component : own, rest);
}
