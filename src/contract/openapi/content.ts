import {
  ContractError,
  type FieldEncoding,
  type RequestBody,
  type Schema,
  type ShapedBody,
} from '../../model/contract.ts';
import { essence, isJson, withoutCharset } from '../../model/http/media-type.ts';
import {
  boolean,
  type DocumentReading,
  extension,
  firstExample,
  list,
  type Node,
  node,
  type OperationContext,
  resolve,
  text,
} from './reading.ts';
import { isSequential } from './sequences.ts';

/** @throws ContractError for a body without a media type */
export function requestBodyOf({ reading, id, onGap }: OperationContext, source: unknown): RequestBody {
  const body = resolve(reading, source).value;
  const [mediaType, media] = preferred(node(body.content));
  if (mediaType === undefined) throw new ContractError(`${id}: its request body has no media type`);
  const example = media.example ?? firstExample(reading, media.examples);
  return {
    required: body.required === true,
    mediaType: essence(mediaType),
    schema: reading.schema(media.schema, 'request', onGap),
    unspecified: list(extension(reading, body, 'x-unspecified')).map(String),
    encoding: media.encoding === undefined ? undefined : encodingOf(node(media.encoding)),
    example,
  };
}

function encodingOf(source: Node): Record<string, FieldEncoding> {
  const fields = Object.entries(source).map(([name, encoding]): [string, FieldEncoding] => {
    const { contentType, style, explode } = node(encoding);
    return [name, { contentType: text(contentType), style: text(style), explode: boolean(explode) }];
  });
  return Object.fromEntries(fields);
}

/**
 * The bodies whose schema can be judged, by media type: first that of the preferred one, undefined if it has none. A complete
 * document has one media type for each response.
 */
export function shapedBodiesOf(
  reading: DocumentReading,
  content: Node,
  requirement: string,
  onGap: OperationContext['onGap'],
): (ShapedBody | undefined)[] {
  const [preferredType] = preferred(content);
  const bodies = Object.entries(content).flatMap(([type, media]) => {
    const mediaType = withoutCharset(type);
    const { itemSchema: items } = node(media);
    const isSequence = items !== undefined && isSequential(type);
    // OpenAPI defines a sequence as a list.
    const stated = isSequence ? { type: 'array', items } : node(media).schema;
    const isPreferred = mediaType === preferredType;
    const isText = reading.mayRefuse && essence(type) === 'text/plain';
    if (stated === undefined || !(isJson(type) || isText || isSequence)) return [];
    const schema = reading.schema(stated, 'response', onGap);
    if (isText && !isTextSchema(schema)) return [];
    const ownId = isPreferred ? `${requirement}.body` : `${requirement}.${mediaType}`;
    return [{ isPreferred, body: { mediaType, schema, bodyRequirement: schema['x-component'] ?? ownId } }];
  });
  const first = bodies.find(({ isPreferred }) => isPreferred);
  return [first?.body, ...bodies.filter((entry) => !entry.isPreferred).map(({ body }) => body)];
}

/** The media type that petspec reads best, its description, and the other types. */
export function preferred(
  content: Node,
): [mediaType: string | undefined, media: Node, ...otherTypes: string[]] {
  const types = Object.keys(content);
  const best = types.find((type) => essence(type) === 'application/json') ?? types.find(isJson) ?? types[0];
  const otherTypes = types.filter((type) => type !== best).map(withoutCharset);
  return [best === undefined ? undefined : withoutCharset(best), node(content[best ?? '']), ...otherTypes];
}

/** Keywords by which a schema may also describe other values than texts. */
const OPENING = ['x-nullable', 'x-binary', 'x-circular', 'anyOf', 'oneOf', 'allOf', 'if'];

/** Whether a schema only describes texts. No standard says how a body of text/plain writes a number, a list or null. */
function isTextSchema(schema: Schema): boolean {
  const { type, 'x-types': types, enum: members } = schema;
  if (OPENING.some((keyword) => schema[keyword] !== undefined)) return false;
  if (type !== undefined || types) return type === 'string';
  return members?.every((member) => typeof member === 'string') === true;
}
