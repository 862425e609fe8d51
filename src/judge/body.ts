import type { DocumentedResponse } from '../contract/types.ts';
import { type Json, parseJson } from '../json.ts';
import { headerValues, type Received } from '../session/exchange.ts';
import type { Deviation } from './finding.ts';
import { quote } from './quote.ts';
import { judgeShape, shapeOf } from './shape.ts';

const CONTENT_TYPE = 'service.content-type';
const JSON_TEXT = 'service.json';

/** A sender must not add one (RFC 8259 section 8.1), though some readers overlook it. */
const BYTE_ORDER_MARK = '\ufeff';
const MARKED = 'it begins with a byte order mark';

export interface JudgedBody {
  met: string[];
  deviations: Deviation[];
  value?: Json;
}

/** Judges a body by what its response documents: media type, then JSON, then shape; the first that is wrong owns it. */
export function judgeBody(response: Received, documented: DocumentedResponse): JudgedBody {
  const { schema, mediaType, bodyRequirement } = documented;
  if (!schema || !mediaType || !bodyRequirement) return { met: [], deviations: [] };
  if (response.body === '' && !response.undecodable) {
    const reason = 'the body is empty';
    return {
      met: [],
      deviations: [
        {
          requirement: bodyRequirement,
          kind: 'shape',
          reason,
          expected: shapeOf(schema),
          received: 'an empty body',
        },
      ],
    };
  }
  // A proxy may join repeated lines with commas.
  const types = headerValues(response.headers, 'Content-Type').flatMap((value) =>
    value.includes('"') ? [value] : value.split(','),
  );
  if (types.length === 0 || !types.every((type) => essence(type) === mediaType)) {
    const received =
      types.length === 0 ? 'no Content-Type header' : types.map((type) => `Content-Type: ${type}`).join(', ');
    const reason = `the body is not declared as ${mediaType}`;
    return {
      met: [],
      deviations: [
        {
          requirement: CONTENT_TYPE,
          kind: 'media-type',
          reason,
          expected: `Content-Type: ${mediaType}`,
          received,
        },
      ],
    };
  }
  const unreadable = response.undecodable ?? (response.body.startsWith(BYTE_ORDER_MARK) ? MARKED : undefined);
  const parsed = unreadable ? { ok: false as const, error: unreadable } : parseJson(response.body);
  if (!parsed.ok) {
    const reason = `the body is not JSON: ${quote(parsed.error)}`;
    const expected = 'one JSON value in UTF-8';
    return {
      met: [CONTENT_TYPE],
      deviations: [
        { requirement: JSON_TEXT, kind: 'json', reason, expected, received: quote(response.body) },
      ],
    };
  }
  const shape = judgeShape(parsed.value, schema, bodyRequirement, response.status);
  return { met: [CONTENT_TYPE, JSON_TEXT, ...shape.met], deviations: shape.deviations, value: parsed.value };
}

/** The media type without its parameters, which are compared without case (RFC 9110 section 8.3.1). */
function essence(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}
