import type { Resource } from '../../contract/resources.ts';
import { isSuccess } from '../../model/exchange.ts';
import { changedName, WRITES } from '../../probes/writes/derive-writes.ts';
import type { Judged } from '../judged.ts';
import { seenIn, shownFields } from './fields.ts';
import { droppedFields, isChanged, isOther, lostField } from './lost-fields.ts';
import { compared, differs, readsOf, type Sent, type Shown, telling } from './shown.ts';

/** Whether what was replaced or changed is what is read. @param isStrict whether each field counts */
export function isReplaced(sent: Sent, resource: Resource, isStrict: boolean): Shown {
  const held: Judged[] = [];
  let before = sent(resource.read, WRITES.created);
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
    if (names.length > 0) held.push(after);
  }
  return held.length > 0 ? { held } : undefined;
}
