import type {
  Address,
  DocumentedResponse,
  Header,
  Link,
  Operation,
  Parameter,
  RequestBody,
} from '../model/contract.ts';
import { ContractError } from '../model/contract.ts';
import { dereference, follow, isObject } from './schema.ts';
import { sinceOf } from './sets.ts';

type Node = Record<string, unknown>;

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * The operations of an OpenAPI 3.1 document, in its order.
 * @throws ContractError if the document lacks what petspec needs
 */
export function operationsOf(document: Node): Operation[] {
  return Object.entries(node(document.paths)).flatMap(([path, item]) =>
    METHODS.filter((method) => isObject(node(item)[method])).map((method) =>
      operationOf(document, path, method, node(item), node(node(item)[method])),
    ),
  );
}

function operationOf(document: Node, path: string, method: string, item: Node, source: Node): Operation {
  const id = text(source.operationId) ?? `${method} ${path}`;
  const section = text(source['x-section']) ?? `${method.toUpperCase()} ${path}`;
  const parameters = [...list(item.parameters), ...list(source.parameters)].map((each) =>
    parameterOf(document, each),
  );
  const body = source.requestBody === undefined ? undefined : bodyOf(document, id, node(source.requestBody));
  const responses = Object.entries(node(source.responses)).map(([status, response]) =>
    responseOf(document, id, section, status.toUpperCase(), node(response)),
  );
  const removal = text(source['x-removal']);
  const since = sinceOf(source['x-since'] ?? item['x-since'], id);
  return {
    id,
    method: method.toUpperCase(),
    path,
    address: addressOf(id, list(source.servers ?? item.servers ?? document.servers)),
    section,
    secured: list(source.security ?? document.security).length > 0,
    deprecated: source.deprecated === true,
    ...(removal === undefined ? {} : { removal }),
    parameters,
    ...(body === undefined ? {} : { body }),
    responses,
    ...(since === undefined ? {} : { since }),
  };
}

function addressOf(operation: string, servers: unknown[]): Address {
  const url = text(node(servers[0]).url);
  if (url === '{baseUrl}') return 'baseUrl';
  if (url === '{apiUrl}') return 'apiUrl';
  throw new ContractError(`${operation}: its server is neither {baseUrl} nor {apiUrl}`);
}

/** The end of the path of every base address: that of the server's default address. */
export function basePathOf(document: Node): string | undefined {
  const [server] = list(document.servers).map(node);
  const address = text(node(node(server?.variables).baseUrl).default);
  if (address === undefined || !URL.canParse(address)) return undefined;
  return new URL(address).pathname.replace(/\/+$/, '') || undefined;
}

function parameterOf(document: Node, source: unknown): Parameter {
  const parameter = resolve(document, source).value;
  const name = text(parameter.name) ?? '';
  const since = sinceOf(parameter['x-since'], name);
  return {
    name,
    in: parameter.in === 'path' ? 'path' : 'query',
    required: parameter.required === true,
    schema: dereference(document, parameter.schema),
    ...(since === undefined ? {} : { since }),
  };
}

function bodyOf(document: Node, operation: string, source: Node): RequestBody {
  const [mediaType, media] = Object.entries(node(source.content))[0] ?? [];
  if (mediaType === undefined) throw new ContractError(`${operation}: its request body has no media type`);
  return {
    required: source.required === true,
    mediaType,
    schema: dereference(document, node(media).schema),
    unspecified: list(source['x-unspecified']).map(String),
  };
}

/** A response is one requirement of its operation; a response that operations share is one for all of them. */
function responseOf(
  document: Node,
  operation: string,
  section: string,
  status: string,
  source: Node,
): DocumentedResponse {
  const { name, value } = resolve(document, source);
  const requirement = name ?? `${operation}.${status}`;
  const [mediaType, media] = Object.entries(node(value.content))[0] ?? [];
  const schema = media === undefined ? undefined : dereference(document, node(media).schema);
  const since = sinceOf(value['x-since'], requirement);
  return {
    status,
    requirement,
    ...(name === undefined ? {} : { isShared: true }),
    description: text(value.description) ?? '',
    section: text(value['x-section']) ?? section,
    headers: Object.entries(node(value.headers)).map(([header, each]) => headerOf(document, header, each)),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(schema === undefined
      ? {}
      : { schema, bodyRequirement: schema['x-component'] ?? `${requirement}.body` }),
    links: Object.values(node(value.links)).flatMap((each) => linksOf(node(each))),
    ...(since === undefined ? {} : { since }),
  };
}

function headerOf(document: Node, name: string, source: unknown): Header {
  const header = resolve(document, source).value;
  const since = sinceOf(header['x-since'], name);
  return {
    name,
    required: header.required === true,
    section: text(header['x-section']) ?? 'Headers',
    description: text(header.description) ?? '',
    schema: dereference(document, header.schema),
    ...(since === undefined ? {} : { since }),
  };
}

function linksOf(source: Node): Link[] {
  const operation = text(source.operationId) ?? '';
  return Object.entries(node(source.parameters)).flatMap(([parameter, expression]) => {
    const pointer = /^\$response\.body#(\/.*)$/.exec(String(expression))?.[1];
    return pointer === undefined ? [] : [{ operation, parameter, pointer }];
  });
}

function resolve(document: Node, source: unknown): { name?: string; value: Node } {
  const value = node(source);
  return typeof value.$ref === 'string' ? follow(document, value.$ref) : { value };
}

function node(value: unknown): Node {
  return isObject(value) ? value : {};
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
