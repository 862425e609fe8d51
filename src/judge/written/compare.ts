import { type Json, sameJson } from '../../model/json.ts';
import { type Fields, isFields, isSame, type WrittenFields } from './fields.ts';

/** Fields of nested objects that a service may assign itself, whatever was sent. */
const ASSIGNED = /^_?(?:id|uuid)$/i;

/** Whether a value shows all that was sent. A service may add fields and entries, sort and shorten lists, and drop nulls. */
export function shows(shown: Json | undefined, sent: Json): boolean {
  if (!isNested(sent)) return isSame(sent, shown);
  if (Array.isArray(sent))
    return Array.isArray(shown) && sent.every((entry) => shown.some((value) => isShownIn(value, entry)));
  if (!isFields(shown)) return false;
  return Object.entries(sent).every(([name, value]) => isShownIn(fieldOf(shown, name), value));
}

function isShownIn(shown: Json | undefined, sent: Json): boolean {
  return sent === null || shows(shown, sent);
}

/**
 * Whether a shown value contradicts the sent one: a part of the same form has another value. A missing part proves nothing, and an
 * object in place of its id may be the object with that id.
 */
export function contradicts(shown: Json | undefined, sent: Json): boolean {
  if (!isNested(sent)) return !isNested(shown) && !isSame(sent, shown);
  if (isEmpty(sent)) return false;
  if (shown === null) return true;
  if (Array.isArray(sent))
    return (
      Array.isArray(shown) && !sent.every((entry) => shown.some((value) => !isContradictedIn(value, entry)))
    );
  return (
    isFields(shown) &&
    Object.entries(sent).some(
      ([name, value]) => !ASSIGNED.test(name) && isContradictedIn(fieldOf(shown, name), value),
    )
  );
}

function isContradictedIn(shown: Json | undefined, sent: Json): boolean {
  return sent !== null && shown !== undefined && contradicts(shown, sent);
}

/** Larger values are the same only if their lists have the same order: comparing all pairs of entries takes too long. */
const MAX_PARTS = 2_000;

/** Whether two values that a service shows are the same. */
export function isUnchanged(left: Json | undefined, right: Json | undefined): boolean {
  if (left === undefined || right === undefined) return left === right;
  if (sameJson(left, right)) return true;
  if (partsIn(left) > MAX_PARTS || partsIn(right) > MAX_PARTS) return false;
  return shows(left, right) && shows(right, left);
}

/** The number of values in a value; counting stops above `MAX_PARTS`. */
function partsIn(value: Json): number {
  let parts = 1;
  for (const part of isNested(value) ? Object.values(value) : []) {
    parts += partsIn(part);
    if (parts > MAX_PARTS) break;
  }
  return parts;
}

/** Whether a value is an object or a list. */
function isNested(value: Json | undefined): value is Fields | Json[] {
  return typeof value === 'object' && value !== null;
}

/** Whether a value says nothing: null, an empty text, list or object. */
export function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  return isNested(value) && Object.keys(value).length === 0;
}

/** The value of a field; an inherited property of the object is no field. */
export function fieldOf(fields: Fields, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Whether the read shows another value than the one sent. */
export function isChanged({ asked, shown }: WrittenFields, name: string): boolean {
  return contradicts(shown[name], asked[name] ?? null);
}

/** Whether the response to the write shows the sent value. */
export function isClaimed({ asked, answered }: WrittenFields, name: string): boolean {
  return answered[name] !== undefined && shows(answered[name], asked[name] ?? null);
}

/** Whether the sent value differs from the earlier value. */
export function isOther(asked: Json | undefined, old: Json | undefined): boolean {
  return isNested(asked) && old !== undefined ? contradicts(old, asked) : !isSame(asked, old);
}

/**
 * The field of a change that was surely lost. A service may keep the old value of a field and say so, or change the field again. It
 * must not ignore every sent field, or read back an old value after its response showed the new one. A nested value that its response
 * showed must not differ afterwards.
 * @param names the fields that were sent with a new value and are in the read
 * @param dropped the sent fields that the read lacks
 */
export function lostField(
  written: WrittenFields,
  old: Fields,
  names: readonly string[],
  dropped: readonly string[],
): string | undefined {
  const isKept = (name: string) => isUnchanged(written.shown[name], old[name]);
  const kept = names.filter(isKept);
  return (
    kept.find((name) => isClaimed(written, name)) ??
    (kept.length === names.length ? kept[0] : undefined) ??
    [...names.filter((name) => isNested(written.asked[name]) && isChanged(written, name)), ...dropped].find(
      (name) => isClaimed(written, name),
    )
  );
}

/** The sent fields that a read lacks, although an earlier read had them. @param earlier the fields of the earlier reads */
export function droppedFields(
  { asked, shown }: WrittenFields,
  earlier: readonly (Fields | undefined)[],
): string[] {
  return Object.keys(asked).filter(
    (name) =>
      !isEmpty(asked[name]) &&
      !Object.hasOwn(shown, name) &&
      earlier.some((fields) => fields && Object.hasOwn(fields, name) && !isEmpty(fields[name])),
  );
}
