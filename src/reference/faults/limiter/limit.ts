import { onVerdict, withHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

const HOUR_MS = 3_600_000;
const LIMIT = 'X-RateLimit-Limit';

const created = { operation: 'createPet', status: 201 } as const;
const refused = { status: 429 } as const;
/** Requests in a window after the limit was exceeded. */
const later = { when: ({ log }: Call) => log.some(({ status }) => status === 429) } as const;

/** A Limit that is well-formed but wrong. */
export const limitFaults: readonly Fault[] = [
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
];
