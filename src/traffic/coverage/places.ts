import type { DocumentedResponse, Operation, Parameter, Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';
import type { Steps } from '../../model/large/steps.ts';

/** The counted keywords, and the values that they apply to. */
const KEYWORDS: Readonly<Record<string, (value: Json) => boolean>> = {
  ...every(['type', 'enum', 'anyOf', 'oneOf', 'not', 'if'], () => true),
  ...every(['minLength', 'maxLength', 'pattern'], isText),
  ...every(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'], isNumber),
  ...every(['minItems', 'maxItems', 'uniqueItems', 'prefixItems', 'contains'], Array.isArray),
  ...every(['minProperties', 'maxProperties', 'patternProperties', 'propertyNames'], isMapping),
  ...every(['additionalProperties', 'dependentRequired'], isMapping),
  format: (value) => isText(value) || isNumber(value),
};

function every<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

function isText(value: Json): boolean {
  return typeof value === 'string';
}

function isNumber(value: Json): boolean {
  return typeof value === 'number' || typeof value === 'bigint';
}

function isMapping(value: Json): value is { [name: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A place in a value that a schema describes. */
export interface SchemaPlace {
  /** Its name, as requirements have it: `Pet.name`; of an entry of a list, `Pet.tags[]`. */
  name: string;
  keywords: readonly string[];
  /** Whether the value may not be missing. */
  isRequired: boolean;
  /** Without `x-circular`. */
  schema: Schema;
  /** The prefix of the names of the places inside. */
  owner: string;
}

/** The places of the schemas of an interface. A component has the same places wherever it is used. */
export interface SchemaPlaces {
  of(schema: Schema, name: string, owner?: string, isRequired?: boolean): SchemaPlace;
  /** The fields of an object, and the entries of a list. */
  inside(place: SchemaPlace): { fields: ReadonlyMap<string, SchemaPlace>; entry?: SchemaPlace | undefined };
}

/** Makes {@link SchemaPlaces} that remember the inside of each schema. */
export function places(): SchemaPlaces {
  const insides = new Map<Schema, ReturnType<SchemaPlaces['inside']>>();
  const placeFor: SchemaPlaces['of'] = (schema, name, owner = name, isRequired = false) => {
    const whole = schema['x-circular'] ?? schema;
    const component = whole['x-component'];
    return {
      name,
      keywords: keywordsOf(whole),
      isRequired,
      schema: whole,
      owner: component !== undefined && whole.properties ? component : owner,
    };
  };
  return {
    of: placeFor,
    inside({ schema, owner }) {
      const before = insides.get(schema);
      if (before) return before;
      const fields = Object.entries(schema.properties ?? {}).map(([name, field]) => {
        const fieldName = `${owner}.${name}`;
        return [name, placeFor(field, fieldName, fieldName, schema.required?.includes(name))] as const;
      });
      const { items } = schema;
      const parts = {
        fields: new Map(fields),
        entry: items ? placeFor(items, items['x-component'] ?? `${owner}[]`, owner) : undefined,
      };
      insides.set(schema, parts);
      return parts;
    },
  };
}

/** The keywords of a schema that restrict its value. */
function keywordsOf(schema: Schema): string[] {
  const keywords = Object.keys(KEYWORDS).filter(
    (name) => schema[name] !== undefined && schema[name] !== true,
  );
  return schema['x-types'] === undefined ? keywords : ['type', ...keywords];
}

/** Calls back for each place of a value that its schema describes, outermost first; a missing field has no value. */
export function visit(
  schemaPlaces: Pick<SchemaPlaces, 'inside'>,
  place: SchemaPlace,
  value: Json,
  onPlace: (place: SchemaPlace, value: Json | undefined) => void,
): void {
  onPlace(place, value);
  const { fields, entry } = schemaPlaces.inside(place);
  if (entry && Array.isArray(value)) for (const item of value) visit(schemaPlaces, entry, item, onPlace);
  if (fields.size === 0 || !isMapping(value)) return;
  for (const [name, field] of fields) {
    const member = Object.hasOwn(value, name) ? value[name] : undefined;
    if (member === undefined) onPlace(field, undefined);
    else visit(schemaPlaces, field, member, onPlace);
  }
}

/** Calls back for each place that a schema describes. */
function visitAll(
  { inside }: Pick<SchemaPlaces, 'inside'>,
  place: SchemaPlace,
  onPlace: (place: SchemaPlace) => void,
  seen: Set<Schema> = new Set(),
): void {
  onPlace(place);
  if (seen.has(place.schema)) return;
  seen.add(place.schema);
  const { fields, entry } = inside(place);
  if (entry) visitAll({ inside }, entry, onPlace, seen);
  for (const field of fields.values()) visitAll({ inside }, field, onPlace, seen);
}

/** The keywords of a place that apply to a value. */
export function appliedTo({ keywords }: SchemaPlace, value: Json): string[] {
  return keywords.filter((name) => KEYWORDS[name]?.(value));
}

/** The outermost places of the schemas of an operation. */
export interface OperationPlaces {
  /** By place and name: `query limit`. */
  parameters: ReadonlyMap<string, SchemaPlace>;
  body?: SchemaPlace | undefined;
  /** By status as documented. */
  responses: ReadonlyMap<string, ResponsePlaces>;
}

interface ResponsePlaces {
  body?: SchemaPlace | undefined;
  headers: ReadonlyMap<string, SchemaPlace>;
}

export function placesOf(
  schemaPlaces: SchemaPlaces,
  { id, parameters, body, responses }: Operation,
): OperationPlaces {
  const whole = body && schemaPlaces.of(body.schema, `${id}.body`, body.schema['x-component'], body.required);
  return {
    parameters: new Map(
      parameters.map((parameter) => [
        `${parameter.in} ${parameter.name}`,
        placeOfParameter(schemaPlaces, id, parameter),
      ]),
    ),
    body: whole,
    responses: new Map(
      responses.map((response) => [response.status, placesOfResponse(schemaPlaces, response)]),
    ),
  };
}

function placeOfParameter(schemaPlaces: SchemaPlaces, operation: string, parameter: Parameter): SchemaPlace {
  const { name, schema, required, in: location, isJson } = parameter;
  const place = schemaPlaces.of(schema, `${operation}.${name}`, undefined, required && location !== 'path');
  if (schema.type !== 'string' || isJson) return place;
  // Every text of a URL or a header is a string.
  return { ...place, keywords: place.keywords.filter((keyword) => keyword !== 'type') };
}

function placesOfResponse(
  schemaPlaces: SchemaPlaces,
  { schema, bodyRequirement = '', headers }: DocumentedResponse,
): ResponsePlaces {
  return {
    body: schema && schemaPlaces.of(schema, bodyRequirement),
    headers: new Map(
      headers.map((header) => [
        header.name,
        schemaPlaces.of(header.schema, header.name, undefined, header.required),
      ]),
    ),
  };
}

/** Calls back for every place of the requests and of the responses of these operations, once for each schema. */
export function* visitingOperations(
  schemaPlaces: SchemaPlaces,
  operations: Iterable<OperationPlaces>,
  onPlace: (direction: 'request' | 'response', place: SchemaPlace) => void,
): Steps<void> {
  const seen = { request: new Set<SchemaPlace['schema']>(), response: new Set<SchemaPlace['schema']>() };
  for (const { parameters, body, responses } of operations) {
    yield;
    for (const start of [...parameters.values(), ...(body ? [body] : [])])
      visitAll(schemaPlaces, start, (place) => onPlace('request', place), seen.request);
    for (const response of responses.values())
      for (const start of [...(response.body ? [response.body] : []), ...response.headers.values()])
        visitAll(schemaPlaces, start, (place) => onPlace('response', place), seen.response);
  }
}
