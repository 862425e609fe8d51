import { STAGES } from '../../model/probe.ts';
import type { Judged } from './judged.ts';

/** Whether two exchanges overlapped in time. */
export function isTogether({ exchange: one }: Judged, { exchange: other }: Judged): boolean {
  return one.sentAt < other.receivedAt && other.sentAt < one.receivedAt;
}

/**
 * Whether one exchange began after another had ended. Within a stage of a run requests overlap, and the times of a virtual
 * clock do not show it. Requests of others have no stages, but times of a real clock.
 */
export function isLater(one: Judged, other: Judged): boolean {
  const isInOrder = one.exchange.id > other.exchange.id && one.exchange.sentAt >= other.exchange.receivedAt;
  if (isOfOthers(one) && isOfOthers(other))
    return isInOrder && one.exchange.sentAt > other.exchange.receivedAt;
  return STAGES.indexOf(one.exchange.stage) > STAGES.indexOf(other.exchange.stage) && isInOrder;
}

/**
 * Whether a request was sent by others: nobody knows what else they, or somebody at the service, changed between two of
 * them.
 */
export function isOfOthers({ exchange }: Judged): boolean {
  return exchange.recorded === 'traffic';
}

/**
 * Whether an exchange had ended when another one began, within a stage as well: no more requests were in flight than were
 * sent in between.
 */
export function hasEndedBefore({ exchange: one }: Judged, { exchange: other }: Judged): boolean {
  return other.id - one.id >= other.inFlight && other.sentAt >= one.receivedAt;
}
