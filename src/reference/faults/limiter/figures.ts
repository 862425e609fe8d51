import { onVerdict, withHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Half a minute into a fixed window, for faults that its first moments would hide. */
const MIDDLE = '2026-11-21T12:00:30Z';

const created = { operation: 'createPet', status: 201 } as const;
const messages = { listener: 'messages' } as const;
const keyed = { key: 'valid' } as const;
const refused = { status: 429 } as const;
/** Requests in a window after the limit was exceeded. */
const later = { when: ({ log }: Call) => log.some(({ status }) => status === 429) } as const;

/** The time of the first request, by the reference's own clock. */
const begun = (call: Call) => call.recall('begun', () => call.now);

const REMAINING = 'X-RateLimit-Remaining';
const LIMIT = 'X-RateLimit-Limit';
const RESET = 'X-RateLimit-Reset';

/** Limit, Remaining and Reset that are well-formed but wrong. */
export const limiterFigureFaults: readonly Fault[] = [
  {
    id: 'plan-other-figure',
    summary: 'Limit is one and a half times that of the plan',
    violates: ['rate-limit.plan'],
    ...onVerdict({}, (verdict) => ({ ...verdict, limit: Math.ceil(1.5 * verdict.limit) })),
  },
  {
    id: 'plan-off-by-one',
    summary: 'Limit is one more than that of the plan',
    violates: ['rate-limit.plan'],
    ...onVerdict({}, (verdict) => ({ ...verdict, limit: verdict.limit + 1 })),
  },
  {
    id: 'plan-by-the-hour',
    summary: 'the headers describe an hour, for which the plan has no limit',
    violates: ['rate-limit.plan'],
    ...onVerdict({}, (verdict, { now }) => ({
      ...verdict,
      limit: 60 * verdict.limit,
      remaining: 59 * verdict.limit + verdict.remaining,
      resetAt: Math.ceil(now / HOUR_MS) * HOUR_MS,
    })),
  },
  {
    id: 'plan-other-day',
    summary: 'the headers describe the day, and Limit is twice that of the plan',
    violates: ['rate-limit.plan'],
    settings: { limiter: { describes: 'day' } },
    ...onVerdict({}, (verdict) => ({ ...verdict, limit: 2 * verdict.limit })),
  },
  {
    id: 'limit-is-remaining',
    summary: 'Limit shows the remaining requests',
    violates: ['rate-limit.constant'],
    ...onVerdict({}, (verdict) => ({ ...verdict, limit: verdict.remaining })),
  },
  {
    id: 'limit-random',
    summary: 'Limit changes with every response',
    violates: ['rate-limit.constant'],
    ...onVerdict({}, (verdict, { number }) => ({
      ...verdict,
      limit: verdict.limit + ((number * 7919) % 1000),
    })),
  },
  {
    id: 'limit-of-created',
    summary: 'Limit is doubled on responses to additions',
    violates: ['rate-limit.constant'],
    ...withHeader(created, LIMIT, (old) => String(2 * Number(old))),
  },
  {
    id: 'limit-zero-429',
    summary: 'Limit of a 429 is 0',
    violates: ['rate-limit.constant'],
    ...withHeader(refused, LIMIT, '0'),
  },
  {
    id: 'limit-punished',
    summary: 'once the limit is exceeded, Limit is halved',
    violates: ['rate-limit.constant'],
    ...onVerdict(later, ({ limit, remaining, ...rest }) => ({
      ...rest,
      limit: limit / 2,
      remaining: Math.min(limit / 2, remaining),
    })),
  },
  {
    id: 'remaining-above',
    summary: 'Remaining includes a bonus and is above Limit at first',
    violates: ['rate-limit.remaining'],
    ...onVerdict(keyed, ({ remaining, ...rest }) => ({
      ...rest,
      remaining: remaining > 40 ? remaining + 20 : remaining,
    })),
  },
  {
    id: 'remaining-of-day',
    summary: 'Limit is that of the minute, Remaining that of the day',
    violates: ['rate-limit.remaining'],
    ...onVerdict(keyed, (verdict) => ({ ...verdict, remaining: 10 * verdict.limit + verdict.remaining })),
  },
  {
    id: 'remaining-above-created',
    summary: 'Remaining is above Limit on responses to additions',
    violates: ['rate-limit.remaining'],
    ...withHeader(created, REMAINING, (old) => String(Number(old) + 100)),
  },
  {
    id: 'remaining-above-401',
    summary: 'a 401 has the Limit of the minute and the Remaining of the day',
    violates: ['rate-limit.remaining'],
    ...withHeader({ status: 401 }, REMAINING, '1000'),
  },
  {
    id: 'remaining-above-reopened',
    summary: 'after a 429, Remaining starts above Limit: rejected requests are added to it',
    violates: ['rate-limit.remaining'],
    ...onVerdict(later, ({ remaining, allowed, ...rest }) => ({
      ...rest,
      allowed,
      remaining: allowed ? remaining + 5 : remaining,
    })),
  },
  {
    id: 'remaining-constant',
    summary: 'Remaining is always 42',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict) => ({ ...verdict, remaining: 42 })),
  },
  {
    id: 'remaining-is-limit',
    summary: 'Remaining always equals Limit',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit })),
  },
  {
    id: 'remaining-is-limit-less-one',
    summary: 'Remaining is always one less than Limit: its count restarts with every request',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit - 1 })),
  },
  {
    id: 'remaining-is-used',
    summary: 'Remaining shows the requests used',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit - verdict.remaining })),
  },
  {
    id: 'remaining-of-another-key',
    summary: 'Remaining is that of another key, which sends a request every five seconds',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict, { now }) => ({
      ...verdict,
      remaining: verdict.limit - 1 - Math.floor((now % MINUTE_MS) / (5 * SECOND_MS)),
    })),
  },
  {
    id: 'remaining-random',
    summary: 'Remaining goes up and down at random',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict, { number }) => ({
      ...verdict,
      remaining: (number * 7919) % (verdict.limit + 1),
    })),
  },
  {
    id: 'reset-milliseconds',
    summary: 'Reset is in milliseconds',
    violates: ['rate-limit.reset'],
    ...withHeader({}, RESET, (old) => `${old}000`),
  },
  {
    id: 'reset-seconds-to-go',
    summary: 'Reset is the number of seconds until the reset',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, { now }) => ({ ...verdict, resetAt: verdict.resetAt - now })),
  },
  {
    id: 'reset-zero',
    summary: 'Reset is 0',
    violates: ['rate-limit.reset'],
    // Only Reset shows a run that crosses a minute boundary that a new window has begun.
    start: MIDDLE,
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: 0 })),
  },
  {
    id: 'reset-hour-ago',
    summary: 'Reset is an hour in the past: local time is taken as UTC',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt - HOUR_MS })),
  },
  {
    id: 'reset-in-two-hours',
    summary: 'Reset is two hours ahead: UTC is taken as local time',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 2 * HOUR_MS })),
  },
  {
    id: 'reset-in-a-week',
    summary: 'Reset is a week ahead',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 7 * DAY_MS })),
  },
  {
    id: 'reset-window-start',
    summary: 'Reset is the start of the window',
    violates: ['rate-limit.reset'],
    start: MIDDLE,
    ...onVerdict({}, (verdict, { minute }) => ({ ...verdict, resetAt: verdict.resetAt - minute })),
  },
  {
    id: 'reset-uptime',
    summary: 'Reset counts from the start of the service, twelve days ago',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, call) => ({
      ...verdict,
      resetAt: 12 * DAY_MS + verdict.resetAt - begun(call),
    })),
  },
  {
    id: 'reset-past-429',
    summary: 'Reset of a 429 is 90 seconds in the past',
    violates: ['rate-limit.reset'],
    ...withHeader(refused, RESET, (_, __, { now }) => String(Math.ceil((now - 1.5 * MINUTE_MS) / SECOND_MS))),
  },
  {
    id: 'reset-milliseconds-message',
    summary: 'Reset of the message address is in milliseconds',
    violates: ['rate-limit.reset'],
    ...withHeader(messages, RESET, (old) => `${old}000`),
  },
];
