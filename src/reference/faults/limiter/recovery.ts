import type { Change } from '../../changes/change.ts';
import { onAnswer, onVerdict, withHeader } from '../../changes/changes.ts';
import { countOf, windowOf } from '../../changes/counting.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { LimiterVerdict } from '../../limiter/verdict.ts';
import { type Fault, violating } from '../fault.ts';
import { OVER_LIMIT } from '../requests.ts';

const AFTER = 'Retry-After';
const RECOVERY = 'rate-limit.recovery';
const MINUTE_MS = 60_000;

/** A moment in the middle of a fixed window: Retry-After is 45 s. */
const EARLY = '2026-11-21T12:00:15Z';

/** After a request got 429. */
const later = ({ log }: Call) => log.some(({ status }) => status === 429);

/** Limits that last longer than announced. */
export const recoveryFaults: readonly Fault[] = violating(RECOVERY, {
  'retry-after-zero': [
    'Retry-After is 0, although the limit still applies',
    withHeader(OVER_LIMIT, AFTER, '0'),
    { start: EARLY },
  ],
  'retry-after-half': [
    'Retry-After is half of the time needed',
    withHeader(OVER_LIMIT, AFTER, (old) => String(Math.floor(Number(old) / 2))),
    { start: EARLY },
  ],
  'retry-after-elapsed': [
    'Retry-After is the time since the window began',
    withHeader(OVER_LIMIT, AFTER, (_, __, { now, minute }) => String(Math.ceil((now % minute) / 1_000))),
    { start: EARLY },
  ],
  'retry-after-doubled': [
    'after a 429, the key gets 429 for twice as long as Retry-After says',
    onVerdict({ key: 'valid' }, (verdict, call) => {
      const ban = call.recall(`ban at ${call.listener}`, () => ({ until: 0 }));
      if (call.now < ban.until) return { ...verdict, allowed: false, remaining: 0, retryAt: ban.until };
      if (!verdict.allowed) ban.until = call.now + 2 * (verdict.retryAt - call.now);
      return verdict;
    }),
    { start: EARLY },
  ],
  'retry-after-minutes': [
    'Retry-After is in minutes',
    withHeader(OVER_LIMIT, AFTER, (old) => String(Math.ceil(Number(old) / 60))),
    { start: EARLY },
  ],
  'retry-after-date-behind': [
    'Retry-After is a date in the past: local time is taken as UTC',
    withHeader(OVER_LIMIT, AFTER, (_, __, { now }) => new Date(now - 60 * MINUTE_MS).toUTCString()),
    { start: EARLY },
  ],
  'retry-after-timestamp': [
    'Retry-After is a Unix timestamp, which means a wait of half a century',
    withHeader(OVER_LIMIT, AFTER, (old, _answer, call) =>
      String(Math.ceil((call.now + Number(old) * 1000) / 1000)),
    ),
  ],
  'retry-after-nanoseconds': [
    'Retry-After is in nanoseconds',
    withHeader(OVER_LIMIT, AFTER, (old) => `${old}000000000`),
  ],
  'retry-after-milliseconds': [
    'Retry-After is in milliseconds, and Reset says when the window ends',
    withHeader(OVER_LIMIT, AFTER, (old) => `${old}000`),
    { start: EARLY },
  ],
  'retry-after-milliseconds-sliding': [
    'Retry-After is in milliseconds that are not rounded, with a sliding window',
    {
      settings: { limiter: { algorithm: 'sliding-log' } },
      ...withHeader(OVER_LIMIT, AFTER, (old) => String(1_000 * Number(old) - 357)),
    },
  ],
  'never-reopens': [
    'a key that exceeded the limit gets 429 forever',
    onVerdict({ key: 'valid', when: later }, (verdict) => ({ ...verdict, allowed: false })),
  ],
  'reopens-for-others': [
    'after its first 429, GET /pets always gets 429, while other operations recover',
    onVerdict({ operation: 'listPets', key: 'valid', when: later }, (verdict) => ({
      ...verdict,
      allowed: false,
    })),
  ],
  'banned-after-429': [
    'a key that exceeded the limit gets 403 from then on',
    onAnswer({ key: 'valid', status: 200, when: later }, ({ headers }) =>
      errorAnswer(
        403,
        'banned',
        'this key is banned',
        headers.filter(([name]) => name !== 'Content-Type'),
      ),
    ),
  ],
  'retry-after-tens': [
    'Retry-After is rounded down to ten seconds, when the limit still applies',
    withHeader(OVER_LIMIT, AFTER, (old) => String(10 * Math.floor(Number(old) / 10))),
    { start: EARLY },
  ],
  'retry-after-fives': [
    'Retry-After is rounded down to five seconds, when the limit still applies',
    withHeader(OVER_LIMIT, AFTER, (old) => String(5 * Math.floor(Number(old) / 5))),
    {
      // Retry-After would be 43 s or 44 s.
      start: '2026-11-21T12:00:16Z',
    },
  ],
});

/** The window of the first 429, if this request is in a later window. */
function refusedWindow({ log, minute, now }: Call): number | undefined {
  const refusal = log.find(({ status }) => status === 429);
  if (refusal === undefined) return undefined;
  const window = Math.floor(refusal.at / minute);
  return window < Math.floor(now / minute) ? window : undefined;
}

/** Changes the verdict on requests with the key in later windows than that in which the limit was exceeded. */
const reopened = (change: (verdict: LimiterVerdict, call: Call) => Partial<LimiterVerdict>): Change =>
  onVerdict({ key: 'valid', when: (call) => refusedWindow(call) !== undefined }, (verdict, call) => ({
    ...verdict,
    ...change(verdict, call),
  }));

/** At most `most` requests in each window, and Remaining says so. */
function atMost(most: number, call: Call): Partial<LimiterVerdict> {
  const count = countOf(call, `reopened at ${call.listener}`);
  return {
    allowed: count <= most,
    remaining: Math.max(0, most - count),
    retryAt: (windowOf(call) + 1) * call.minute,
  };
}

/** Windows that differ from the first window once the limit was exceeded. */
export const secondWindowFaults: readonly Fault[] = [
  ...violating('rate-limit.count', {
    'reopened-half': [
      'after a 429, the next windows let half of the limit through, and Remaining says so',
      reopened(({ limit }, call) => atMost(Math.floor(limit / 2), call)),
    ],
    'reopened-uncounted': [
      'after a 429, the next windows do not count: Remaining stays at Limit',
      reopened(({ limit }) => ({ allowed: true, remaining: limit })),
    ],
  }),
  ...violating('rate-limit.reset', {
    'reopened-old-reset': [
      'after a 429, Reset stays the end of the window in which it came',
      reopened((_verdict, call) => ({ resetAt: ((refusedWindow(call) ?? 0) + 1) * call.minute })),
    ],
  }),
];
