import type { Schema } from '../../model/contract.ts';
import { at, type Json, pointerOf } from '../../model/json.ts';
import { nameOrDescribe, shapeOf } from '../describe.ts';
import { alternativesOf, isObject, schemaAt } from '../schema.ts';
import type { BrokenKeyword } from './broken-keyword.ts';
import { type SchemaError, schemaErrors } from './schema-validator.ts';

/** How deep nested choices are followed; the innermost one is named. */
const MAX_DEPTH = 3;

/** What is wrong with the value of an error, in words that follow its name, and what the document expects. */
export function violationWords(
  schema: Schema,
  value: Json,
  { pointer, missing, keyword, words }: SchemaError,
  depth = 0,
): BrokenKeyword {
  const stated = schemaAt(schema, pointer);
  const field = stated?.['x-circular'] ?? stated;
  const wanted = shapeOf(stated ?? {});
  if (missing) return { reason: 'is missing', expected: wanted };
  if (!words.isPlain || !field) return words;
  if (keyword !== 'anyOf' && keyword !== 'oneOf') {
    // The field in words does not contain what stays in an allOf.
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

/** The closest member of a choice, and its first error; undefined if none has the type of the value. */
function closestMember(choice: Schema, value: Json): Closest | undefined {
  const alternatives = alternativesOf(choice).map((alternative) => alternative['x-circular'] ?? alternative);
  // Without alternatives, the choice is this schema or null.
  const members = alternatives.length > 0 ? alternatives : [{ ...choice, 'x-nullable': false }];
  const named = memberNamed(choice, members, value);
  const tried = (named ? [named] : members).flatMap((member) => {
    const errors = schemaErrors(member, value);
    const [error] = errors;
    const hasOtherType = errors.some(({ pointer, keyword }) => pointer.length === 0 && keyword === 'type');
    return error && !hasOtherType ? [{ member, error, distance: distanceOf(errors) }] : [];
  });
  return tried.toSorted((left, right) => left.distance - right.distance)[0];
}

/** An error of an enumeration says the most, as enumerations mostly tell the members of a choice apart. */
function distanceOf(errors: readonly SchemaError[]): number {
  return errors.length + (errors.some(({ keyword }) => keyword === 'enum') ? 1_000 : 0);
}

/** The member that the discriminator names: that of the choice, or of the class that its members extend. */
function memberNamed(
  { 'x-discriminator': ownDiscriminator }: Schema,
  members: readonly Schema[],
  value: Json,
): Schema | undefined {
  const discriminator = ownDiscriminator ?? members.find((member) => member['x-named-by'])?.['x-named-by'];
  const property = discriminator?.propertyName;
  if (typeof property !== 'string' || !isObject(value) || !Object.hasOwn(value, property)) return undefined;
  const name = String(value[property]);
  const { mapping } = discriminator ?? {};
  const target = isObject(mapping) && Object.hasOwn(mapping, name) ? String(mapping[name]) : name;
  return members.find((member) => member['x-component'] === target.split('/').at(-1));
}
