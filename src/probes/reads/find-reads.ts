import { isRedirectDue } from '../../contract/requirements.ts';
import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Contract, Operation, Parameter } from '../../model/contract.ts';
import { isPrecondition } from '../../model/http/preconditions.ts';
import type { Late, Probe } from '../../model/probe.ts';
import { inCookie, inHeader, inQuery, pathValueOf } from '../../requests/parameter-styles.ts';
import { pathParameters } from '../probe.ts';
import { exampleValue } from './example-value.ts';
import { indexOf, type ReadIndex, shownBy } from './ids.ts';
import { usableExamples } from './usable-examples.ts';

/** A read that petspec can send, with the values of its plainest request. */
export interface Readable {
  operation: Operation;
  path: Probe['path'];
  query: Probe['query'];
  headers: NonNullable<Probe['headers']>;
  cookies: NonNullable<Probe['cookies']>;
}

/** The reads that petspec can send, and what is missing for the others. */
export interface Reads {
  readable: readonly Readable[];
  /** The ids of the operations of `readable`, each after those that show its values. */
  order: readonly string[];
  /** What is missing, in words, by the id of the operation. */
  missing: ReadonlyMap<string, string>;
}

/** Whether an operation changes nothing, as HTTP says of its method (RFC 9110 section 9.2.1). */
export function isReadOperation({ method }: Pick<Operation, 'method'>): boolean {
  return method === 'GET';
}

/**
 * Finds the values that the reads of a document need: an example of the document, or an id that a list shows. Values of the
 * path are never guessed.
 */
export function findReads(contract: Contract): Reads {
  const reads = foundReads.get(contract) ?? readsOf(contract);
  foundReads.set(contract, reads);
  return reads;
}

const foundReads = new WeakMap<Contract, Reads>();

function readsOf(contract: Contract): Reads {
  const { found, missing, reads } = solved(contract);
  const readable = reads.flatMap(({ id }) => found.get(id) ?? []);
  return { readable, order: [...found.keys()], missing };
}

/** Whether to assume that a parameter of an operation has a value, although none is known. */
export type ParameterAssumption = (operation: Operation, parameter: Parameter) => boolean;

const indexes = new WeakMap<readonly Operation[], ReadIndex>();

/** Finds the reads that can be sent, each after those that show its values, and what the others lack first. */
export function solved(
  { operations }: Pick<Contract, 'operations'>,
  isAssumed: ParameterAssumption = () => false,
) {
  const reads = operations.filter(isReadOperation);
  const index = indexes.get(operations) ?? indexOf(reads);
  indexes.set(operations, index);
  const missing = new Map<string, string>();
  const found = new Map<string, Readable>();
  // Lists show values for other reads, so operations with few path parameters come first, and lists before single things.
  const rank = (operation: Operation) =>
    2 * pathParameters(operation).length + (operation.path.endsWith('}') ? 1 : 0);
  let unsolved = reads.toSorted((a, b) => rank(a) - rank(b));
  for (let before = -1; found.size > before; ) {
    before = found.size;
    unsolved = unsolved.filter((operation) => {
      const readable = readableOf(operation, index, found, isAssumed);
      if (typeof readable === 'string') missing.set(operation.id, readable);
      else found.set(operation.id, readable);
      return typeof readable === 'string';
    });
  }
  for (const id of found.keys()) missing.delete(id);
  return { reads, found, missing };
}

function readableOf(
  operation: Operation,
  index: ReadIndex,
  found: ReadonlyMap<string, Readable>,
  isAssumed: ParameterAssumption,
): Readable | string {
  const path: Record<string, string | Late> = {};
  for (const parameter of pathParameters(operation)) {
    if (isAssumed(operation, parameter)) continue;
    const value = pathValue(operation, parameter, index, found);
    if (value === undefined) return `no value known for {${parameter.name}}; ${WHERE_TO_SAY}`;
    path[parameter.name] = value;
  }
  const values = valuesOf(
    operation,
    (parameter) => (parameter.required || parameter.isStated === true) && !isAssumed(operation, parameter),
  );
  if (typeof values === 'string')
    return `no valid value known for the required parameter ${values}; ${WHERE_TO_SAY}`;
  return { operation, path, ...values };
}

/** The values of the path of any operation, from what reads show; undefined if one is not known. */
export function shownPath(contract: Contract, operation: Operation): Probe['path'] | undefined {
  const { operations } = contract;
  const index = indexes.get(operations) ?? indexOf(operations.filter(isReadOperation));
  const found = new Map(findReads(contract).readable.map((read) => [read.operation.id, read]));
  const pairs = pathParameters(operation).map(
    (parameter) => [parameter.name, pathValue(operation, parameter, index, found)] as const,
  );
  return pairs.every((pair): pair is [string, string | Late] => pair[1] !== undefined)
    ? Object.fromEntries(pairs)
    : undefined;
}

const WHERE_TO_SAY = 'give it an example in the document, or with --example';

