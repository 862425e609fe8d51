import type {
  Address,
  DocumentedResponse,
  Header,
  Link,
  Operation,
  Parameter,
  RequestBody,
  Schema,
  ShapedBody,
} from '../../model/contract.ts';
import { ContractError } from '../../model/contract.ts';
import { mediaTypeOf, partsOf } from '../document/media-type.ts';
import { isTextSchema } from '../document/text-schema.ts';
import { written } from '../document/written.ts';
import { isObject } from '../schema.ts';
import { sinceOf } from '../sets.ts';

type Node = Record<string, unknown>;

/** The methods that an OpenAPI path item may have. */
export const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** How a document is read. */
export interface Reading {
  /** @throws ContractError for a reference that names nothing */
  follow(reference: string): { name?: string; value: unknown };
  /** @param onGap told what petspec cannot derive from it */
  schema(source: unknown, direction: 'request' | 'response', onGap: (words: string) => void): Schema;
  /** Set if the document says what may come, not when. */
  mayRefuse?: true;
}

/** What is particular about an operation while it is read. */
interface Place {
  reading: Reading;
  id: string;
  section: string;
  onGap: (words: string) => void;
}

/**
 * One operation of an OpenAPI document.
 * @throws ContractError if the document lacks what petspec needs
 */
export function operationOf(
  document: Node,
  { path, method, item }: { path: string; method: string; item: Node },
  reading: Reading,
  onGap: (words: string) => void,
): Operation {
  const source = node(item[method]);
  const id = text(source.operationId) ?? `${method.toUpperCase()} ${path}`;
  const section = text(extension(reading, source, 'x-section')) ?? `${method.toUpperCase()} ${path}`;
  const place = { reading, id, section, onGap };
  const body = source.requestBody === undefined ? undefined : bodyOf(place, source.requestBody);
  const removal = text(extension(reading, source, 'x-removal'));
  const since = sinceOf(extension(reading, source, 'x-since') ?? extension(reading, item, 'x-since'), id);
  return {
    id,
    method: method.toUpperCase(),
    path,
    address: serverOf(document, list(source.servers ?? item.servers)),
    section,
    secured: isSecured(list(source.security ?? document.security)),
    deprecated: source.deprecated === true,
    ...(removal === undefined ? {} : { removal }),
    parameters: parametersOf(place, [...list(item.parameters), ...list(source.parameters)]),
    ...(body === undefined ? {} : { body }),
    responses: Object.entries(node(source.responses))
      .filter(([status]) => !status.startsWith('x-'))
      .map(([status, response]) => responseOf(place, status.toUpperCase(), response)),
    ...(since === undefined ? {} : { since }),
    ...(reading.mayRefuse ? { mayRefuse: true } : {}),
  };
}

/** The operations of an OpenAPI document, in its order: path, method and path item. */
export function* operationsIn(document: Node): Generator<{ path: string; method: string; item: Node }> {
  for (const [path, item] of Object.entries(node(document.paths)))
    for (const method of METHODS) if (isObject(node(item)[method])) yield { path, method, item: node(item) };
}

/** Whether a key is asked for: an empty alternative makes it optional. */
function isSecured(alternatives: readonly unknown[]): boolean {
  return alternatives.length > 0 && alternatives.every((each) => Object.keys(node(each)).length > 0);
}

/**
 * The name of the server of an operation: that of the one variable that is its address, or else its host; `baseUrl` if the
 * operation states none of its own.
 */
function serverOf(document: Node, own: unknown[]): Address {
  const url = text(node(own[0]).url);
  if (url === undefined || url === text(node(list(document.servers)[0]).url)) return 'baseUrl';
  const variable = /^\{([\w.-]+)\}$/.exec(url)?.[1];
  if (variable !== undefined) return variable;
  return URL.canParse(url) ? new URL(url).host || url : url;
}

/** The end of the path of every base address: that of the server's default address. */
export function basePathOf(document: Node): string | undefined {
  const [server] = list(document.servers).map(node);
  const address = text(node(node(server?.variables).baseUrl).default) ?? text(server?.url);
  if (address === undefined || !URL.canParse(address)) return undefined;
  return new URL(address).pathname.replace(/\/+$/, '') || undefined;
}

