import { shapeOf } from '../../contract/describe.ts';
import { isSequential, itemsOf } from '../../contract/openapi/sequences.ts';
import type { DocumentedResponse, Operation, ShapedBody } from '../../model/contract.ts';
import { headerValues, type Received } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { isJson, mediaTypeOf } from '../../model/http/media-type.ts';
import { type Json, type Parsed, parseJson } from '../../model/json.ts';
import { rememberingLast } from '../../model/remembering.ts';
import { quote } from '../../model/visible.ts';
import type { JudgedPart } from '../evidence/judged.ts';
import { judgeShape } from './shape.ts';
import { documentedStatus, isAbsent } from './status.ts';

/**
 * Judges a text body by its schema. Many servers add a line break at the end or a byte order mark at the beginning, so the text
 * without them may match as well. A body that petspec cannot decode is not judged.
 * @param types the media types that the response declares
 */
export function judgeText(
  { body, undecodable, status }: Received,
  { schema, bodyRequirement }: Pick<ShapedBody, 'schema' | 'bodyRequirement'>,
  types: readonly string[],
): JudgedPart {
  const charsets = types.flatMap((type) => mediaTypeOf(type).parameters).filter(isOtherCharset);
  if (undecodable || charsets.length > 0) return { met: [], deviations: [], hidden: [] };
  const judged = (text: string) => judgeShape(text, schema, bodyRequirement, status);
  const bare = judged(body.replace(/^\ufeff/, '').replace(/\r?\n$/, ''));
  return bare.deviations.length === 0 ? bare : judged(body);
}

function isOtherCharset(parameter: string): boolean {
  return /^charset=/.test(parameter) && !/^charset=(?:utf-?8|us-ascii)$/.test(parameter);
}

const CONTENT_TYPE = 'service.content-type';
const JSON_TEXT = 'service.json';

/** A sender must not add a byte order mark (RFC 8259 section 8.1), though some readers ignore it. */
const BYTE_ORDER_MARK = '\ufeff';
const MARKED = 'it begins with a byte order mark';

/** A user's document may document them by a class such as `2XX` (RFC 9110 sections 15.3.5, 15.3.6 and 15.4.5). */
const HAVE_NO_CONTENT: ReadonlySet<number> = new Set([204, 205, 304]);

/** The media type that a body should have, and its shape if documented. Without a media type it is not judged. */
export type DocumentedBody = Pick<
  DocumentedResponse,
  'mediaType' | 'otherMediaTypes' | 'otherBodies' | 'schema' | 'bodyRequirement'
>;

export interface JudgedBody extends JudgedPart {
  /** The value of the body, if it is JSON of the preferred media type and its shape is documented. */
  value?: Json | undefined;
}

/**
 * What the body of a response with this status should be: what is documented for the status, or else any shape with the
 * media type that all documented responses have. A redirect, and a status that says that the operation does not exist, may
 * come from a router in front of the service; their bodies are not judged.
 * @param isOpen whether the interface leaves open what the request gets: then a refusal may have any shape
 */
export function bodyFor(operation: Operation, status: number, isOpen = false): DocumentedBody {
  if (operation.mayRefuse && HAVE_NO_CONTENT.has(status)) return {};
  const { responses } = operation;
  const key = documentedStatus(operation, status);
  const documented = responses.find((response) => response.status === key);
  if (documented && !(isOpen && status >= 300)) return documented;
  if (operation.mayRefuse || (status >= 300 && status <= 399) || isAbsent(status)) return {};
  const [mediaType, ...others] = new Set(responses.flatMap((response) => response.mediaType ?? []));
  return mediaType === undefined || others.length > 0 ? {} : { mediaType };
}

/**
 * Judges a body: its media type, then JSON, then the shape if one is documented. The first deviation owns the body and
 * hides the others. If no shape is documented, an empty body conforms, too.
 */
export const judgeBody = rememberingLast((response: Received, documented: DocumentedBody): JudgedBody => {
  const { mediaType } = documented;
  if (!mediaType) return { met: [], deviations: [], hidden: [] };
  const types = declaredTypes(response);
  const allowed = [mediaType, ...(documented.otherMediaTypes ?? [])];
  const body = declaredBodyOf(documented, types, allowed);
  const { schema, bodyRequirement } = body ?? documented;
  const type = body?.mediaType ?? mediaType;
  const isSequence = isSequential(type) && schema !== undefined;
  const isText = !isJson(type) && !isSequence;
  if (response.body === '' && !response.undecodable && !response.unread) {
    const text = isText && body && schema && bodyRequirement ? { schema, bodyRequirement } : undefined;
    if (text) return judgeText(response, text, types);
    const absent =
      isText || isSequence ? [] : wrongShape(body ?? documented, 'the body is empty', 'an empty body');
    return { met: [], deviations: absent, hidden: [] };
  }
  const undeclared = judgeMediaType(response, types, allowed);
  const declared = undeclared.length === 0 ? [CONTENT_TYPE] : [];
  const isOtherAllowed = undeclared.length === 0 && !body;
  // petspec bounds what it reads, which is not the service's fault.
  if (response.unread || isOtherAllowed) return { met: declared, deviations: undeclared, hidden: [] };
  if (!isText) return judgeJson(response, body ?? documented, undeclared, !body || body === documented);
  if (undeclared.length > 0 || !schema || !bodyRequirement)
    return { met: declared, deviations: undeclared, hidden: [] };
  const text = judgeText(response, { schema, bodyRequirement }, types);
  return { ...text, met: [...declared, ...text.met] };
});

