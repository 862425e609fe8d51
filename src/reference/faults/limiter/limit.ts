import { onVerdict, withHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import { type Fault, violating } from '../fault.ts';
import { CREATED, OVER_LIMIT } from '../requests.ts';

const HOUR_MS = 3_600_000;
const LIMIT = 'X-RateLimit-Limit';

/** Requests in a window after the limit was exceeded. */
const later = { when: ({ log }: Call) => log.some(({ status }) => status === 429) } as const;

/** A Limit that is well-formed but wrong. */
export const limitFaults: readonly Fault[] = [
  ...violating('rate-limit.plan', {
    'plan-other-figure': [
      'Limit is one and a half times that of the plan',
      onVerdict({}, (verdict) => ({ ...verdict, limit: Math.ceil(1.5 * verdict.limit) })),
    ],
    'plan-off-by-one': [
      'Limit is one more than that of the plan',
      onVerdict({}, (verdict) => ({ ...verdict, limit: verdict.limit + 1 })),
    ],
    'plan-by-the-hour': [
      'the headers describe an hour, for which the plan has no limit',
      onVerdict({}, (verdict, { now }) => ({
        ...verdict,
        limit: 60 * verdict.limit,
        remaining: 59 * verdict.limit + verdict.remaining,
        resetAt: Math.ceil(now / HOUR_MS) * HOUR_MS,
      })),
    ],
    'plan-other-day': [
      'the headers describe the day, and Limit is twice that of the plan',
      {
        settings: { limiter: { describes: 'day' } },
        ...onVerdict({}, (verdict) => ({ ...verdict, limit: 2 * verdict.limit })),
      },
    ],
  }),
  ...violating('rate-limit.constant', {
    'limit-is-remaining': [
      'Limit shows the remaining requests',
      onVerdict({}, (verdict) => ({ ...verdict, limit: verdict.remaining })),
    ],
    'limit-random': [
      'Limit changes with every response',
      onVerdict({}, (verdict, { number }) => ({
        ...verdict,
        limit: verdict.limit + ((number * 7919) % 1000),
      })),
    ],
    'limit-of-created': [
      'Limit is doubled on responses to additions',
      withHeader(CREATED, LIMIT, (old) => String(2 * Number(old))),
    ],
    'limit-zero-429': ['Limit of a 429 is 0', withHeader(OVER_LIMIT, LIMIT, '0')],
    'limit-punished': [
      'once the limit is exceeded, Limit is halved',
      onVerdict(later, ({ limit, remaining, ...rest }) => ({
        ...rest,
        limit: limit / 2,
        remaining: Math.min(limit / 2, remaining),
      })),
    ],
  }),
];