/** A parameter of the operation replaces the one of the path that has the same name and place. */
function parametersOf(place: Place, sources: readonly unknown[]): Parameter[] {
  const all = sources.flatMap((each) => parameterOf(place, each) ?? []).filter((each) => !isIgnored(each));
  const keyOf = (each: Parameter) => `${each.in} ${each.name}`;
  return [...new Map(all.map((each) => [keyOf(each), each])).values()];
}

/** OpenAPI ignores these: the media types and the security of the operation say them. */
function isIgnored({ in: place, name }: Parameter): boolean {
  return place === 'header' && /^(?:accept|content-type|authorization)$/i.test(name);
}

/** @throws ContractError for a required parameter that petspec does not know where to send */
function parameterOf({ reading, onGap }: Place, source: unknown): Parameter | undefined {
  const parameter = resolve(reading, source).value;
  const name = text(parameter.name) ?? '';
  const where = PLACES.find((each) => each === parameter.in);
  if (where === undefined) {
    const words = `the parameter '${name}' is in '${written(parameter.in)}'; expected ${PLACES.join(', ')}`;
    if (parameter.required === true) throw new ContractError(words);
    onGap(words);
    return undefined;
  }
  const since = sinceOf(extension(reading, parameter, 'x-since'), name);
  const [[mediaType = '', media = undefined] = []] = Object.entries(node(parameter.content)).map(
    ([type, each]) => [type, node(each)] as const,
  );
  const schema = reading.schema(parameter.schema ?? media?.schema, 'request', onGap);
  const example = parameter.example ?? firstExample(reading, parameter.examples) ?? schema.example;
  return {
    name,
    in: where,
    required: parameter.required === true || where === 'path',
    schema,
    ...(example === undefined ? {} : { example }),
    ...(typeof parameter.style === 'string' ? { style: parameter.style } : {}),
    ...(typeof parameter.explode === 'boolean' ? { explode: parameter.explode } : {}),
    ...(parameter.schema === undefined && media && isJson(mediaType) ? { isJson: true } : {}),
    ...(since === undefined ? {} : { since }),
  };
}

const PLACES: readonly Parameter['in'][] = ['query', 'path', 'header', 'cookie'];

function bodyOf({ reading, id, onGap }: Place, source: unknown): RequestBody {
  const body = resolve(reading, source).value;
  const [mediaType, media] = preferred(node(body.content));
  if (mediaType === undefined) throw new ContractError(`${id}: its request body has no media type`);
  const example = media.example ?? firstExample(reading, media.examples);
  return {
    required: body.required === true,
    mediaType: essence(mediaType),
    schema: reading.schema(media.schema, 'request', onGap),
    unspecified: list(extension(reading, body, 'x-unspecified')).map(String),
    ...(example === undefined ? {} : { example }),
  };
}

/** The value of the first of several examples, which may be a reference. */
function firstExample(reading: Reading, examples: unknown): unknown {
  const [first] = Object.values(node(examples));
  return first === undefined ? undefined : resolve(reading, first).value.value;
}

/** A response is one requirement of its operation; a response that operations share is one for all of them. */
function responseOf(
  { reading, id, section, onGap }: Place,
  status: string,
  source: unknown,
): DocumentedResponse {
  const { name: component, value } = resolve(reading, source);
  // Where nothing says when a response comes, each operation has its own reasons for it.
  const name = reading.mayRefuse ? undefined : component;
  const requirement = name ?? `${id}.${status}`;
  const [mediaType, , ...others] = preferred(node(value.content));
  const [body, ...otherBodies] = bodiesOf(reading, node(value.content), requirement, onGap);
  const since = sinceOf(extension(reading, value, 'x-since'), requirement);
  return {
    status,
    requirement,
    ...(name === undefined ? {} : { isShared: true }),
    description: text(value.description) ?? '',
    section: text(extension(reading, value, 'x-section')) ?? section,
    headers: Object.entries(node(value.headers))
      // OpenAPI ignores it: the media types say what it is.
      .filter(([header]) => !/^content-type$/i.test(header))
      .map(([header, each]) => headerOf(reading, header, each, onGap)),
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(others.length === 0 ? {} : { otherMediaTypes: others }),
    ...(body ?? {}),
    ...(otherBodies.length === 0 ? {} : { otherBodies: otherBodies.flatMap((each) => each ?? []) }),
    links: Object.values(node(value.links)).flatMap((each) => linksOf(node(resolve(reading, each).value))),
    ...(since === undefined ? {} : { since }),
  };
}

