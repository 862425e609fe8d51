import type { Call } from '../http/call.ts';
import type { LimiterVerdict } from '../limiter/verdict.ts';
import type { CallWhere, Change } from './change.ts';
import { onVerdict } from './changes.ts';

/** The window of a request, counted from the epoch. */
export const windowOf = ({ now, minute }: Call) => Math.floor(now / minute);

/** How many requests of a kind arrived in this window, including this one. */
export function countOf(call: Call, name: string): number {
  const counts = call.recall(`count of ${name}`, () => new Map<number, number>());
  const count = (counts.get(windowOf(call)) ?? 0) + 1;
  counts.set(windowOf(call), count);
  return count;
}

/** Judges requests with the key by another count than the limiter's. A refusal lasts until the window ends. */
export function counting(
  kind: (call: Call) => string,
  judge: (count: number, verdict: LimiterVerdict) => Partial<LimiterVerdict>,
  where: CallWhere = {},
): Change {
  return onVerdict({ key: 'valid', ...where }, (verdict, call) => ({
    ...verdict,
    retryAt: (windowOf(call) + 1) * call.minute,
    ...judge(countOf(call, kind(call)), verdict),
  }));
}

/** Limits by another count, and tells its Remaining. @param usedOf how many requests of the count are used. Default: all */
export function countedBy(
  kind: (call: Call) => string,
  usedOf: (count: number, limit: number) => number = (count) => count,
): Change {
  return counting(kind, (count, { limit }) => {
    const used = usedOf(count, limit);
    return { remaining: Math.max(0, limit - used), allowed: used <= limit };
  });
}

/** The limit is that of another count; Remaining stays that of the limiter. */
export function enforcedBy(kind: (call: Call) => string): Change {
  return counting(kind, (count, { limit }) => ({ allowed: count <= limit }));
}

/** Requests that are counted together: those at one address. */
export const all = ({ listener }: Call) => listener;
/** Requests that are counted together: those of one connection. */
export const connection = (call: Call) => `connection ${call.connection}`;
