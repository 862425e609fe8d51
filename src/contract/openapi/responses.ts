import type { DocumentedResponse, Header, Link, Operation } from '../../model/contract.ts';
import { isJson } from '../../model/http/media-type.ts';
import { FILES } from '../document/references.ts';
import { derivedRequirements, valueRequirement } from '../requirements.ts';
import { isObject, mayBeObject } from '../schema.ts';
import { sinceOf } from '../sets.ts';
import { preferred, shapedBodiesOf } from './content.ts';
import {
  type DocumentReading,
  extension,
  type Node,
  node,
  type OperationContext,
  resolve,
  text,
} from './reading.ts';

/** A response is one requirement of its operation; operations that share a response share the requirement. */
export function responseOf(
  { reading, id, section, onGap }: OperationContext,
  status: string,
  source: unknown,
): DocumentedResponse {
  const { name: component, value } = resolve(reading, source);
  // If the document does not say when a response comes, each operation has its own reasons for it.
  const name = reading.mayRefuse ? undefined : component;
  const requirement = name ?? `${id}.${status}`;
  const [mediaType, , ...otherMediaTypes] = preferred(node(value.content));
  const [body, ...otherBodies] = shapedBodiesOf(reading, node(value.content), requirement, onGap);
  const since = sinceOf(extension(reading, value, 'x-since'), requirement);
  return {
    status,
    requirement,
    isShared: name !== undefined,
    description: text(value.description) ?? '',
    section: text(extension(reading, value, 'x-section')) ?? section,
    headers: Object.entries(node(value.headers))
      // OpenAPI ignores it, as the media types state it.
      .filter(([header]) => !/^content-type$/i.test(header))
      .map(([header, stated]) => headerOf(reading, header, stated, onGap)),
    mediaType,
    otherMediaTypes,
    ...body,
    otherBodies: otherBodies.flatMap((shapedBody) => shapedBody ?? []),
    links: Object.values(node(value.links)).flatMap((link) => linksOf(node(resolve(reading, link).value))),
    since,
  };
}

function headerOf(
  reading: DocumentReading,
  name: string,
  source: unknown,
  onGap: OperationContext['onGap'],
): Header {
  const header = resolve(reading, source).value;
  const since = sinceOf(extension(reading, header, 'x-since'), name);
  const [[mediaType = '', media] = []] = Object.entries(node(header.content));
  const isStatedAsJson = header.schema === undefined && isJson(mediaType);
  const schema = reading.schema(header.schema ?? node(media).schema, 'response', onGap);
  // The form of an object in a header depends on more than its schema.
  const isUnjudged = !isStatedAsJson && (mediaType !== '' || mayBeObject(schema));
  if (isUnjudged)
    onGap(
      `the value of the header ${name} is ${mediaType === '' ? 'an object' : mediaType}, so it is not judged`,
    );
  return {
    name,
    required: header.required === true,
    section: text(extension(reading, header, 'x-section')) ?? 'Headers',
    description: text(header.description) ?? '',
    schema,
    isJson: isStatedAsJson,
    isUnjudged,
    since,
  };
}

function linksOf(source: Node): Link[] {
  const operation = text(source.operationId) ?? '';
  return Object.entries(node(source.parameters)).flatMap(([parameter, expression]) => {
    const pointer = /^\$response\.body#(\/.*)$/.exec(text(expression) ?? '')?.[1];
    return pointer === undefined ? [] : [{ operation, parameter, pointer }];
  });
}

/**
 * Operations with separate requirements for headers that share a name with a component: a violation of one says nothing about
 * the other.
 */
export function withHeaderIds(
  operations: readonly Operation[],
  document: Readonly<Record<string, unknown>>,
): readonly Operation[] {
  const names = new Set(
    operations.flatMap(({ responses }) =>
      responses.flatMap(({ headers }) => headers.map(({ name }) => name)),
    ),
  );
  if (![...names].some((name) => mayBeShared(name, document))) return operations;
  const headerless = operations.map((operation) => ({
    ...operation,
    responses: operation.responses.map((response) => ({ ...response, headers: [] })),
  }));
  const ids = new Set(derivedRequirements(headerless).map(({ id }) => id));
  const shared = new Set([...names].filter((name) => ids.has(name) || ids.has(valueRequirement({ name }))));
  if (shared.size === 0) return operations;
  return operations.map((operation) => ({
    ...operation,
    responses: operation.responses.map((response) => ({
      ...response,
      headers: response.headers.map((header) =>
        // No other id ends like this: names of components have no spaces.
        shared.has(header.name) ? { ...header, requirement: `${header.name} header` } : header,
      ),
    })),
  }));
}

/** Whether another requirement may have the name as its id: checking for certain takes as long as reading all requirements. */
function mayBeShared(
  name: string,
  { components, [FILES]: files }: Readonly<Record<string, unknown>>,
): boolean {
  const { schemas } = isObject(components) ? components : {};
  return files !== undefined || name.includes('.') || (isObject(schemas) && Object.hasOwn(schemas, name));
}
