import type { Schema } from '../../model/contract.ts';
import { at, type Json, pointerOf } from '../../model/json.ts';
import { nameOrDescribe, shapeOf } from '../describe.ts';
import { alternativesOf, isObject, schemaAt } from '../schema.ts';
import type { BrokenKeyword } from './broken-keyword.ts';
import { type SchemaError, schemaErrors } from './schema-validator.ts';

/** How deep choices inside choices are followed; the innermost one is named. */
const MAX_DEPTH = 3;

/** What is wrong with the value at the place of an error, in words that follow its name, and what the document asks for. */
export function violationWords(
  schema: Schema,
  value: Json,
  { pointer, missing, keyword, words }: SchemaError,
  depth = 0,
): BrokenKeyword {
  const found = schemaAt(schema, pointer);
  const field = found?.['x-circular'] ?? found;
  const wanted = shapeOf(found ?? {});
  if (missing) return { reason: 'is missing', expected: wanted };
  if (!words.isPlain || !field) return words;
  if (keyword !== 'anyOf' && keyword !== 'oneOf') {
    // What is left in an allOf is no part of the field in words.
    return field.allOf && keyword !== 'type' ? words : { reason: `is not ${wanted}`, expected: wanted };
  }
  const inside = at(value, pointerOf(pointer)) ?? null;
  const closest = depth < MAX_DEPTH ? closestMember(field, inside) : undefined;
  if (!closest) return { reason: `is not ${wanted}`, expected: wanted };
  const { member, error } = closest;
  const place = error.missing ? error.pointer.at(-1) : pointerOf(error.pointer) || 'it';
  const { reason } = violationWords(member, inside, error, depth + 1);
  const named = nameOrDescribe(member);
  return {
    reason: `fits none of the alternatives; it is closest to ${named}, but ${place} ${reason}`,
    expected: wanted,
  };
}

interface Closest {
  member: Schema;
  error: SchemaError;
}

/** The member of a choice that a value is most likely meant to be, and what is wrong with it; undefined if none has its type. */
function closestMember(choice: Schema, value: Json): Closest | undefined {
  const alternatives = alternativesOf(choice).map((each) => each['x-circular'] ?? each);
  // Null is the other one.
  const members = alternatives.length > 0 ? alternatives : [{ ...choice, 'x-nullable': false }];
  const named = memberNamed(choice, members, value);
  const tried = (named ? [named] : members).flatMap((member) => {
    const errors = schemaErrors(member, value);
    const [error] = errors;
    const hasOtherType = errors.some(({ pointer, keyword }) => pointer.length === 0 && keyword === 'type');
    return error && !hasOtherType ? [{ member, error, distance: distanceOf(errors) }] : [];
  });
  return tried.toSorted((one, other) => one.distance - other.distance)[0];
}

/** What tells members apart is mostly a member of an enumeration, so that a wrong one says more than any other error. */
function distanceOf(errors: readonly SchemaError[]): number {
  return errors.length + (errors.some(({ keyword }) => keyword === 'enum') ? 1_000 : 0);
}

/** The member that the discriminator of a value names: that of the choice, or of the class that its members extend. */
function memberNamed(
  { 'x-discriminator': own }: Schema,
  members: readonly Schema[],
  value: Json,
): Schema | undefined {
  const discriminator = own ?? members.find((each) => each['x-named-by'])?.['x-named-by'];
  const property = discriminator?.propertyName;
  if (typeof property !== 'string' || !isObject(value) || !Object.hasOwn(value, property)) return undefined;
  const name = String(value[property]);
  const { mapping } = discriminator ?? {};
  const target = isObject(mapping) && Object.hasOwn(mapping, name) ? String(mapping[name]) : name;
  return members.find((each) => each['x-component'] === target.split('/').at(-1));
}
