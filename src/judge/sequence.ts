import { STAGES } from '../model/probe.ts';
import type { Judged } from './judged.ts';

/** Whether two exchanges overlapped in time. */
export function isTogether({ exchange: one }: Judged, { exchange: other }: Judged): boolean {
  return one.sentAt < other.receivedAt && other.sentAt < one.receivedAt;
}

/**
 * Whether one exchange began after another had ended. Within a stage requests overlap, and the times of a virtual clock do
 * not show it.
 */
export function isLater(one: Judged, other: Judged): boolean {
  return (
    STAGES.indexOf(one.exchange.stage) > STAGES.indexOf(other.exchange.stage) &&
    one.exchange.id > other.exchange.id &&
    one.exchange.sentAt >= other.exchange.receivedAt
  );
}

/**
 * Whether an exchange had ended when another one began, within a stage as well: no more requests were in flight than were
 * sent in between.
 */
export function hasEndedBefore({ exchange: one }: Judged, { exchange: other }: Judged): boolean {
  return other.id - one.id >= other.inFlight && other.sentAt >= one.receivedAt;
}
