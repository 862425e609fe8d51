import type { Schema } from '../../model/contract.ts';
import { isObject } from '../schema.ts';
import { FIRST_SET } from '../sets.ts';
import { merged } from './all-of.ts';
import { isPattern, keywordsOf, SUBSCHEMA_LISTS, SUBSCHEMA_MAPS, SUBSCHEMAS } from './keywords.ts';
import { follow } from './references.ts';

/** Whether a value is sent or received: what is read-only is never sent, and what is write-only never received. */
export type Direction = 'request' | 'response';

/** Reads the schemas of one document. */
export interface SchemaReader {
  /** @param onGap told what petspec cannot derive from it */
  read(source: unknown, direction: Direction, onGap: (words: string) => void): Schema;
}

interface Component {
  schema: Schema;
  gaps: Set<string>;
  isRead: boolean;
}

/** What is read, and how deep inside it a schema is. */
interface Reading {
  direction: Direction;
  /** What petspec cannot derive from it. */
  gaps: Set<string>;
  depth: number;
}

/** Deeper than any schema that somebody wrote. */
const MAX_DEPTH = 100;

/**
 * Reads schemas of OpenAPI 3.0 and 3.1 as schemas of 2020-12 in petspec's form: one type, references replaced, `allOf`
 * merged. A component is read once, however many operations refer to it, so it takes the memory of one; inside itself it is
 * named, not repeated.
 * @param formats how much the format of a property binds
 */
export function schemaReader(
  document: Readonly<Record<string, unknown>>,
  formats: 'must' | 'should' = 'should',
): SchemaReader {
  const schemas = new Schemas(document, formats);
  return {
    read(source, direction, onGap) {
      const gaps = new Set<string>();
      const found = schemas.read(source, { direction, gaps, depth: 0 });
      for (const each of gaps) onGap(each);
      return found;
    },
  };
}

class Schemas {
  readonly #document: Readonly<Record<string, unknown>>;
  readonly #formats: 'must' | 'should';
  readonly #components = new Map<string, Component>();

  constructor(document: Readonly<Record<string, unknown>>, formats: 'must' | 'should') {
    this.#document = document;
    this.#formats = formats;
  }

  read(source: unknown, reading: Reading): Schema {
    const { direction, gaps, depth } = reading;
    if (depth > MAX_DEPTH) {
      gaps.add(`a schema is nested more than ${MAX_DEPTH} levels deep; petspec does not look further`);
      return {};
    }
    if (source === false) return { not: {} };
    if (!isObject(source)) return {};
    const deeper = { ...reading, depth: depth + 1 };
    const { $ref, ...beside } = source;
    if (typeof $ref === 'string') return this.#readReference($ref, beside, deeper);
    const own = withSubschemas(source, gaps, (each) => this.read(each, deeper));
    const { allOf, ...rest } = own;
    const whole = Array.isArray(allOf) && allOf.length > 0 ? merged(rest, allOf as Schema[]) : rest;
    return inDirection(whole, direction, source, this.#formats);
  }

  /** @param beside the keywords next to `$ref` */
  #readReference($ref: string, beside: Record<string, unknown>, reading: Reading): Schema {
    const target = this.#readComponent($ref, reading);
    const own = keywordsOf(beside, () => {});
    const isPlain = Object.keys(own).every((each) => each === 'description' || each === 'title');
    return isPlain ? target : { ...merged(this.read(beside, reading), [target]), ...named(target, own) };
  }

