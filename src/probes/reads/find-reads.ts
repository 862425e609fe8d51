import { isRedirectDue } from '../../contract/requirements.ts';
import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import type { Contract, Operation, Parameter } from '../../model/contract.ts';
import { isPrecondition } from '../../model/http/preconditions.ts';
import type { Late, Probe } from '../../model/probe.ts';
import { inCookie, inHeader, inQuery, pathValueOf } from '../../requests/parameter-styles.ts';
import { exampleValue } from './example-value.ts';
import { indexOf, type ReadIndex, shownBy } from './ids.ts';
import { usableExamples } from './usable-examples.ts';

/** A read that petspec can send: the values that its plainest request needs. */
export interface Readable {
  operation: Operation;
  path: Probe['path'];
  query: Probe['query'];
  headers: NonNullable<Probe['headers']>;
  cookies: NonNullable<Probe['cookies']>;
}

/** Reads whose values are known, and for the others what is missing. */
export interface Reads {
  readable: readonly Readable[];
  /** Their operations, each after those that show its values. */
  order: readonly string[];
  /** By operation. */
  missing: ReadonlyMap<string, string>;
}

/** Whether an operation changes nothing, as HTTP says of its method (RFC 9110 section 9.2.1). */
export function isReadOperation({ method }: Pick<Operation, 'method'>): boolean {
  return method === 'GET';
}

/**
 * Finds values for everything that the reads of a document need: an example of the document, or what a list shows. A value
 * of the path is never guessed.
 */
export function findReads(contract: Contract): Reads {
  const known = foundReads.get(contract) ?? readsOf(contract);
  foundReads.set(contract, known);
  return known;
}

const foundReads = new WeakMap<Contract, Reads>();

function readsOf(contract: Contract): Reads {
  const { found, missing, reads } = solved(contract);
  const readable = reads.flatMap(({ id }) => found.get(id) ?? []);
  return { readable, order: [...found.keys()], missing };
}

/** Whether a value of a parameter of an operation is known, although nothing says so yet. */
export type ParameterAssumption = (operation: Operation, parameter: Parameter) => boolean;

const indexes = new WeakMap<readonly Operation[], ReadIndex>();

/** The reads whose values can be found, each after those that show them, and for the others what is missing first. */
export function solved(
  { operations }: Pick<Contract, 'operations'>,
  isAssumed: ParameterAssumption = () => false,
) {
  const reads = operations.filter(isReadOperation);
  const index = indexes.get(operations) ?? indexOf(reads);
  indexes.set(operations, index);
  const missing = new Map<string, string>();
  const found = new Map<string, Readable>();
  // What depends on a list is known only if the list is, so few path parameters come first, and lists before single things.
  const rank = (each: Operation) => 2 * pathParameters(each).length + (each.path.endsWith('}') ? 1 : 0);
  let left = reads.toSorted((one, other) => rank(one) - rank(other));
  for (let before = -1; found.size > before; ) {
    before = found.size;
    left = left.filter((operation) => {
      const readable = readableOf(operation, index, found, isAssumed);
      if (typeof readable === 'string') missing.set(operation.id, readable);
      else found.set(operation.id, readable);
      return typeof readable === 'string';
    });
  }
  for (const id of found.keys()) missing.delete(id);
  return { reads, found, missing };
}

/** The parameters of the path, in the order of the document. */
export function pathParameters({ parameters }: Operation): Parameter[] {
  return parameters.filter((each) => each.in === 'path');
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
    (each) => (each.required || each.isStated === true) && !isAssumed(operation, each),
  );
  if (typeof values === 'string')
    return `no valid value known for the required parameter ${values}; ${WHERE_TO_SAY}`;
  return { operation, path, ...values };
}

/** The path of any operation, with values that reads show; undefined if one of them is not known. */
export function shownPath(contract: Contract, operation: Operation): Probe['path'] | undefined {
  const { operations } = contract;
  const index = indexes.get(operations) ?? indexOf(operations.filter(isReadOperation));
  const found = new Map(findReads(contract).readable.map((each) => [each.operation.id, each]));
  const pairs = pathParameters(operation).map(
    (parameter) => [parameter.name, pathValue(operation, parameter, index, found)] as const,
  );
  return pairs.every((pair): pair is [string, string | Late] => pair[1] !== undefined)
    ? Object.fromEntries(pairs)
    : undefined;
}

const WHERE_TO_SAY = 'give it an example in the document, or with --example';

