import { onVerdict } from '../../changes/changes.ts';
import { countOf, windowOf } from '../../changes/counting.ts';
import type { Call } from '../../http/call.ts';
import type { LimiterVerdict } from '../../limiter/verdict.ts';
import type { Fault } from '../fault.ts';

const COUNT = 'rate-limit.count';

/** The window of the first 429, if this request is in a later one. */
function refusedWindow({ log, minute, now }: Call): number | undefined {
  const refusal = log.find(({ status }) => status === 429);
  if (refusal === undefined) return undefined;
  const window = Math.floor(refusal.at / minute);
  return window < Math.floor(now / minute) ? window : undefined;
}

/** Requests with the key in the windows after the one in which the limit was exceeded. */
function reopened(
  id: string,
  summary: string,
  change: (verdict: LimiterVerdict, call: Call) => Partial<LimiterVerdict>,
  violates: Fault['violates'] = [COUNT],
): Fault {
  const when = (call: Call) => refusedWindow(call) !== undefined;
  return {
    id,
    summary,
    violates,
    ...onVerdict({ key: 'valid', when }, (verdict, call) => ({ ...verdict, ...change(verdict, call) })),
  };
}

/** At most `most` requests in each window, and Remaining says so. */
function atMost(most: number, call: Call): Partial<LimiterVerdict> {
  const count = countOf(call, `reopened at ${call.listener}`);
  return {
    allowed: count <= most,
    remaining: Math.max(0, most - count),
    retryAt: (windowOf(call) + 1) * call.minute,
  };
}

/** Windows that differ from the first one once the limit was exceeded. */
export const secondWindowFaults: readonly Fault[] = [
  reopened(
    'reopened-half',
    'after a 429, the next windows let half of the limit through, and Remaining says so',
    ({ limit }, call) => atMost(Math.floor(limit / 2), call),
  ),
  reopened(
    'reopened-uncounted',
    'after a 429, the next windows do not count: Remaining stays at Limit',
    ({ limit }) => ({ allowed: true, remaining: limit }),
  ),
  reopened(
    'reopened-old-reset',
    'after a 429, Reset stays the end of the window in which it came',
    (_verdict, call) => ({ resetAt: ((refusedWindow(call) ?? 0) + 1) * call.minute }),
    ['rate-limit.reset'],
  ),
];
