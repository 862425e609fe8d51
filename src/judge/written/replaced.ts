import type { Resource } from '../../contract/resources.ts';
import { isSuccess } from '../../model/exchange.ts';
import { changedName, WRITES } from '../../probes/writes/derive-writes.ts';
import type { Judged } from '../judged.ts';
import { type Fields, type Seen, seenIn, shownFields } from './fields.ts';
import { droppedFields, isChanged, isOther, lostField } from './lost-fields.ts';
import { isMergePatch, resetFields, valueAt } from './reset-fields.ts';
import { compared, differs, isReset, readsOf, type Sent, type Shown, telling } from './shown.ts';

/**
 * Whether what was replaced or changed is what is read, and what a merge patch does not name is as before. @param isStrict whether
 * each field counts
 */
export function isReplaced(sent: Sent, resource: Resource, isStrict: boolean): Shown {
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
function resets({ set, old, seen }: { set: Fields; old: Fields; seen: Seen }, isStrict: boolean) {
  const among = (now: Fields) =>
    resetFields({ set, old, patch: seen.asked, now }, isStrict).map((path) => ({
      path,
      now: valueAt(now, path),
    }));
  return [...among(seen.shown), ...among(seen.answered).filter(({ now }) => now !== undefined)];
}
