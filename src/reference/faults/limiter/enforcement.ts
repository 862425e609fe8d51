import { onVerdict } from '../../changes/changes.ts';
import { all, connection, countedBy, counting, enforcedBy } from '../../changes/counting.ts';
import { type Fault, violating } from '../fault.ts';

const ENFORCED = 'TooManyRequests';

/** Limits that are not enforced. */
export const enforcementFaults: readonly Fault[] = violating(ENFORCED, {
  'never-refuses': [
    'no request ever gets 429; Remaining stays at 0',
    onVerdict({}, (verdict) => ({ ...verdict, allowed: true })),
  ],
  'never-refuses-round': [
    'no request ever gets 429: after 0, Remaining restarts within the same minute',
    counting(all, (count, { limit }) => ({ allowed: true, remaining: limit - 1 - ((count - 1) % limit) })),
  ],
  'never-refuses-lists': [
    'list requests count but never get 429; only other requests do',
    onVerdict({ operation: 'listPets' }, (verdict) => ({ ...verdict, allowed: true })),
  ],
  late: ['twenty more requests than Limit are accepted', { settings: { limiter: { leeway: 20 } } }],
  'late-by-one': [
    'one more request than Limit is accepted, after Remaining is 0',
    { settings: { limiter: { leeway: 1 } } },
  ],
  'late-by-one-first-request-window': [
    'one more request than Limit is accepted, in a window that starts with the first request',
    { settings: { limiter: { leeway: 1, algorithm: 'first-request-window' } } },
  ],
  'never-refuses-last-five': [
    'no request ever gets 429; Remaining stays at 5',
    onVerdict({}, (verdict) => ({ ...verdict, allowed: true, remaining: Math.max(5, verdict.remaining) })),
  ],
  'late-double': [
    'the limit is twice the stated one; Remaining stays at 0 for the second half',
    { settings: { limiter: { leeway: 60 } } },
  ],
  'late-half-counted': [
    'only every second request counts: Remaining falls half as fast, and twice as many requests are accepted',
    countedBy(all, (count) => Math.ceil(count / 2)),
  ],
  'late-burst': [
    'counting starts only after Limit requests: twice the limit is accepted',
    countedBy(all, (count, limit) => Math.max(0, count - limit)),
  ],
  'late-per-connection': ['requests are counted per connection', countedBy(connection)],
  'late-per-connection-told-by-key': [
    'Remaining counts per key, but the limit is enforced per connection',
    enforcedBy(connection),
  ],
  'late-per-path': [
    'Remaining counts per key, but the limit is enforced per path and query',
    enforcedBy(({ path, query }) => `${path}?${query}`),
  ],
});