/**
 * The bodies whose schema can be judged, by media type: that of the preferred one first, which is undefined if it has none. A
 * document that is complete has one media type for each response.
 */
function bodiesOf(
  reading: Reading,
  content: Node,
  requirement: string,
  onGap: Place['onGap'],
): (ShapedBody | undefined)[] {
  const [preferredType] = preferred(content);
  const bodies = Object.entries(content).flatMap(([type, media]) => {
    const mediaType = withoutCharset(type);
    const stated = node(media).schema;
    const isPreferred = mediaType === preferredType;
    const isText = reading.mayRefuse && essence(type) === 'text/plain';
    if (stated === undefined || !(isJson(type) || isText)) return [];
    const schema = reading.schema(stated, 'response', onGap);
    if (isText && !isTextSchema(schema)) return [];
    const ownId = isPreferred ? `${requirement}.body` : `${requirement}.${mediaType}`;
    return [{ isPreferred, body: { mediaType, schema, bodyRequirement: schema['x-component'] ?? ownId } }];
  });
  const first = bodies.find(({ isPreferred }) => isPreferred);
  return [first?.body, ...bodies.filter((each) => !each.isPreferred).map(({ body }) => body)];
}

/** The media type that petspec understands best, what is said about it, and the others. */
function preferred(content: Node): [mediaType: string | undefined, media: Node, ...others: string[]] {
  const types = Object.keys(content);
  const best = types.find((each) => essence(each) === 'application/json') ?? types.find(isJson) ?? types[0];
  const others = types.filter((each) => each !== best).map(withoutCharset);
  return [best === undefined ? undefined : withoutCharset(best), node(content[best ?? '']), ...others];
}

/** Whether a media type is JSON (RFC 6839 section 3.1 for the suffix). */
export function isJson(mediaType: string): boolean {
  return /^(?:application|\*)\/(?:json|\*)$|^text\/json$|\+json$/.test(essence(mediaType));
}

/** A media type as a request names it. A charset says nothing of the shape, and JSON has none (RFC 8259 section 11). */
function withoutCharset(mediaType: string): string {
  const [type = '', ...parameters] = partsOf(mediaType);
  return [type.toLowerCase(), ...parameters.filter((each) => !/^charset\s*=/i.test(each))].join('; ');
}

function essence(mediaType: string): string {
  return mediaTypeOf(mediaType).type;
}

function headerOf(reading: Reading, name: string, source: unknown, onGap: Place['onGap']): Header {
  const header = resolve(reading, source).value;
  const since = sinceOf(extension(reading, header, 'x-since'), name);
  return {
    name,
    required: header.required === true,
    section: text(extension(reading, header, 'x-section')) ?? 'Headers',
    description: text(header.description) ?? '',
    schema: reading.schema(header.schema, 'response', onGap),
    ...(since === undefined ? {} : { since }),
  };
}

/** An extension of petspec's, which in other documents may be somebody else's and mean something else. */
function extension({ mayRefuse }: Reading, source: Node, name: `x-${string}`): unknown {
  return mayRefuse ? undefined : source[name];
}

function linksOf(source: Node): Link[] {
  const operation = text(source.operationId) ?? '';
  return Object.entries(node(source.parameters)).flatMap(([parameter, expression]) => {
    const pointer = /^\$response\.body#(\/.*)$/.exec(text(expression) ?? '')?.[1];
    return pointer === undefined ? [] : [{ operation, parameter, pointer }];
  });
}

function resolve(reading: Reading, source: unknown): { name?: string; value: Node } {
  const value = node(source);
  if (typeof value.$ref !== 'string') return { value };
  const { name, value: named } = reading.follow(value.$ref);
  return { ...(name === undefined ? {} : { name }), value: node(named) };
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
