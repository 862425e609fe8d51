import type { Change } from '../../changes/change.ts';
import { onVerdict } from '../../changes/changes.ts';
import type { CallWhere } from '../../changes/where.ts';
import type { Call } from '../../http/call.ts';
import type { Verdict } from '../../limiter/limiter.ts';
import type { Fault } from '../fault.ts';
import { limiterFigureFaults } from './figures.ts';
import { limiterHeaderFaults } from './headers.ts';
import { limiterRefusalFaults } from './refusals.ts';
import { limiterRetryFaults } from './retry-after.ts';

const ENFORCED = 'TooManyRequests';
const EARLY = 'rate-limit.early';

/** The window of a request, counted from the epoch. */
const windowOf = ({ now, minute }: Call) => Math.floor(now / minute);

/** How many requests of a kind arrived in this window, including this one. */
function countOf(call: Call, name: string): number {
  const counts = call.recall(`count of ${name}`, () => new Map<number, number>());
  const count = (counts.get(windowOf(call)) ?? 0) + 1;
  counts.set(windowOf(call), count);
  return count;
}

/** Judges requests with the key by a count of its own, not the limiter's. A refusal lasts until the window ends. */
function counting(
  kind: (call: Call) => string,
  judge: (count: number, verdict: Verdict) => Partial<Verdict>,
  where: CallWhere = {},
): Change {
  return onVerdict({ key: 'valid', ...where }, (verdict, call) => ({
    ...verdict,
    retryAt: (windowOf(call) + 1) * call.minute,
    ...judge(countOf(call, kind(call)), verdict),
  }));
}

const all = ({ listener }: Call) => listener;
const connection = (call: Call) => `connection ${call.connection}`;

/** Limits that are not enforced, or not the stated ones. */
const enforcement: readonly Fault[] = [
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
  {
    id: 'early-half',
    summary: 'every request counts twice, although Remaining falls by one',
    violates: [EARLY],
    ...counting(all, (count, { limit }) => ({ allowed: 2 * count <= limit })),
  },
  {
    id: 'early-sixth',
    summary: 'the last sixth of the limit gets 429',
    violates: [EARLY],
    ...counting(all, (count, { limit }) => ({ allowed: count <= (5 * limit) / 6 })),
  },
  {
    id: 'early-full-429',
    summary: 'a 429 says that the whole limit remains',
    violates: [EARLY],
    ...counting(all, (count, { limit, remaining }) => ({ remaining: count > limit ? limit : remaining })),
  },
  {
    id: 'early-fetch',
    summary: 'GET /pets/{petId} has a limit of 5 that no header shows',
    violates: [EARLY],
    ...counting(
      () => 'fetches',
      (count, { allowed }) => ({ allowed: allowed && count <= 5 }),
      { operation: 'getPet' },
    ),
  },
  {
    id: 'early-message',
    summary: 'the message address has a limit of 2 that no header shows',
    violates: [EARLY],
    ...counting(
      () => 'messages',
      (count) => ({ allowed: count <= 2 }),
      { operation: 'sendMessage' },
    ),
  },
];

/** Rate limits that are not announced, announced wrongly, or not enforced. */
export const limiterFaults: readonly Fault[] = [
  ...limiterHeaderFaults,
  ...limiterFigureFaults,
  ...limiterRefusalFaults,
  ...limiterRetryFaults,
  ...enforcement,
];
