import type { Json } from '../../model/json.ts';
import { contradicts, isEmpty, isNested, isUnchanged, shows } from './compare.ts';
import { type Fields, isSame, type WrittenFields } from './fields.ts';

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