  /** The schema of a component; inside itself, the one that is being read. */
  #readComponent($ref: string, { direction, gaps, depth }: Reading): Schema {
    const key = `${direction} ${$ref}`;
    const known = this.#components.get(key);
    if (known?.isRead) {
      for (const each of known.gaps) gaps.add(each);
      return known.schema;
    }
    const { name = $ref, value } = follow(this.#document, $ref);
    if (known) return { 'x-component': name, 'x-circular': known.schema };
    const made: Component = { schema: {}, gaps: new Set(), isRead: false };
    this.#components.set(key, made);
    try {
      const read = this.read(value, { direction, gaps: made.gaps, depth });
      Object.assign(made.schema, withoutVersion(read), { 'x-component': name });
    } catch (error) {
      this.#components.delete(key);
      throw error;
    }
    made.isRead = true;
    for (const each of made.gaps) gaps.add(each);
    return made.schema;
  }
}

/** The keywords of a schema with the schemas inside it read. */
function withSubschemas(
  source: Record<string, unknown>,
  gaps: Set<string>,
  read: (each: unknown) => Schema,
): Schema {
  const own: Record<string, unknown> = { ...keywordsOf(source, (words) => gaps.add(words)) };
  for (const name of SUBSCHEMAS) if (source[name] !== undefined) own[name] = read(source[name]);
  for (const name of SUBSCHEMA_LISTS) if (Array.isArray(source[name])) own[name] = source[name].map(read);
  for (const name of SUBSCHEMA_MAPS)
    if (isObject(source[name])) own[name] = mapValues(members(name, source[name]), read);
  if (typeof source.additionalProperties === 'boolean')
    own.additionalProperties = source.additionalProperties;
  // Before 2020-12 a list of schemas in `items` had the meaning of `prefixItems`.
  if (Array.isArray(source.items)) own.prefixItems = source.items.map(read);
  if (isObject(source.discriminator) && own.oneOf) {
    // The discriminator chooses the member, so it does not matter whether another one fits as well.
    own.anyOf = own.oneOf;
    delete own.oneOf;
  }
  return own as Schema;
}

/** The members of a mapping of schemas, without patterns that are not regular expressions. */
function members(keyword: string, values: Record<string, unknown>): Record<string, unknown> {
  if (keyword !== 'patternProperties') return values;
  return Object.fromEntries(Object.entries(values).filter(([pattern]) => isPattern(pattern)));
}

/** A component beside which something is said keeps its name, unless that changes what it allows. */
function named(target: Schema, own: Schema): Schema {
  const name = target['x-component'];
  const isSame = Object.keys(own).every((each) => each.startsWith('x-') || each === 'description');
  return name !== undefined && isSame ? { 'x-component': name } : {};
}

/** The properties that go in this direction. The format of a property is good practice, and a requirement of its own. */
function inDirection(
  schema: Schema,
  direction: Direction,
  source: Record<string, unknown>,
  formats: 'must' | 'should',
): Schema {
  const { properties } = schema;
  if (!properties) return schema;
  const stated = isObject(source.properties) ? source.properties : {};
  const other = direction === 'request' ? 'readOnly' : 'writeOnly';
  const isOther = (name: string) => {
    const own = stated[name];
    return properties[name]?.[other] === true || (isObject(own) && own[other] === true);
  };
  const kept = Object.entries(properties).filter(([name]) => !isOther(name));
  return {
    ...schema,
    properties: Object.fromEntries(
      kept.map(([name, each]) => [name, formats === 'must' ? each : withOwnFormat(each)]),
    ),
    required: (schema.required ?? []).filter((name) => !isOther(name)),
  };
}

/** The version that introduced a field is that of the field, not of the component that it refers to. */
function withoutVersion({ 'x-since': since, ...schema }: Schema): Schema {
  return typeof since === 'object' ? { ...schema, 'x-since': since } : schema;
}

function withOwnFormat(field: Schema): Schema {
  if (field.format === undefined || field['x-since'] !== undefined) return field;
  return { ...field, 'x-since': { format: FIRST_SET }, 'x-level': { format: 'should' } };
}

function mapValues(values: Record<string, unknown>, read: (each: unknown) => Schema): Record<string, Schema> {
  return Object.fromEntries(Object.entries(values).map(([name, each]) => [name, read(each)]));
}
