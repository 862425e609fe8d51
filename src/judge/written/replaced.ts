import type { Resource } from '../../contract/resources.ts';
import { type Exchange, headerValue, isSuccess } from '../../model/exchange.ts';
import { essence } from '../../model/http/media-type.ts';
import type { Json } from '../../model/json.ts';
import { changedName, WRITES } from '../../requests/write-names.ts';
import type { Judged } from '../evidence/judged.ts';
import { contradicts, droppedFields, isChanged, isEmpty, isOther, lostField, shows } from './compare.ts';
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
 * Whether what was replaced or changed is what is read, and what a merge patch does not name is as before. @param isStrict whether
 * each field counts
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
    const seen = seenIn(change.exchange, after.exchange);
    const old = seen && shownFields(earlier.exchange, seen.shown);
    if (!seen || !old) continue;
    const names = compared(resource, change, after, seen).filter((name) =>
      isOther(seen.asked[name], old[name]),
    );
    const reads = readsOf(sent, resource).filter((each) => each.exchange.id < after.exchange.id);
    const earlierFields = reads.map((each) => shownFields(each.exchange, seen.shown));
    const dropped = telling(droppedFields(seen, earlierFields), resource, change, after);
    const lost = isStrict
      ? (names.find((name) => isChanged(seen, name)) ?? dropped[0])
      : lostField(seen, old, names, dropped);
    if (lost !== undefined) return { wrong: differs(lost, seen), by: [change, after] };
    if (isMergePatch(change.exchange)) {
      const own = telling(Object.keys(set), resource, change, after);
      const kept = Object.fromEntries(own.map((name) => [name, set[name] ?? null]));
      const [reset] = resets({ set: kept, old, seen }, isStrict);
      if (reset)
        return {
          wrong: isReset(reset.path, valueAt(old, reset.path), reset.now),
          by: [earlier, change, after],
        };
    }
    set = { ...set, ...seen.asked };
    if (names.length > 0) held.push(after);
  }
  return held.length > 0 ? { held } : undefined;
}

/** The fields that a merge patch reset, by the read after it, or by the response to it, which may show some fields alone. */
function resets({ set, old, seen }: { set: Fields; old: Fields; seen: WrittenFields }, isStrict: boolean) {
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
  /** What the client itself had set. */
  set: Fields;
  /** What was read before the patch. */
  old: Fields;
  patch: Fields;
  /** What the response to the patch shows, or a read after it. */
  now: Fields;
}

/**
 * The fields that a merge patch did not name, and that have another value since, although the client had set them and read them as
 * it had set them: by their names, from the outermost one on. What a service computes itself may change.
 * @param isStrict whether each change counts; otherwise only one that nobody makes on purpose: to nothing, or to 0
 */
function resetFields({ set, old, patch, now }: Patched, isStrict: boolean): string[][] {
  return Object.keys(set).flatMap((name): string[][] => {
    const [was, before, is] = [own(set, name), own(old, name), own(now, name)];
    const named = own(patch, name);
    if (was === undefined || isEmpty(before) || before === undefined) return [];
    if (named !== undefined) {
      if (![was, before, named, is].every(isFields)) return [];
      const inner = { set: was, old: before, patch: named, now: is } as Patched;
      return resetFields(inner, isStrict).map((each) => [name, ...each]);
    }
    const isSame = !shows(before, was) || !contradicts(is ?? null, before);
    const isOnPurpose = !isStrict && !isEmpty(is) && is !== 0;
    return isSame || isOnPurpose ? [] : [[name]];
  });
}

/** The value of a field, by the names that lead to it. */
function valueAt(fields: Fields, path: readonly string[]): Json | undefined {
  return path.reduce<Json | undefined>(
    (inside, name) => (isFields(inside) ? own(inside, name) : undefined),
    fields,
  );
}

function own(fields: Fields, name: string): Json | undefined {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
