import { isObject, typesOf } from '../../contract/schema.ts';
import type { Contract, Operation, Requirement, Schema } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Json } from '../../model/json.ts';
import type { Undocumented } from '../../model/report/coverage.ts';
import type { Servers } from '../match-operation.ts';
import type { SchemaPlace, SchemaPlaces } from './places.ts';

/** Distinct names of each kind, so that memory is bounded. */
const MAX_NAMES = 100;

/** Characters of a name or an example that are kept. */
const MAX_LENGTH = 200;

/** Counts what exchanges have and the document does not describe. */
export interface UndocumentedCounter {
  count(part: Pick<Undocumented, 'kind' | 'name' | 'example'>, times?: number): void;
  result(): Undocumented[];
}

export function countUndocumented(): UndocumentedCounter {
  const counted = new Map<string, Undocumented>();
  const numbers = new Map<string, number>();
  return {
    count({ kind, name, example }, times = 1) {
      const key = `${kind} ${name.slice(0, MAX_LENGTH)}`;
      const earlier = counted.get(key);
      if (earlier) {
        earlier.count += times;
        return;
      }
      const number = numbers.get(kind) ?? 0;
      if (number >= MAX_NAMES) return;
      numbers.set(kind, number + 1);
      const texts = { name: name.slice(0, MAX_LENGTH), example: example.slice(0, MAX_LENGTH) };
      counted.set(key, { kind, ...texts, count: times });
    },
    result: () => structuredClone([...counted.values()]),
  };
}

/** An exchange as an example: its URL has no secrets any more. */
export function exampleOf({ method, url, response }: Pick<Exchange, 'method' | 'url' | 'response'>): string {
  const path = URL.canParse(url) ? new URL(url).pathname + new URL(url).search : url;
  return `${method} ${path}${response ? ` -> ${response.status}` : ''}`;
}

/** The names in a query that belong to no parameter of the operation. */
export function undocumentedParameters(
  {
    parameters,
    credential,
    furtherCredentials = [],
  }: Pick<Operation, 'parameters' | 'credential' | 'furtherCredentials'>,
  url: string,
): string[] {
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const objects = inQuery.filter(({ schema, isJson }) => !isJson && mayHaveFields(schema));
  // Each field of such an object has its own name in the query, and an open object has any names.
  if (objects.some((parameter) => isOpen(parameter.schema) || !parameter.schema.properties)) return [];
  const fields = objects.flatMap(({ schema }) => Object.keys(schema.properties ?? {}));
  const keys = [credential, ...furtherCredentials].flatMap((key) => (key?.in === 'query' ? [key.name] : []));
  const documented = new Set([...inQuery.map(({ name }) => name), ...fields, ...keys]);
  const names = URL.canParse(url) ? [...new URL(url).searchParams.keys()] : [];
  const isKnown = (name: string) =>
    documented.has(name) || documented.has(name.replace(/\[.*$/s, '')) || documented.has(`${name}[]`);
  return [...new Set(names.filter((name) => !isKnown(name)))];
}

function mayHaveFields(schema: Schema): boolean {
  const types = typesOf(schema);
  if (types.length > 0) return types.includes('object');
  const values = Array.isArray(schema.enum) ? schema.enum : 'const' in schema ? [schema.const] : undefined;
  return values === undefined || values.some(isObject);
}

/** Whether an object may have fields that the schema does not name. */
function isOpen(schema: Schema): boolean {
  const { additionalProperties = false, unevaluatedProperties = false } = schema;
  if (additionalProperties !== false || unevaluatedProperties !== false) return true;
  return OPENING.some((keyword) => schema[keyword] !== undefined);
}

/** Keywords that may describe further fields. */
const OPENING = ['patternProperties', 'anyOf', 'oneOf', 'allOf', 'if', 'dependentSchemas', 'not'];

/** The fields of a value, at any depth, that its schema could name and does not: `Book.color`. */
export function undocumentedFields(schemaPlaces: SchemaPlaces, place: SchemaPlace, value: Json): Set<string> {
  const names = new Set<string>();
  const look = (here: SchemaPlace, part: Json) => {
    if (typeof part !== 'object' || part === null || names.size >= MAX_NAMES) return;
    const { fields, entry } = schemaPlaces.inside(here);
    if (Array.isArray(part)) {
      if (entry) for (const item of part) look(entry, item);
      return;
    }
    if (fields.size === 0) return;
    const isClosed = !isOpen(here.schema);
    for (const [name, member] of Object.entries(part)) {
      const field = fields.get(name);
      if (field) look(field, member);
      else if (isClosed) names.add(`${here.owner}.${name}`);
    }
  };
  look(place, value);
  return names;
}

/** A word of a path, rather than an id or a secret: `pets`, `findByStatus`, `store-orders.json`, `v1`. */
const WORD =
  /^(?:[a-z]{1,20}(?:[A-Z][a-z]{1,19}){0,4}|[a-z]{1,20}(?:[-_][a-z]{1,20}){0,5})(?:\.[a-z]{2,5})?$|^v\d{1,2}$/;

/** The name of a request without an operation. It leaves out ids, which may be secrets. */
export function unlistedName(method: string, url: string): string {
  const { pathname } = new URL(url);
  const words = pathname.split('/').map((segment) => (segment === '' || WORD.test(segment) ? segment : '{}'));
  return `${method} ${words.join('/')}`;
}

/** The name of a request without an operation; undefined if it is not below the address of a server. */
export function unlistedBelow(
  servers: Servers,
  { method, url }: { method: string; url: string },
): string | undefined {
  const isBelow = Object.values(servers).some((base) => url.startsWith(`${base}/`));
  return isBelow ? unlistedName(method, url) : undefined;
}

/** How undocumented parts of exchanges are judged. */
export const UNDOCUMENTED = ['count', 'advisory', 'fail'] as const;

/** The requirements of `--undocumented`, by the kind of undocumented part. */
export const UNDOCUMENTED_KINDS: Readonly<
  Record<Exclude<Undocumented['kind'], 'status'>, { id: string; statement: string }>
> = {
  operation: {
    id: 'undocumented.operations',
    statement: 'Each request is for an operation of the document.',
  },
  parameter: {
    id: 'undocumented.parameters',
    statement: 'Each parameter of a query is one that the document lists.',
  },
  field: {
    id: 'undocumented.fields',
    statement: 'Each field of a response is one that the document lists.',
  },
};

/**
 * The interface with the requirements of `--undocumented`, unless undocumented parts are only counted. An undocumented status
 * violates its operation anyway.
 */
export function withUndocumented(contract: Contract, how: (typeof UNDOCUMENTED)[number] = 'count'): Contract {
  if (how === 'count') return contract;
  const level = how === 'fail' ? 'must' : 'should';
  const added: Requirement[] = Object.values(UNDOCUMENTED_KINDS).map((requirement) => ({
    ...requirement,
    level,
    section: 'Documentation',
    source: 'listed',
    since: contract.set,
  }));
  return { ...contract, requirements: [...contract.requirements, ...added] };
}
