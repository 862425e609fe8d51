import { STAGES } from '../model/probe.ts';
import type { Judged } from './judged.ts';

/** Whether two exchanges were under way at the same time. */
export function isTogether({ exchange: one }: Judged, { exchange: other }: Judged): boolean {
  return one.sentAt < other.receivedAt && other.sentAt < one.receivedAt;
}

/**
 * Whether one exchange began after another was over: a stage of a run is finished before the next begins. Within a
 * stage requests are under way at the same time, and times tell nothing where the clock is virtual.
 */
export function isLater(one: Judged, other: Judged): boolean {
  return (
    STAGES.indexOf(one.exchange.stage) > STAGES.indexOf(other.exchange.stage) &&
    one.exchange.id > other.exchange.id
  );
}
