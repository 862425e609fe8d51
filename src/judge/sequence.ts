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
