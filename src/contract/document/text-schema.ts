import type { Schema } from '../../model/contract.ts';

/** Keywords by which a schema may describe something else than a text as well. */
const OPENING = ['x-nullable', 'x-binary', 'x-circular', 'anyOf', 'oneOf', 'allOf', 'if'];

/**
 * Whether a schema describes texts alone. How a body of text/plain is written that is a number, a list or null is not stated
 * anywhere, so only texts are judged.
 */
export function isTextSchema(schema: Schema): boolean {
  const { type, 'x-types': types, enum: members } = schema;
  if (OPENING.some((keyword) => schema[keyword] !== undefined)) return false;
  if (type !== undefined || types) return type === 'string';
  return members?.every((each) => typeof each === 'string') === true;
}