/** Valid values of the wanted query, header and cookie parameters; or the name of a required one that has no value. */
export function valuesOf(
  { parameters, method }: Operation,
  isWanted: (parameter: Parameter) => boolean,
): Pick<Readable, 'query' | 'headers' | 'cookies'> | string {
  const values = {
    query: [] as QueryPair[],
    headers: [] as Readable['headers'][number][],
    cookies: [] as QueryPair[],
  };
  const wanted = parameters.filter(
    (parameter) => parameter.in !== 'path' && isWanted(parameter) && !isConditional(parameter),
  );
  for (const parameter of wanted) {
    const precondition = preconditionValue(parameter, method);
    if (precondition !== undefined) {
      values.headers.push([parameter.name, precondition]);
      continue;
    }
    if (isInvented(parameter)) return parameter.name;
    const value = exampleValue(parameter);
    const { into, written } = writtenIn(parameter, value);
    if (written) values[into].push(...written);
    else if (parameter.required) return parameter.name;
  }
  return values;
}

type QueryPair = [name: string, value: string];

function writtenIn(parameter: Parameter, value: unknown) {
  if (parameter.in === 'header') return { into: 'headers', written: inHeader(parameter, value) } as const;
  if (parameter.in === 'cookie') return { into: 'cookies', written: inCookie(parameter, value) } as const;
  return { into: 'query', written: inQuery(parameter, value) } as const;
}

/** The most places to look for a value, as the first ones may show nothing. */
const MAX_SOURCES = 4;

function pathValue(
  operation: Operation,
  parameter: Parameter,
  index: ReadIndex,
  found: ReadonlyMap<string, Readable>,
): string | Late | undefined {
  const stated = usableExamples(parameter)[0] ?? parameter.schema.enum?.[0];
  const literal = stated === undefined ? undefined : pathValueOf(parameter, stated);
  if (parameter.isStated && literal !== undefined) return literal;
  const sources = shownBy(operation, parameter.name, index)
    .filter((source) => found.has(source.operation))
    .slice(0, MAX_SOURCES)
    .map(({ operation: shown, ...place }) => ({ probe: `${shown}:plain`, ...place }));
  if (sources.length === 0) return literal;
  const otherwise = typeof literal === 'string' ? literal : undefined;
  return { late: 'response', sources, ...(otherwise === undefined ? {} : { otherwise }) };
}

/** The documented statuses of success, redirects that are due, and the entry `default`; the last one is the one that is due. */
export function successes(operation: Operation): string[] {
  const { responses } = operation;
  const listed = responses
    .map(({ status }) => status)
    .filter((status) => status.startsWith('2') || isRedirectDue(operation, status));
  const fallback = responses.some(({ status }) => status === 'DEFAULT') ? ['DEFAULT'] : [];
  return [...fallback, ...listed];
}

/** The response header whose value a precondition has to repeat; undefined if any value will do. */
function validatorFor(precondition: string): Extract<Late, { late: 'validator' }>['header'] | undefined {
  const name = precondition.toLowerCase();
  if (name === 'if-match') return 'ETag';
  return name === 'if-unmodified-since' ? 'Last-Modified' : undefined;
}

/** A version that no service has, and a date before every change. */
const MATCHING_NOTHING = ['"petspec-none-such"'];
const LONG_AGO = ['Thu, 01 Jan 1970 00:00:00 GMT', '1970-01-01T00:00:00Z'];

/** Whether a parameter is an optional precondition, which is not sent: an invented one would change which response is due. */
function isConditional({ in: place, name, required, isStated }: Parameter): boolean {
  return place === 'header' && isPrecondition(name) && !required && !isStated;
}

/**
 * The value of a precondition: one that does not change the response, or the version from an earlier response at the same
 * address. Undefined if petspec knows no value, or if the parameter is no precondition.
 */
function preconditionValue(parameter: Parameter, method: string): string | Late | undefined {
  const { in: place, name, schema, isStated } = parameter;
  if (place !== 'header' || !isPrecondition(name) || isStated) return undefined;
  const example = exampleOf(parameter);
  const validator = validatorFor(name);
  if (validator) {
    // A run knows only the versions of what it created itself, so reads repeat none.
    if (method === 'GET') return example;
    return { late: 'validator', header: validator, ...(example === undefined ? {} : { otherwise: example }) };
  }
  const harmless = (/-since$/i.test(name) ? LONG_AGO : MATCHING_NOTHING).find((text) =>
    isFitting(schema, text),
  );
  // A creation may need its documented `If-None-Match: *`.
  return method === 'GET' ? (harmless ?? example) : (example ?? harmless);
}

/** Whether petspec would have to invent the value of a precondition. */
function isInvented({ in: place, name, isStated }: Parameter): boolean {
  return place === 'header' && isPrecondition(name) && !isStated;
}

/** The value that the document states, because petspec cannot invent a version of the service. */
function exampleOf(parameter: Parameter): string | undefined {
  const { example, schema } = parameter;
  const isSaid = [example, schema.example, schema.default, schema.enum].some((value) => value !== undefined);
  const value = isSaid ? exampleValue(parameter) : undefined;
  return typeof value === 'string' ? value : undefined;
}
