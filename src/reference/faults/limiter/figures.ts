import { onVerdict, withHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Half a minute after a fixed window began, for what would not show at its very start. */
const MIDDLE = '2026-11-21T12:00:30Z';

const created = { operation: 'createPet', status: 201 } as const;
const messages = { listener: 'messages' } as const;
const keyed = { key: 'valid' } as const;
const refused = { status: 429 } as const;
/** Requests in a window after one that was exceeded. */
const later = { when: ({ log }: Call) => log.some(({ status }) => status === 429) } as const;

/** The first moment that the reference saw, by its own clock. */
const begun = (call: Call) => call.recall('begun', () => call.now);

const REMAINING = 'X-RateLimit-Remaining';
const LIMIT = 'X-RateLimit-Limit';
const RESET = 'X-RateLimit-Reset';

/** Limit, Remaining and Reset that are well-formed and say what is not so. */
export const limiterFigureFaults: readonly Fault[] = [
  {
    id: 'plan-other-figure',
    summary: 'Limit is half as much again as the plan has',
    violates: ['rate-limit.plan'],
    ...onVerdict({}, (verdict) => ({ ...verdict, limit: Math.ceil(1.5 * verdict.limit) })),
  },
  {
    id: 'plan-off-by-one',
    summary: 'Limit is one more than the plan has',
    violates: ['rate-limit.plan'],
    ...onVerdict({}, (verdict) => ({ ...verdict, limit: verdict.limit + 1 })),
  },
  {
    id: 'plan-by-the-hour',
    summary: 'the headers are those of an hour, for which the plan has no figure',
    violates: ['rate-limit.plan'],
    ...onVerdict({}, (verdict, { now }) => ({
      ...verdict,
      limit: 60 * verdict.limit,
      remaining: 59 * verdict.limit + verdict.remaining,
      resetAt: Math.ceil(now / HOUR) * HOUR,
    })),
  },
  {
    id: 'plan-other-day',
    summary: 'the headers are those of the day, and Limit is twice what the plan has',
    violates: ['rate-limit.plan'],
    settings: { limiter: { describes: 'day' } },
    ...onVerdict({}, (verdict) => ({ ...verdict, limit: 2 * verdict.limit })),
  },
  {
    id: 'limit-is-remaining',
    summary: 'Limit shows what remains',
    violates: ['rate-limit.constant'],
    ...onVerdict({}, (verdict) => ({ ...verdict, limit: verdict.remaining })),
  },
  {
    id: 'limit-random',
    summary: 'Limit is another one with every response',
    violates: ['rate-limit.constant'],
    ...onVerdict({}, (verdict, { number }) => ({
      ...verdict,
      limit: verdict.limit + ((number * 7919) % 1000),
    })),
  },
  {
    id: 'limit-of-created',
    summary: 'Limit of an added animal is twice that of one that is refused',
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
    summary: 'once it was exceeded, Limit is halved',
    violates: ['rate-limit.constant'],
    ...onVerdict(later, ({ limit, remaining, ...rest }) => ({
      ...rest,
      limit: limit / 2,
      remaining: Math.min(limit / 2, remaining),
    })),
  },
  {
    id: 'remaining-above',
    summary: 'Remaining still holds a bonus, which is above Limit, while much is left',
    violates: ['rate-limit.remaining'],
    ...onVerdict(keyed, ({ remaining, ...rest }) => ({
      ...rest,
      remaining: remaining > 40 ? remaining + 20 : remaining,
    })),
  },
  {
    id: 'remaining-of-day',
    summary: 'Limit is the minute’s, Remaining the day’s',
    violates: ['rate-limit.remaining'],
    ...onVerdict(keyed, (verdict) => ({ ...verdict, remaining: 10 * verdict.limit + verdict.remaining })),
  },
  {
    id: 'remaining-above-created',
    summary: 'Remaining of an added animal is above Limit',
    violates: ['rate-limit.remaining'],
    ...withHeader(created, REMAINING, (old) => String(Number(old) + 100)),
  },
  {
    id: 'remaining-above-401',
    summary: 'a 401 tells of the day’s Remaining beside the minute’s Limit',
    violates: ['rate-limit.remaining'],
    ...withHeader({ status: 401 }, REMAINING, '1000'),
  },
  {
    id: 'remaining-above-reopened',
    summary: 'after a 429, Remaining begins above Limit: the refused requests are given back',
    violates: ['rate-limit.remaining'],
    ...onVerdict(later, ({ remaining, allowed, ...rest }) => ({
      ...rest,
      allowed,
      remaining: allowed ? remaining + 5 : remaining,
    })),
  },
  {
    id: 'remaining-constant',
    summary: 'Remaining is 42 throughout',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict) => ({ ...verdict, remaining: 42 })),
  },
  {
    id: 'remaining-is-limit',
    summary: 'Remaining is always Limit: it is told before anything is counted',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit })),
  },
  {
    id: 'remaining-is-limit-less-one',
    summary: 'Remaining is always Limit less one: the count that it shows starts anew with every request',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit - 1 })),
  },
  {
    id: 'remaining-is-used',
    summary: 'Remaining shows how many were used',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit - verdict.remaining })),
  },
  {
    id: 'remaining-of-another-key',
    summary: 'Remaining is that of another key, which sends a request every five seconds',
    violates: ['rate-limit.falls'],
    ...onVerdict({}, (verdict, { now }) => ({
      ...verdict,
      remaining: verdict.limit - 1 - Math.floor((now % MINUTE) / (5 * SECOND)),
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
    summary: 'Reset is the seconds to go',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, { now }) => ({ ...verdict, resetAt: verdict.resetAt - now })),
  },
  {
    id: 'reset-zero',
    summary: 'Reset is 0',
    violates: ['rate-limit.reset'],
    // Nothing but Reset tells a run across the end of a minute that a new window has begun.
    start: MIDDLE,
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: 0 })),
  },
  {
    id: 'reset-hour-ago',
    summary: 'Reset is an hour ago: local time was taken for UTC',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt - HOUR })),
  },
  {
    id: 'reset-in-two-hours',
    summary: 'Reset is two hours ahead: UTC was taken for local time',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 2 * HOUR })),
  },
  {
    id: 'reset-in-a-week',
    summary: 'Reset is a week ahead',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict) => ({ ...verdict, resetAt: verdict.resetAt + 7 * DAY })),
  },
  {
    id: 'reset-window-start',
    summary: 'Reset is when the window began',
    violates: ['rate-limit.reset'],
    start: MIDDLE,
    ...onVerdict({}, (verdict, { minute }) => ({ ...verdict, resetAt: verdict.resetAt - minute })),
  },
  {
    id: 'reset-uptime',
    summary: 'Reset is by a clock that began when the service did, twelve days ago',
    violates: ['rate-limit.reset'],
    ...onVerdict({}, (verdict, call) => ({ ...verdict, resetAt: 12 * DAY + verdict.resetAt - begun(call) })),
  },
  {
    id: 'reset-past-429',
    summary: 'Reset of a 429 is a minute and a half ago',
    violates: ['rate-limit.reset'],
    ...withHeader(refused, RESET, (_, __, { now }) => String(Math.ceil((now - 1.5 * MINUTE) / SECOND))),
  },
  {
    id: 'reset-milliseconds-message',
    summary: 'Reset of the message address is in milliseconds',
    violates: ['rate-limit.reset'],
    ...withHeader(messages, RESET, (old) => `${old}000`),
  },
];