/** Valid values of some parameters of the query, headers and cookies; the name of one that has none and needs one. */
export function valuesOf(
  { parameters, method }: Operation,
  isWanted: (parameter: Parameter) => boolean,
): Pick<Readable, 'query' | 'headers' | 'cookies'> | string {
  const found = {
    query: [] as QueryPair[],
    headers: [] as Readable['headers'][number][],
    cookies: [] as QueryPair[],
  };
  const wanted = parameters.filter((each) => each.in !== 'path' && isWanted(each) && !isConditional(each));
  for (const parameter of wanted) {
    const precondition = preconditionValue(parameter, method);
    if (precondition !== undefined) {
      found.headers.push([parameter.name, precondition]);
      continue;
    }
    if (isInvented(parameter)) return parameter.name;
    const value = exampleValue(parameter);
    const { into, written } = writtenIn(parameter, value);
    if (written) found[into].push(...written);
    else if (parameter.required) return parameter.name;
  }
  return found;
}

type QueryPair = [name: string, value: string];

function writtenIn(parameter: Parameter, value: unknown) {
  if (parameter.in === 'header') return { into: 'headers', written: inHeader(parameter, value) } as const;
  if (parameter.in === 'cookie') return { into: 'cookies', written: inCookie(parameter, value) } as const;
  return { into: 'query', written: inQuery(parameter, value) } as const;
}

/** Places that a value is taken from, at most: the first ones may show nothing. */
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
    .filter((each) => found.has(each.operation))
    .slice(0, MAX_SOURCES)
    .map(({ operation: shown, ...place }) => ({ probe: `${shown}:plain`, ...place }));
  if (sources.length === 0) return literal;
  const otherwise = typeof literal === 'string' ? literal : undefined;
  return { late: 'response', sources, ...(otherwise === undefined ? {} : { otherwise }) };
}

/** The statuses of success that a document lists, or else the entry for all others, or else redirects. */
export function successes(operation: Operation): string[] {
  const { responses } = operation;
  const listed = responses
    .map(({ status }) => status)
    .filter((each) => each.startsWith('2') || isRedirectDue(operation, each));
  const others = responses.some(({ status }) => status === 'DEFAULT') ? ['DEFAULT'] : [];
  // The last one is the one that is due.
  return [...others, ...listed];
}

/** The header of an earlier response whose value a precondition repeats; undefined if another value does as well. */
function validatorFor(precondition: string): Extract<Late, { late: 'validator' }>['header'] | undefined {
  const name = precondition.toLowerCase();
  if (name === 'if-match') return 'ETag';
  return name === 'if-unmodified-since' ? 'Last-Modified' : undefined;
}

/** No service has this version, and whatever exists was changed later than this date. */
const MATCHING_NOTHING = ['"petspec-none-such"'];
const LONG_AGO = ['Thu, 01 Jan 1970 00:00:00 GMT', '1970-01-01T00:00:00Z'];

/** Whether a parameter is sent only if it has to be: an invented precondition would change what is due. */
function isConditional({ in: place, name, required, isStated }: Parameter): boolean {
  return place === 'header' && isPrecondition(name) && !required && !isStated;
}

/**
 * The value of a parameter that is a precondition: one with which a request gets what it gets without, or the version that
 * an earlier response to the same address told. Undefined if petspec knows none, or if the parameter is none.
 */
function preconditionValue(parameter: Parameter, method: string): string | Late | undefined {
  const { in: place, name, schema, isStated } = parameter;
  if (place !== 'header' || !isPrecondition(name) || isStated) return undefined;
  const example = exampleOf(parameter);
  const validator = validatorFor(name);
  if (validator) {
    // Only what the run itself creates has a version that it knows.
    if (method === 'GET') return example;
    return { late: 'validator', header: validator, ...(example === undefined ? {} : { otherwise: example }) };
  }
  const harmless = (/-since$/i.test(name) ? LONG_AGO : MATCHING_NOTHING).find((each) =>
    isFitting(schema, each),
  );
  // `If-None-Match: *` may be what a creation has to have.
  return method === 'GET' ? (harmless ?? example) : (example ?? harmless);
}

/** Whether petspec would have to invent the value of a precondition. */
function isInvented({ in: place, name, isStated }: Parameter): boolean {
  return place === 'header' && isPrecondition(name) && !isStated;
}

/** What the document says, as a version that petspec invents is none of the service's. */
function exampleOf(parameter: Parameter): string | undefined {
  const { example, schema } = parameter;
  const isSaid = [example, schema.example, schema.default, schema.enum].some((each) => each !== undefined);
  const value = isSaid ? exampleValue(parameter) : undefined;
  return typeof value === 'string' ? value : undefined;
}
