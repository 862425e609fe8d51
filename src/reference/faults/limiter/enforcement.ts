import { onVerdict } from '../../changes/changes.ts';
import { all, connection, counting } from '../../changes/counting.ts';
import type { Fault } from '../fault.ts';

const ENFORCED = 'TooManyRequests';

/** Limits that are not enforced. */
export const enforcementFaults: readonly Fault[] = [
  {
    id: 'never-refuses',
    summary: 'no request ever gets 429; Remaining stays at 0',
    violates: [ENFORCED],
    ...onVerdict({}, (verdict) => ({ ...verdict, allowed: true })),
  },
  {
    id: 'never-refuses-round',
    summary: 'no request ever gets 429: after 0, Remaining restarts within the same minute',
    violates: [ENFORCED],
    ...counting(all, (count, { limit }) => ({ allowed: true, remaining: limit - 1 - ((count - 1) % limit) })),
  },
  {
    id: 'never-refuses-lists',
    summary: 'list requests count but never get 429; only other requests do',
    violates: [ENFORCED],
    ...onVerdict({ operation: 'listPets' }, (verdict) => ({ ...verdict, allowed: true })),
  },
  {
    id: 'late',
    summary: 'twenty more requests than Limit are accepted',
    violates: [ENFORCED],
    settings: { limiter: { leeway: 20 } },
  },
  {
    id: 'late-by-one',
    summary: 'one more request than Limit is accepted, after Remaining is 0',
    violates: [ENFORCED],
    settings: { limiter: { leeway: 1 } },
  },
  {
    id: 'late-by-one-first-request-window',
    summary: 'one more request than Limit is accepted, in a window that starts with the first request',
    violates: [ENFORCED],
    settings: { limiter: { leeway: 1, algorithm: 'first-request-window' } },
  },
  {
    id: 'never-refuses-last-five',
    summary: 'no request ever gets 429; Remaining stays at 5',
    violates: [ENFORCED],
    ...onVerdict({}, (verdict) => ({
      ...verdict,
      allowed: true,
      remaining: Math.max(5, verdict.remaining),
    })),
  },
  {
    id: 'late-double',
    summary: 'the limit is twice the stated one; Remaining stays at 0 for the second half',
    violates: [ENFORCED],
    settings: { limiter: { leeway: 60 } },
  },
  {
    id: 'late-half-counted',
    summary:
      'only every second request counts: Remaining falls half as fast, and twice as many requests are accepted',
    violates: [ENFORCED],
    ...counting(all, (count, { limit }) => ({
      remaining: Math.max(0, Math.floor((2 * limit - count) / 2)),
      allowed: count <= 2 * limit,
    })),
  },
  {
    id: 'late-burst',
    summary: 'counting starts only after Limit requests: twice the limit is accepted',
    violates: [ENFORCED],
    ...counting(all, (count, { limit }) => ({
      remaining: Math.max(0, Math.min(limit, 2 * limit - count)),
      allowed: count <= 2 * limit,
    })),
  },
  {
    id: 'late-per-connection',
    summary: 'requests are counted per connection',
    violates: [ENFORCED],
    ...counting(connection, (count, { limit }) => ({
      remaining: Math.max(0, limit - count),
      allowed: count <= limit,
    })),
  },
  {
    id: 'late-per-connection-told-by-key',
    summary: 'Remaining counts per key, but the limit is enforced per connection',
    violates: [ENFORCED],
    ...counting(connection, (count, { limit }) => ({ allowed: count <= limit })),
  },
  {
    id: 'late-per-path',
    summary: 'Remaining counts per key, but the limit is enforced per path and query',
    violates: [ENFORCED],
    ...counting(
      ({ path, query }) => `${path}?${query}`,
      (count, { limit }) => ({ allowed: count <= limit }),
    ),
  },
];
