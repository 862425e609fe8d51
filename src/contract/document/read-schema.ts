import type { Schema } from '../../model/contract.ts';
import { isObject } from '../schema.ts';
import { FIRST_SET } from '../sets.ts';
import { merged } from './all-of.ts';
import { type Dialect, keywordsOf, SUBSCHEMA_LISTS, SUBSCHEMA_MAPS, SUBSCHEMAS } from './keywords.ts';
import { patternMistake } from './patterns.ts';
import { follow } from './references.ts';
import { leftOut } from './unjudged.ts';

/** Whether a value is sent or received: what is read-only is never sent, and what is write-only never received. */
export type Direction = 'request' | 'response';

/** Reads the schemas of one document. */
export interface SchemaReader {
  /** @param onGap called with what petspec cannot derive from the schema */
  read(source: unknown, direction: Direction, onGap: (words: string) => void): Schema;
}

interface Component {
  schema: Schema;
  gaps: Set<string>;
  isRead: boolean;
  /** The components that are cut off inside it, because it also describes them. */
  cut: Set<Component>;
}

/** The state of reading a schema. */
interface SchemaReading {
  direction: Direction;
  /** What petspec cannot derive from the schema. */
  gaps: Set<string>;
  depth: number;
  /** The components in progress that describe this very value. */
  describing: readonly Component[];
  /** Collects components that lead to themselves. */
  cut: Set<Component>;
}

/** Components that describe each other are read repeatedly, and there may be very many ways to do that. */
const MOST_AGAIN = 5_000;

/** Deeper than any hand-written schema. */
const MAX_DEPTH = 100;

/**
 * Reads schemas of OpenAPI 3.0 and 3.1 as schemas of 2020-12 in petspec's form: one type, references replaced, `allOf` merged.
 * A component is read once, however many operations refer to it, and takes the memory of one; inside itself it is named, not
 * repeated.
 * @param formats how much the format of a property binds
 * @param placeOf the file and the line of a pattern, if it is found
 */
export function schemaReader(
  document: Readonly<Record<string, unknown>>,
  formats: 'must' | 'should' = 'should',
  placeOf: Dialect['placeOf'] = () => '',
): SchemaReader {
  const schemas = new Schemas(document, formats, placeOf);
  return {
    read(source, direction, onGap) {
      const gaps = new Set<string>();
      const schema = schemas.read(source, { direction, gaps, depth: 0, describing: [], cut: new Set() });
      if (gaps.size > 0) for (const words of leftOut(schema)) gaps.add(words);
      for (const words of gaps) onGap(words);
      return schema;
    },
  };
}

class Schemas {
  readonly #document: Readonly<Record<string, unknown>>;
  readonly #formats: 'must' | 'should';
  readonly #dialect: Dialect;
  readonly #components = new Map<string, Component>();
  /** The components whose reading has begun, and how often one was begun again. */
  readonly #begun = new Set<string>();
  #again = 0;

  constructor(
    document: Readonly<Record<string, unknown>>,
    formats: 'must' | 'should',
    placeOf: Dialect['placeOf'],
  ) {
    this.#document = document;
    this.#formats = formats;
    this.#dialect = { areExtended: formats === 'must', placeOf };
  }

