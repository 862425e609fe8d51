import { combined, delayed, onVerdict, withHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const REMAINING = 'X-RateLimit-Remaining';

const keyed = { key: 'valid' } as const;
const created = { operation: 'createPet', status: 201 } as const;
/** Requests in a window after the limit was exceeded. */
const later = { when: ({ log }: Call) => log.some(({ status }) => status === 429) } as const;

/** A Remaining that is well-formed but wrong. */
export const remainingFaults: readonly Fault[] = [
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
    id: 'remaining-of-day-4xx',
    summary: 'a 400 or 404 has the Limit of the minute and the Remaining of the day',
    violates: ['rate-limit.remaining'],
    ...withHeader({ ...keyed, status: [400, 404] }, REMAINING, (old) => String(Number(old) + 900)),
  },
  {
    id: 'remaining-below-zero',
    summary: 'Remaining of a 429 is -1 as an unsigned number of 64 bits',
    violates: ['rate-limit.remaining'],
    ...withHeader({ status: 429 }, REMAINING, '18446744073709551615'),
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
    // A run that is over within a second could not tell this from a figure that is up to a second old.
    ...combined(
      delayed({}, 100),
      onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit - 1 })),
    ),
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
];
