import type { Resource } from '../../contract/resources.ts';
import { type Exchange, headerValue, isSuccess } from '../../model/exchange.ts';
import { essence } from '../../model/http/media-type.ts';
import type { Json } from '../../model/json.ts';
import { changedName, WRITES } from '../../requests/write-names.ts';
import type { Judged } from '../evidence/judged.ts';
import {
  contradicts,
  droppedFields,
  fieldOf,
  isChanged,
  isEmpty,
  isOther,
  lostField,
  shows,
} from './compare.ts';
import { type Fields, isFields, seenIn, shownFields, type WrittenFields } from './fields.ts';
import {
  compared,
  differs,
  type ExchangeFinder,
  isReset,
  readsOf,
  telling,
  type WrittenResult,
} from './shown.ts';

/**
 * Whether reads show what was replaced or changed, and a merge patch keeps the fields that it does not name.
 * @param isStrict whether every field counts
 */
export function isReplaced(sent: ExchangeFinder, resource: Resource, isStrict: boolean): WrittenResult {
  const held: Judged[] = [];
  let before = sent(resource.read, WRITES.created);
  const creation = sent(resource.create, WRITES.first);
  let set = (creation && before && seenIn(creation.exchange, before.exchange)?.asked) ?? {};
  for (const operation of resource.replace) {
    const change = sent(operation, WRITES.changed);
    const after = sent(resource.read, changedName(operation.method));
    const earlier = before;
    before = after ?? before;
    // A 202 says that the change comes later.
    const isDone = change && isSuccess(change.exchange) && change.exchange.response?.status !== 202;
    if (!isDone || !earlier || !after || !isSuccess(after.exchange)) continue;
    const written = seenIn(change.exchange, after.exchange);
    const old = written && shownFields(earlier.exchange, written.shown);
    if (!written || !old) continue;
    const names = compared(resource, change, after, written).filter((name) =>
      isOther(written.asked[name], old[name]),
    );
    const reads = readsOf(sent, resource).filter((read) => read.exchange.id < after.exchange.id);
    const earlierFields = reads.map((read) => shownFields(read.exchange, written.shown));
    const dropped = telling(droppedFields(written, earlierFields), resource, change, after);
    const lost = isStrict
      ? (names.find((name) => isChanged(written, name)) ?? dropped[0])
      : lostField(written, old, names, dropped);
    if (lost !== undefined) return { wrong: differs(lost, written), by: [change, after] };
    if (isMergePatch(change.exchange)) {
      const setFields = telling(Object.keys(set), resource, change, after);
      const kept = Object.fromEntries(setFields.map((name) => [name, set[name] ?? null]));
      const [reset] = resetsBy({ set: kept, old, seen: written }, isStrict);
      if (reset)
        return {
          wrong: isReset(reset.path, valueAt(old, reset.path), reset.now),
          by: [earlier, change, after],
        };
    }
    set = { ...set, ...written.asked };
    if (names.length > 0) held.push(after);
  }
  return held.length > 0 ? { held } : undefined;
}

/** The fields that a merge patch reset, by the read after it, or by its response, which may show only some fields. */
function resetsBy({ set, old, seen }: { set: Fields; old: Fields; seen: WrittenFields }, isStrict: boolean) {
  const among = (now: Fields) =>
    resetFields({ set, old, patch: seen.asked, now }, isStrict).map((path) => ({
      path,
      now: valueAt(now, path),
    }));
  return [...among(seen.shown), ...among(seen.answered).filter(({ now }) => now !== undefined)];
}

/** Whether a request changes what it names and leaves everything else as it is (RFC 7396). Other media types do not say so. */
function isMergePatch({ method, requestHeaders }: Pick<Exchange, 'method' | 'requestHeaders'>): boolean {
  const type = headerValue(requestHeaders, 'Content-Type') ?? '';
  return method === 'PATCH' && essence(type) === 'application/merge-patch+json';
}

/** The state of a record when it is patched. */
interface Patched {
  /** The fields that the client had set. */
  set: Fields;
  /** The fields of the read before the patch. */
  old: Fields;
  patch: Fields;
  /** The fields of the response to the patch, or of a read after it. */
  now: Fields;
}

/**
 * The paths of fields that a merge patch did not name and that have changed, although the client had set them and a read had shown the
 * set value. Fields that a service computes may change.
 * @param isStrict whether every change counts; otherwise only a change to an empty value or 0, which nobody makes on purpose
 */
function resetFields({ set, old, patch, now }: Patched, isStrict: boolean): string[][] {
  return Object.keys(set).flatMap((name): string[][] => {
    const [was, before, is] = [fieldOf(set, name), fieldOf(old, name), fieldOf(now, name)];
    const named = fieldOf(patch, name);
    if (was === undefined || isEmpty(before) || before === undefined) return [];
    if (named !== undefined) {
      if (![was, before, named, is].every(isFields)) return [];
      const inner = { set: was, old: before, patch: named, now: is } as Patched;
      return resetFields(inner, isStrict).map((path) => [name, ...path]);
    }
    const isSame = !shows(before, was) || !contradicts(is ?? null, before);
    const isOnPurpose = !isStrict && !isEmpty(is) && is !== 0;
    return isSame || isOnPurpose ? [] : [[name]];
  });
}

/** The value of a field, by the names that lead to it. */
function valueAt(fields: Fields, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inside, name) => (isFields(inside) ? fieldOf(inside, name) : undefined),
    fields,
  );
}