  read(source: unknown, reading: SchemaReading): Schema {
    const { direction, gaps, depth } = reading;
    if (depth > MAX_DEPTH) {
      gaps.add(`a schema is nested more than ${MAX_DEPTH} levels deep; petspec does not look further`);
      return { 'x-unjudged': true };
    }
    if (source === false) return { not: {} };
    if (!isObject(source)) return {};
    const deeper = { ...reading, depth: depth + 1 };
    const { $ref, ...beside } = source;
    if (typeof $ref === 'string') return this.#readReference($ref, beside, deeper);
    const { allOf, ...rest } = withSubschemas(source, { ...this.#dialect, gaps }, (subschema, isSameValue) =>
      this.read(subschema, isSameValue ? deeper : { ...deeper, describing: [] }),
    );
    const parts = Array.isArray(allOf) ? (allOf as Schema[]) : [];
    const whole = parts.length > 0 ? merged(rest, parts) : rest;
    if (whole['x-unjudged'] && ![rest, ...parts].some((part) => part['x-unjudged']))
      gaps.add('additionalProperties is not judged where another part of an allOf may name more properties');
    return inDirection(whole, direction, source, this.#formats);
  }

  /** @param stated the keywords next to `$ref` */
  #readReference($ref: string, stated: Record<string, unknown>, reading: SchemaReading): Schema {
    const target = this.#readComponent($ref, reading);
    const beside = this.#besideReference(stated, reading.gaps);
    const keywords = keywordsOf(beside, this.#dialect, () => {});
    const isPlain = Object.keys(keywords).every(
      (keyword) => keyword === 'description' || keyword === 'title',
    );
    if (isPlain) return target;
    const whole = { ...merged(this.read(beside, reading), [target]), ...named(target, keywords) };
    return inDirection(whole, reading.direction, beside, this.#formats);
  }

  /** OpenAPI 3.0 ignores keywords next to `$ref`. Those that reject no value are read all the same. */
  #besideReference(stated: Record<string, unknown>, gaps: Set<string>): Record<string, unknown> {
    if (!String(this.#document.openapi).startsWith('3.0') && this.#document.openapi !== 3) return stated;
    const ignored = Object.keys(stated).filter(
      (name) => !name.startsWith('x-') && !BESIDE_REFERENCE.has(name),
    );
    if (ignored.length > 0)
      gaps.add(`OpenAPI 3.0 ignores what is next to a $ref, so it is not judged: ${ignored.join(', ')}`);
    return Object.fromEntries(Object.entries(stated).filter(([name]) => !ignored.includes(name)));
  }

  /** The schema of a component; inside itself, the unfinished schema. */
  #readComponent($ref: string, reading: SchemaReading): Schema {
    const { direction, gaps, describing } = reading;
    const key = `${direction} ${$ref}`;
    const earlier = this.#components.get(key);
    if (earlier?.isRead) {
      for (const gap of earlier.gaps) gaps.add(gap);
      return earlier.schema;
    }
    const { name = $ref, value } = follow(this.#document, $ref);
    if (earlier && describing.includes(earlier)) {
      // It would repeat itself for the same value, without end.
      gaps.add(`${name} is described by way of itself, which adds nothing and is not judged`);
      reading.cut.add(earlier);
      return {};
    }
    if (earlier && isWhole(earlier)) return { 'x-component': name, 'x-circular': earlier.schema };
    if (this.#begun.has(key)) this.#again += 1;
    this.#begun.add(key);
    if (this.#again > MOST_AGAIN) {
      gaps.add('schemas lead to each other in more ways than petspec looks at');
      return { 'x-unjudged': true };
    }
    const component: Component = { schema: {}, gaps: new Set(), isRead: false, cut: new Set() };
    this.#components.set(key, component);
    try {
      const deeper = {
        ...reading,
        gaps: component.gaps,
        describing: [...describing, component],
        cut: component.cut,
      };
      Object.assign(component.schema, withoutVersion(this.read(value, deeper)), { 'x-component': name });
    } catch (error) {
      this.#components.delete(key);
      throw error;
    }
    component.isRead = true;
    for (const gap of component.gaps) gaps.add(gap);
    // An incomplete component is read again elsewhere, where what it lacks is not around it.
    if (!isWhole(component) && this.#components.get(key) === component) this.#components.delete(key);
    for (const cut of component.cut) if (cut !== component) reading.cut.add(cut);
    return component.schema;
  }
}

/** Keywords that reject no value. */
const BESIDE_REFERENCE = new Set([
  ...['title', 'description', 'summary', 'default', 'example', 'examples', 'externalDocs', 'xml'],
  ...['deprecated', 'nullable', 'readOnly', 'writeOnly', '$comment'],
]);

/** Whether no other component is cut off inside a component. */
function isWhole(component: Component): boolean {
  return [...component.cut].every((cutOff) => cutOff === component);
}

/** Keywords whose schemas describe the same value as the schema around them. */
const OF_SAME_VALUE = new Set(['not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf']);

/** The keywords of a schema, with the schemas inside it. */
function withSubschemas(
  source: Record<string, unknown>,
  { gaps, ...dialect }: Dialect & { gaps: Set<string> },
  readOf: (subschema: unknown, isSameValue: boolean) => Schema,
): Schema {
  const keywords: Record<string, unknown> = { ...keywordsOf(source, dialect, (words) => gaps.add(words)) };
  const read = (subschema: unknown) => readOf(subschema, false);
  for (const name of SUBSCHEMAS)
    if (source[name] !== undefined) keywords[name] = readOf(source[name], OF_SAME_VALUE.has(name));
  for (const name of SUBSCHEMA_LISTS)
    if (Array.isArray(source[name]))
      keywords[name] = source[name].map((subschema) => readOf(subschema, OF_SAME_VALUE.has(name)));
  for (const name of SUBSCHEMA_MAPS)
    if (isObject(source[name])) keywords[name] = mapValues(source[name], read);
  const lost = Object.keys(keywords.patternProperties ?? {}).filter(patternMistake);
  if (!dialect.areExtended && keywords.format !== undefined && !OF_NUMBERS.has(keywords.format as string))
    keywords['x-level'] = GOOD_PRACTICE;
  if (typeof source.additionalProperties === 'boolean')
    keywords.additionalProperties = source.additionalProperties;
  if (lost.length > 0) {
    for (const pattern of lost) gaps.add(`${dialect.placeOf(pattern)}${patternMistake(pattern)}`);
    const kept = Object.entries(keywords.patternProperties ?? {}).filter(
      ([pattern]) => !lost.includes(pattern),
    );
    keywords.patternProperties = Object.fromEntries(kept);
    keywords['x-unjudged'] = true;
    // It may apply to properties with such names.
    delete keywords.additionalProperties;
  }
  // Before 2020-12, a list in `items` had the meaning of `prefixItems`.
  if (Array.isArray(source.items)) keywords.prefixItems = source.items.map(read);
  if (isObject(source.discriminator) && keywords.oneOf) {
    // The discriminator chooses the member, so others may fit as well.
    keywords.anyOf = keywords.oneOf;
    delete keywords.oneOf;
    keywords['x-discriminator'] = source.discriminator;
  } else if (isObject(source.discriminator)) keywords['x-named-by'] = source.discriminator;
  return keywords as Schema;
}

/** A component with keywords beside its reference keeps its name, unless they change what it allows. */
function named(target: Schema, keywords: Schema): Schema {
  const name = target['x-component'];
  const isSame = Object.keys(keywords).every(
    (keyword) => keyword.startsWith('x-') || keyword === 'description',
  );
  return name !== undefined && isSame ? { 'x-component': name } : {};
}

/** Formats that restrict numbers, as bounds do. */
const OF_NUMBERS = new Set(['int32', 'int64', 'float', 'double']);

/** The level of formats of texts in documents that are not petspec's own. */
const GOOD_PRACTICE = { format: 'should' } as const;

/** The schema with the properties of this direction. The format of a property is good practice, and a separate requirement. */
function inDirection(
  schema: Schema,
  direction: Direction,
  source: Record<string, unknown>,
  formats: 'must' | 'should',
): Schema {
  const { properties, required } = schema;
  const stated = isObject(source.properties) ? source.properties : {};
  const keyword = direction === 'request' ? 'readOnly' : 'writeOnly';
  const isOther = (name: string) => {
    const statedField = stated[name];
    return properties?.[name]?.[keyword] === true || (isObject(statedField) && statedField[keyword] === true);
  };
  const removed = Object.keys(properties ?? {}).filter(isOther);
  const otherNames = [...new Set([...(schema['x-other-direction'] ?? []), ...removed])];
  if (!properties && otherNames.length === 0) return schema;
  const kept = Object.entries(properties ?? {}).filter(([name]) => !removed.includes(name));
  const fields = kept.map(
    ([name, field]) => [name, formats === 'must' ? field : withOwnFormat(field)] as const,
  );
  return {
    ...schema,
    ...(properties ? { properties: Object.fromEntries(fields) } : {}),
    required: (required ?? []).filter((name) => !otherNames.includes(name)),
    ...(otherNames.length > 0 ? { 'x-other-direction': otherNames } : {}),
  };
}

/** A field has its own version, not that of the component that it refers to. */
function withoutVersion({ 'x-since': since, ...schema }: Schema): Schema {
  return typeof since === 'object' ? { ...schema, 'x-since': since } : schema;
}

function withOwnFormat(field: Schema): Schema {
  if (field.format === undefined || field['x-since'] !== undefined) return field;
  return { ...field, 'x-since': { format: FIRST_SET }, 'x-level': GOOD_PRACTICE };
}

function mapValues(
  values: Record<string, unknown>,
  read: (value: unknown) => Schema,
): Record<string, Schema> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, read(value)]));
}
