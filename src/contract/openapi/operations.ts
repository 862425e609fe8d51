import type { Address, DocumentedResponse, Gap, Operation } from '../../model/contract.ts';
import { essence } from '../../model/http/media-type.ts';
import { unsupportedKey } from '../document/credentials.ts';
import { isObject } from '../schema.ts';
import { sinceOf } from '../sets.ts';
import { requestBodyOf } from './content.ts';
import { parametersOf } from './parameters.ts';
import {
  type DocumentReading,
  extension,
  list,
  type Node,
  node,
  type OperationContext,
  text,
} from './reading.ts';
import { responseOf } from './responses.ts';
import { isSequential } from './sequences.ts';

/** The methods that an OpenAPI path item may have. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * One operation of an OpenAPI document.
 * @throws ContractError if the document lacks what petspec needs
 */
export function operationOf(
  document: Node,
  { path, method, item }: { path: string; method: string; item: Node },
  reading: DocumentReading,
  onGap: (words: string) => void,
): Operation {
  const source = node(item[method]);
  const id = text(source.operationId) ?? `${method.toUpperCase()} ${path}`;
  const section = text(extension(reading, source, 'x-section')) ?? `${method.toUpperCase()} ${path}`;
  const place = { reading, id, section, onGap };
  const body = source.requestBody === undefined ? undefined : requestBodyOf(place, source.requestBody);
  const removal = removalOf(reading, source);
  const since = sinceOf(extension(reading, source, 'x-since') ?? extension(reading, item, 'x-since'), id);
  return {
    id,
    method: method.toUpperCase(),
    path,
    address: serverOf(document, list(source.servers ?? item.servers)),
    section,
    secured: isSecured(list(source.security ?? document.security)),
    needsNoKey: isKeyless(source),
    deprecated: source.deprecated === true,
    removal,
    parameters: parametersOf(place, [...list(item.parameters), ...list(source.parameters)]),
    body,
    responses: responsesOf(place, node(source.responses)),
    since,
    mayRefuse: reading.mayRefuse,
  };
}

/**
 * The day from which an operation may be gone. In documents of others it is `x-sunset` beside `deprecated`, as oasdiff reads
 * it: a day, or a time of RFC 3339.
 */
function removalOf(reading: DocumentReading, source: Node): string | undefined {
  const stated = text(extension(reading, source, 'x-removal'));
  if (stated !== undefined || source.deprecated !== true) return stated;
  const [day] = /^\d{4}-\d\d-\d\d(?=$|T)/.exec(text(source['x-sunset']) ?? '') ?? [];
  return day === undefined || Number.isNaN(Date.parse(day)) ? undefined : day;
}

/** The responses of an operation. A key that is no status is a mistake of the document: no service could return it. */
function responsesOf(place: OperationContext, source: Node): DocumentedResponse[] {
  return Object.entries(source).flatMap(([name, response]) => {
    if (name.startsWith('x-')) return [];
    if (/^(?:[1-5](?:\d\d|XX)|default)$/i.test(name))
      return [responseOf(place, name.toUpperCase(), response)];
    place.onGap(
      `the response '${name}' has no status, so it is not judged; expected one like 200, 2XX or default`,
    );
    return [];
  });
}

/** The operations of an OpenAPI document, in its order: path, method and path item. */
export function* operationsIn(document: Node): Generator<{ path: string; method: string; item: Node }> {
  for (const [path, item] of Object.entries(node(document.paths)))
    for (const method of METHODS) if (isObject(node(item)[method])) yield { path, method, item: node(item) };
}

/** Whether a key is required: an empty alternative makes it optional. */
function isSecured(alternatives: readonly unknown[]): boolean {
  return (
    alternatives.length > 0 && alternatives.every((alternative) => Object.keys(node(alternative)).length > 0)
  );
}

/** Whether `security: []` of an operation says that it needs no key. */
function isKeyless({ security }: Node): boolean {
  return Array.isArray(security) && security.length === 0;
}

