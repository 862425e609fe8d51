import { type Json, sameJson } from '../../model/json.ts';
import { type Fields, isFields, isSame, type WrittenFields } from './fields.ts';

/** Fields of nested objects that a service may assign itself, whatever was sent. */
const ASSIGNED = /^_?(?:id|uuid)$/i;

/** Whether a value shows all that was sent. A service may add fields and entries, sort and shorten lists, and drop nulls. */
export function shows(shown: Json | undefined, sent: Json): boolean {
  if (!isNested(sent)) return isSame(sent, shown);
  if (Array.isArray(sent))
    return Array.isArray(shown) && sent.every((entry) => shown.some((each) => isShownIn(each, entry)));
  return isFields(shown) && Object.entries(sent).every(([name, each]) => isShownIn(own(shown, name), each));
}

function isShownIn(shown: Json | undefined, sent: Json): boolean {
  return sent === null || shows(shown, sent);
}

/**
 * Whether a value is surely not what was sent: something in it that has the same form is another value. What is not shown
 * proves nothing, and an object in place of its id may be the one with this id.
 */
export function contradicts(shown: Json | undefined, sent: Json): boolean {
  if (!isNested(sent)) return !isNested(shown) && !isSame(sent, shown);
  if (isEmpty(sent)) return false;
  if (shown === null) return true;
  if (Array.isArray(sent))
    return (
      Array.isArray(shown) && !sent.every((entry) => shown.some((each) => !isContradictedIn(each, entry)))
    );
  return (
    isFields(shown) &&
    Object.entries(sent).some(
      ([name, each]) => !ASSIGNED.test(name) && isContradictedIn(own(shown, name), each),
    )
  );
}

function isContradictedIn(shown: Json | undefined, sent: Json): boolean {
  return sent !== null && shown !== undefined && contradicts(shown, sent);
}

/** Larger values are the same only if their lists have the same order: comparing each entry with each takes too long. */
const MAX_PARTS = 2_000;

/** Whether two values that a service shows are the same. */
export function isUnchanged(one: Json | undefined, other: Json | undefined): boolean {
  if (one === undefined || other === undefined) return one === other;
  if (sameJson(one, other)) return true;
  return [one, other].every((each) => partsIn(each) <= MAX_PARTS) && shows(one, other) && shows(other, one);
}

/** How many values a value consists of, at least: counting stops where there are too many. */
function partsIn(value: Json): number {
  let parts = 1;
  for (const each of isNested(value) ? Object.values(value) : []) {
    parts += partsIn(each);
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

function own(fields: Fields, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Whether a field that was sent is read with another value. */
export function isChanged({ asked, shown }: WrittenFields, name: string): boolean {
  return contradicts(shown[name], asked[name] ?? null);
}

/** Whether the response to what was sent says that the field has this value now. */
export function isClaimed({ asked, answered }: WrittenFields, name: string): boolean {
  return answered[name] !== undefined && shows(answered[name], asked[name] ?? null);
}

/** Whether the sent value differs from the earlier value. */
export function isOther(asked: Json | undefined, old: Json | undefined): boolean {
  return isNested(asked) && old !== undefined ? contradicts(old, asked) : !isSame(asked, old);
}

/**
 * The field of a change that was surely lost. A service may leave a field as it is, if it says so, or change it again; but not
 * ignore all that was sent, or show a value that it says it has taken over as it was before. A nested value that it says it has
 * taken over is not another one afterwards.
 * @param names the fields that were sent with another value than before, and that are read again
 * @param dropped the fields that are no longer read
 */
export function lostField(
  seen: WrittenFields,
  old: Fields,
  names: readonly string[],
  dropped: readonly string[],
): string | undefined {
  const isKept = (name: string) => isUnchanged(seen.shown[name], old[name]);
  const kept = names.filter(isKept);
  return (
    kept.find((name) => isClaimed(seen, name)) ??
    (kept.length === names.length ? kept[0] : undefined) ??
    [...names.filter((name) => isNested(seen.asked[name]) && isChanged(seen, name)), ...dropped].find(
      (name) => isClaimed(seen, name),
    )
  );
}

/** The fields that were sent and that a read lacks, although an earlier read had them. @param earlier what those showed */
export function droppedFields(
  { asked, shown }: WrittenFields,
  earlier: readonly (Fields | undefined)[],
): string[] {
  return Object.keys(asked).filter(
    (name) =>
      !isEmpty(asked[name]) &&
      !Object.hasOwn(shown, name) &&
      earlier.some((each) => each && Object.hasOwn(each, name) && !isEmpty(each[name])),
  );
}
