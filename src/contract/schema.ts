import { ContractError, type Schema } from '../model/contract.ts';

type Document = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The value that a reference `#/a/b` of an OpenAPI document names; its name is the last segment.
 * @throws ContractError if it names nothing
 */
export function follow(
  document: Document,
  reference: string,
): { name: string; value: Record<string, unknown> } {
  const segments = reference.replace(/^#\//, '').split('/');
  let value: unknown = document;
  for (const segment of segments)
    value = isObject(value) && Object.hasOwn(value, segment) ? value[segment] : undefined;
  if (!reference.startsWith('#/') || !isObject(value))
    throw new ContractError(`${reference}: nothing in the document has this name`);
  return { name: segments.at(-1) ?? '', value };
}

/** The most schemas that one schema may consist of: references that double at each step would fill the memory. */
const MAX_SCHEMAS = 1_000;

/**
 * A schema with its references replaced and `allOf` merged, so that each field is in one place.
 * @throws ContractError for a reference that names nothing, or a schema that contains itself
 */
export function dereference(document: Document, schema: unknown): Schema {
  return resolved(document, schema, [], { left: MAX_SCHEMAS });
}

function resolved(
  document: Document,
  schema: unknown,
  within: readonly string[],
  budget: { left: number },
): Schema {
  budget.left -= 1;
  if (budget.left < 0)
    throw new ContractError(
      `${within[0] ?? 'schema'}: its references expand to more than ${MAX_SCHEMAS} schemas`,
    );
  if (!isObject(schema)) throw new ContractError(`${within.at(-1) ?? 'schema'}: expected a schema object`);
  if (typeof schema.$ref === 'string') {
    if (within.includes(schema.$ref)) throw new ContractError(`${schema.$ref}: this schema contains itself`);
    const { name, value } = follow(document, schema.$ref);
    const named = resolved(document, value, [...within, schema.$ref], budget);
    // The version of a field is its own, not that of the component that it refers to.
    const since = (schema['x-since'] as Schema['x-since']) ?? ruleVersions(named);
    const { 'x-since': _its, ...rest } = named;
    return { ...rest, 'x-component': name, ...(since === undefined ? {} : { 'x-since': since }) };
  }
  const { allOf, properties, items, ...rest } = schema;
  let merged: Schema = rest;
  if (Array.isArray(allOf)) {
    for (const part of allOf) {
      const {
        'x-component': _name,
        'x-section': _section,
        ...flat
      } = resolved(document, part, within, budget);
      merged = {
        ...flat,
        ...merged,
        required: [...(merged.required ?? []), ...(flat.required ?? [])],
        properties: { ...flat.properties, ...merged.properties },
      };
    }
  }
  if (isObject(items)) merged = { ...merged, items: resolved(document, items, within, budget) };
  if (isObject(properties)) {
    const own = Object.entries(properties).map(
      ([name, field]) => [name, resolved(document, field, within, budget)] as const,
    );
    merged = { ...merged, properties: { ...merged.properties, ...Object.fromEntries(own) } };
  }
  return merged;
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