/** The declared media type of a response: the preferred one, another documented one with a shape, or neither. */
function declaredBodyOf(
  documented: DocumentedBody,
  types: readonly string[],
  allowed: readonly string[],
): DocumentedBody | undefined {
  const [named = documented.mediaType, ...others] = new Set(
    types.map((type) => documentedTypeOf(type, allowed) ?? ''),
  );
  const body = [documented, ...(documented.otherBodies ?? [])].find(({ mediaType }) => mediaType === named);
  if (others.length > 0 || !body?.mediaType) return undefined;
  const isRange = mediaTypeOf(body.mediaType).type.includes('*');
  return isRange && (types.length === 0 || !types.every(isJson)) ? undefined : body;
}

/** @param isPreferred whether other requirements are about the value of this body */
function judgeJson(
  response: Received,
  documented: DocumentedBody,
  undeclared: readonly Deviation[],
  isPreferred: boolean,
): JudgedBody {
  const declared = undeclared.length === 0 ? [CONTENT_TYPE] : [];
  const { schema, bodyRequirement, mediaType = '' } = documented;
  const isSequence = isSequential(mediaType);
  const parsed = isSequence ? parsedItems(response, mediaType) : parsedBody(response);
  if (!parsed.ok) {
    const reason = `the body is not ${isSequence ? `a sequence (${mediaType})` : 'JSON'}: ${quote(parsed.error)}`;
    const received = quote(response.body);
    const expected = isSequence ? 'items that are each one JSON value in UTF-8' : 'one JSON value in UTF-8';
    const broken: Deviation = { requirement: JSON_TEXT, kind: 'json', reason, expected, received };
    return { met: declared, ...firstLayer([undeclared, [broken], wrongShape(documented, reason, received)]) };
  }
  const isShaped = schema !== undefined && bodyRequirement !== undefined;
  const shape = isShaped
    ? judgeShape(parsed.value, schema, bodyRequirement, response.status)
    : { met: [], deviations: [], hidden: [] };
  return {
    // A body with the wrong media type fulfills nothing.
    met: declared.length > 0 ? [...declared, JSON_TEXT, ...shape.met] : [],
    ...firstLayer([undeclared, shape.deviations, shape.hidden]),
    value: isShaped && isPreferred ? parsed.value : undefined,
  };
}

/** The first layer with a deviation owns a body and hides the layers after it. */
function firstLayer(layers: readonly (readonly Deviation[])[]): Pick<JudgedBody, 'deviations' | 'hidden'> {
  const [deviations = [], ...hidden] = layers.filter(({ length }) => length > 0);
  return { deviations: [...deviations], hidden: hidden.flat() };
}

/** The deviation from the documented shape; none if no shape is documented. */
function wrongShape(
  { schema, bodyRequirement }: DocumentedBody,
  reason: string,
  received: string,
): Deviation[] {
  if (!schema || !bodyRequirement) return [];
  return [{ requirement: bodyRequirement, kind: 'shape', reason, expected: shapeOf(schema), received }];
}

/** The media types that a response declares. A proxy may join repeated lines with commas. */
function declaredTypes(response: Received): string[] {
  return headerValues(response.headers, 'Content-Type').flatMap((value) =>
    value.includes('"') ? [value] : value.split(','),
  );
}

function judgeMediaType(
  { headers: lines }: Received,
  types: readonly string[],
  allowed: readonly string[],
): Deviation[] {
  if (allowed.includes('*/*')) return [];
  if (types.length > 0 && types.every((type) => allowed.some((range) => isOfType(type, range)))) return [];
  const sent = headerValues(lines, 'Content-Type').map((value) => `Content-Type: ${value}`);
  const received = sent.length === 0 ? 'no Content-Type header' : sent.join(', ');
  const reason = `the body is not declared as ${allowed.join(' or ')}`;
  const expected = `Content-Type: ${allowed.join(' or ')}`;
  const headers = ['Content-Type'];
  return [{ requirement: CONTENT_TYPE, kind: 'media-type', headers, reason, expected, received }];
}

/** Whether a media type is a documented one or of a range such as `text/*`, whatever its parameters. */
function isOfType(declared: string, documented: string): boolean {
  const [{ type }, { type: range }] = [mediaTypeOf(declared), mediaTypeOf(documented)];
  if (range === '*/*') return true;
  return range.endsWith('/*') ? type.startsWith(range.slice(0, -1)) : type === range;
}

/**
 * The documented media type that matches a declared one: the most specific one, if several match (RFC 9110 section 12.5.1).
 * Undefined if none matches, or if two are equally specific.
 */
function documentedTypeOf(declared: string, documented: readonly string[]): string | undefined {
  const fitting = documented.filter((mediaType) => isOfType(declared, mediaType));
  const { parameters } = mediaTypeOf(declared);
  const hasAll = (type: string) => mediaTypeOf(type).parameters.every((name) => parameters.includes(name));
  const exact = fitting.filter(hasAll);
  if (exact.length === 0) return fitting.length === 1 ? fitting[0] : undefined;
  const ranked = exact.toSorted((left, right) => specificity(right) - specificity(left));
  const [first = '', second] = ranked;
  return second !== undefined && specificity(second) === specificity(first) ? undefined : first;
}

/** How specific a media type is: parameters make it more specific, a range makes it less. */
function specificity(mediaType: string): number {
  const { type, parameters } = mediaTypeOf(mediaType);
  return parameters.length - 100 * type.split('*').length;
}

function parsedItems({ body, undecodable }: Received, mediaType: string): Parsed {
  return undecodable ? { ok: false, error: undecodable } : itemsOf(mediaType, body);
}

function parsedBody({ body, undecodable }: Received): Parsed {
  const unreadable = undecodable ?? (body.startsWith(BYTE_ORDER_MARK) ? MARKED : undefined);
  return unreadable ? { ok: false, error: unreadable } : parseJson(body);
}