/**
 * The name of the server of an operation: the one variable that is its address, or else its host; `baseUrl` if the operation
 * states no server.
 */
function serverOf(document: Node, servers: unknown[]): Address {
  const url = text(node(servers[0]).url);
  if (url === undefined || url === text(node(list(document.servers)[0]).url)) return 'baseUrl';
  const variable = /^\{([\w.-]+)\}$/.exec(url)?.[1];
  if (variable !== undefined) return variable;
  return URL.canParse(url) ? new URL(url).host || url : url;
}

/** The path that every base address ends with: that of the server's default address, which may be a path alone. */
export function basePathOf(document: Node): string | undefined {
  const [server] = list(document.servers).map(node);
  const variables = node(server?.variables);
  const address = text(server?.url)?.replace(
    /\{([^{}]+)\}/g,
    (whole, name: string) => text(node(variables[name]).default) ?? whole,
  );
  if (address === undefined || !URL.canParse(address, ANY_BASE) || address.includes('{')) return undefined;
  return new URL(address, ANY_BASE).pathname.replace(/\/+$/, '') || undefined;
}

/** A document may be served anywhere. */
const ANY_BASE = 'http://host.invalid/';

/** Why petspec can judge nothing of an operation; undefined if it can. */
export function unsupportedIn(
  document: Node,
  { path, method, item }: { path: string; method: string; item: Node },
  operation: Operation,
  reading: DocumentReading,
): string | undefined {
  const source = item[method] as Node;
  const named = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
  const stated = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  const missing = named.find((name) => name !== undefined && !stated.includes(name));
  if (missing !== undefined) return `the path has {${missing}}, and no parameter describes it`;
  if (path.includes('?') || path.includes('#')) return 'the path has a query or a fragment';
  if (['HEAD', 'OPTIONS', 'TRACE'].includes(operation.method))
    return `petspec does not send ${operation.method} requests`;
  const stream = streamOf(operation);
  if (stream !== undefined) return `it answers with a stream (${stream})`;
  return unsupportedKey(document, source, reading);
}

/** The media type of a stream of events or lines without a schema. */
export function streamOf({ responses }: Pick<Operation, 'responses'>): string | undefined {
  return responses.find(
    ({ mediaType, schema }) => mediaType !== undefined && isStream(mediaType) && schema === undefined,
  )?.mediaType;
}

function isStream(mediaType: string): boolean {
  return isSequential(mediaType) || essence(mediaType) === 'multipart/x-mixed-replace';
}

/** Whether a member of a path looks like an operation, and its name is no known method. */
export function isUnknownMethod(name: string, value: unknown): value is Record<string, unknown> {
  return !METHODS.includes(name) && !name.startsWith('x-') && isObject(value) && isObject(value.responses);
}

/** The operations of a path whose methods petspec does not send, or the version of the document does not have. */
export function otherMethods(item: Node, path: string, version: string): Gap[] {
  const isNew = version.startsWith('3.2');
  const stated = Object.entries(item).filter(([name, value]) => isUnknownMethod(name, value));
  const additional = Object.entries(isObject(item.additionalOperations) ? item.additionalOperations : {});
  return [...stated.map(([name]) => name.toUpperCase()), ...additional.map(([name]) => name)].map(
    (method) => {
      const isKnown = isNew && (method === 'QUERY' || additional.some(([name]) => name === method));
      const reason = isKnown ? `petspec does not send ${method} requests` : unknownMethod(isNew);
      return { operation: `${method} ${path}`, isWhole: true, reason };
    },
  );
}

function unknownMethod(isNew: boolean): string {
  return isNew
    ? `OpenAPI 3.2 has no such method, only ${METHODS.join(', ')} and query; others belong into additionalOperations`
    : `OpenAPI 3.0 and 3.1 have no such method, only ${METHODS.join(', ')}`;
}
