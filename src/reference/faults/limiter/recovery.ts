import { onAnswer, onVerdict, withHeader } from '../../changes/changes.ts';
import { countOf, windowOf } from '../../changes/counting.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { LimiterVerdict } from '../../limiter/verdict.ts';
import type { Fault } from '../fault.ts';

const AFTER = 'Retry-After';
const RECOVERY = 'rate-limit.recovery';
const MINUTE_MS = 60_000;

/** A moment in the middle of a fixed window: Retry-After is 45 s. */
const EARLY = '2026-11-21T12:00:15Z';

const refused = { status: 429 } as const;
/** After a request got 429. */
const later = ({ log }: Call) => log.some(({ status }) => status === 429);

/** Limits that last longer than announced. */
export const recoveryFaults: readonly Fault[] = [
  {
    id: 'retry-after-zero',
    summary: 'Retry-After is 0, although the limit still applies',
    violates: [RECOVERY],
    start: EARLY,
    ...withHeader(refused, AFTER, '0'),
  },
  {
    id: 'retry-after-half',
    summary: 'Retry-After is half of the time needed',
    violates: [RECOVERY],
    start: EARLY,
    ...withHeader(refused, AFTER, (old) => String(Math.floor(Number(old) / 2))),
  },
  {
    id: 'retry-after-elapsed',
    summary: 'Retry-After is the time since the window began',
    violates: [RECOVERY],
    start: EARLY,
    ...withHeader(refused, AFTER, (_, __, { now, minute }) => String(Math.ceil((now % minute) / 1_000))),
  },
  {
    id: 'retry-after-doubled',
    summary: 'after a 429, the key gets 429 for twice as long as Retry-After says',
    violates: [RECOVERY],
    start: EARLY,
    ...onVerdict({ key: 'valid' }, (verdict, call) => {
      const ban = call.recall(`ban at ${call.listener}`, () => ({ until: 0 }));
      if (call.now < ban.until) return { ...verdict, allowed: false, remaining: 0, retryAt: ban.until };
      if (!verdict.allowed) ban.until = call.now + 2 * (verdict.retryAt - call.now);
      return verdict;
    }),
  },
  {
    id: 'retry-after-minutes',
    summary: 'Retry-After is in minutes',
    violates: [RECOVERY],
    start: EARLY,
    ...withHeader(refused, AFTER, (old) => String(Math.ceil(Number(old) / 60))),
  },
  {
    id: 'retry-after-date-behind',
    summary: 'Retry-After is a date in the past: local time is taken as UTC',
    violates: [RECOVERY],
    start: EARLY,
    ...withHeader(refused, AFTER, (_, __, { now }) => new Date(now - 60 * MINUTE_MS).toUTCString()),
  },
  {
    id: 'retry-after-timestamp',
    summary: 'Retry-After is a Unix timestamp, which means a wait of half a century',
    violates: [RECOVERY],
    ...withHeader(refused, AFTER, (old, _answer, call) =>
      String(Math.ceil((call.now + Number(old) * 1000) / 1000)),
    ),
  },
  {
    id: 'retry-after-nanoseconds',
    summary: 'Retry-After is in nanoseconds',
    violates: [RECOVERY],
    ...withHeader(refused, AFTER, (old) => `${old}000000000`),
  },
  {
    id: 'retry-after-milliseconds',
    summary: 'Retry-After is in milliseconds, and Reset says when the window ends',
    violates: [RECOVERY],
    start: EARLY,
    ...withHeader(refused, AFTER, (old) => `${old}000`),
  },
  {
    id: 'retry-after-milliseconds-sliding',
    summary: 'Retry-After is in milliseconds that are not rounded, with a sliding window',
    violates: [RECOVERY],
    settings: { limiter: { algorithm: 'sliding-log' } },
    ...withHeader(refused, AFTER, (old) => String(1_000 * Number(old) - 357)),
  },
  {
    id: 'never-reopens',
    summary: 'a key that exceeded the limit gets 429 forever',
    violates: [RECOVERY],
    ...onVerdict({ key: 'valid', when: later }, (verdict) => ({ ...verdict, allowed: false })),
  },
  {
    id: 'reopens-for-others',
    summary: 'after its first 429, GET /pets always gets 429, while other operations recover',
    violates: [RECOVERY],
    ...onVerdict({ operation: 'listPets', key: 'valid', when: later }, (verdict) => ({
      ...verdict,
      allowed: false,
    })),
  },
  {
    id: 'banned-after-429',
    summary: 'a key that exceeded the limit gets 403 from then on',
    violates: [RECOVERY],
    ...onAnswer({ key: 'valid', status: 200, when: later }, ({ headers }) =>
      errorAnswer(
        403,
        'banned',
        'this key is banned',
        headers.filter(([name]) => name !== 'Content-Type'),
      ),
    ),
  },
  {
    id: 'retry-after-tens',
    summary: 'Retry-After is rounded down to ten seconds, when the limit still applies',
    violates: [RECOVERY],
    start: EARLY,
    ...withHeader(refused, AFTER, (old) => String(10 * Math.floor(Number(old) / 10))),
  },
  {
    id: 'retry-after-fives',
    summary: 'Retry-After is rounded down to five seconds, when the limit still applies',
    violates: [RECOVERY],
    // Retry-After would be 43 s or 44 s.
    start: '2026-11-21T12:00:16Z',
    ...withHeader(refused, AFTER, (old) => String(5 * Math.floor(Number(old) / 5))),
  },
];

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
