import type { DocumentedResponse, Operation } from '../../model/contract.ts';
import { headerValues, type Received } from '../../model/exchange.ts';
import type { Deviation } from '../../model/finding.ts';
import { type Json, type Parsed, parseJson } from '../../model/json.ts';
import { quote } from '../quote.ts';
import { judgeShape, shapeOf } from './shape.ts';
import { documentedStatus, isAbsent } from './status.ts';

const CONTENT_TYPE = 'service.content-type';
const JSON_TEXT = 'service.json';

/** A sender must not add one (RFC 8259 section 8.1), though some readers overlook it. */
const BYTE_ORDER_MARK = '\ufeff';
const MARKED = 'it begins with a byte order mark';

/** What a body is to be: of a media type, and of a shape where one is documented. Without a media type it is not judged. */
export type DocumentedBody = Pick<DocumentedResponse, 'mediaType' | 'schema' | 'bodyRequirement'>;

export interface JudgedBody {
  met: string[];
  deviations: Deviation[];
  /** What else is wrong with it, behind what comes first. */
  hidden: Deviation[];
  /** The value of a body whose shape is documented, once it was seen to be JSON. */
  value?: Json;
}

/**
 * What the body of a response of this status is to be: what is documented for it; else of any shape, and of the media type
 * of all that are documented, as a general sentence has it. A redirect, and what says that there is no such operation,
 * may come from whatever routes requests, and is judged by neither.
 * @param isOpen whether the interface leaves open what the request gets: a refusal then has any shape
 */
export function bodyFor(operation: Operation, status: number, isOpen = false): DocumentedBody {
  const { responses } = operation;
  const key = documentedStatus(operation, status);
  const own = responses.find((each) => each.status === key);
  if (own && !(isOpen && status >= 300)) return own;
  if ((status >= 300 && status <= 399) || isAbsent(status)) return {};
  const [mediaType, ...others] = new Set(responses.flatMap((each) => each.mediaType ?? []));
  return mediaType === undefined || others.length > 0 ? {} : { mediaType };
}

/**
 * Judges a body: media type, then JSON, then shape, where one is documented. The first that is wrong owns it, and hides
 * the others. Where no shape is documented, no body at all conforms.
 */
export function judgeBody(response: Received, documented: DocumentedBody): JudgedBody {
  const { mediaType } = documented;
  if (!mediaType) return { met: [], deviations: [], hidden: [] };
  if (response.body === '' && !response.undecodable && !response.unread) {
    const absent = isNot(documented, 'the body is empty', 'an empty body');
    return { met: [], deviations: absent, hidden: [] };
  }
  const undeclared = judgeMediaType(response, mediaType);
  const declared = undeclared.length === 0 ? [CONTENT_TYPE] : [];
  // petspec bounds what it reads: that is no fault of the service.
  if (response.unread) return { met: declared, deviations: undeclared, hidden: [] };
  const parsed = parsedBody(response);
  if (!parsed.ok) {
    const reason = `the body is not JSON: ${quote(parsed.error)}`;
    const received = quote(response.body);
    const expected = 'one JSON value in UTF-8';
    const broken: Deviation = { requirement: JSON_TEXT, kind: 'json', reason, expected, received };
    return { met: declared, ...owned([undeclared, [broken], isNot(documented, reason, received)]) };
  }
  const { schema, bodyRequirement } = documented;
  const isShaped = schema !== undefined && bodyRequirement !== undefined;
  const shape = isShaped
    ? judgeShape(parsed.value, schema, bodyRequirement, response.status)
    : { met: [], deviations: [], hidden: [] };
  return {
    // What is behind a wrong type shows nothing by itself.
    met: declared.length > 0 ? [...declared, JSON_TEXT, ...shape.met] : [],
    ...owned([undeclared, shape.deviations, shape.hidden]),
    ...(isShaped ? { value: parsed.value } : {}),
  };
}

/** The first layer in which anything is wrong owns a body; what is behind it is hidden. */
function owned(layers: readonly Deviation[][]): Pick<JudgedBody, 'deviations' | 'hidden'> {
  const [deviations = [], ...hidden] = layers.filter(({ length }) => length > 0);
  return { deviations, hidden: hidden.flat() };
}

/** That a body is not of the shape that is documented; nothing where none is. */
function isNot({ schema, bodyRequirement }: DocumentedBody, reason: string, received: string): Deviation[] {
  if (!schema || !bodyRequirement) return [];
  return [{ requirement: bodyRequirement, kind: 'shape', reason, expected: shapeOf(schema), received }];
}

function judgeMediaType(response: Received, mediaType: string): Deviation[] {
  // A proxy may join repeated lines with commas.
  const types = headerValues(response.headers, 'Content-Type').flatMap((value) =>
    value.includes('"') ? [value] : value.split(','),
  );
  if (types.length > 0 && types.every((type) => essence(type) === mediaType)) return [];
  const received =
    types.length === 0 ? 'no Content-Type header' : types.map((type) => `Content-Type: ${type}`).join(', ');
  const reason = `the body is not declared as ${mediaType}`;
  const expected = `Content-Type: ${mediaType}`;
  const headers = ['Content-Type'];
  return [{ requirement: CONTENT_TYPE, kind: 'media-type', headers, reason, expected, received }];
}

function parsedBody({ body, undecodable }: Received): Parsed {
  const unreadable = undecodable ?? (body.startsWith(BYTE_ORDER_MARK) ? MARKED : undefined);
  return unreadable ? { ok: false, error: unreadable } : parseJson(body);
}

/** The media type without its parameters, which are compared without case (RFC 9110 section 8.3.1). */
function essence(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}
