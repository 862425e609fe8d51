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

/** The window in which a request came, counted from the epoch on. */
const windowOf = ({ now, minute }: Call) => Math.floor(now / minute);

/** How many requests of a kind came in this window, this one included. */
function countOf(call: Call, name: string): number {
  const counts = call.recall(`count of ${name}`, () => new Map<number, number>());
  const count = (counts.get(windowOf(call)) ?? 0) + 1;
  counts.set(windowOf(call), count);
  return count;
}

/** A verdict on requests with the key by another count than the limiter's own; a refusal lasts until the window is over. */
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

/** Limits that are none, or others than those stated. */
const enforcement: readonly Fault[] = [
  {
    id: 'never-refuses',
    summary: 'nothing is ever refused; Remaining stays at 0',
    violates: [ENFORCED],
    ...onVerdict({}, (verdict) => ({ ...verdict, allowed: true })),
  },
  {
    id: 'never-refuses-round',
    summary: 'nothing is ever refused: after 0, Remaining begins anew in the same minute',
    violates: [ENFORCED],
    ...counting(all, (count, { limit }) => ({ allowed: true, remaining: limit - 1 - ((count - 1) % limit) })),
  },
  {
    id: 'never-refuses-lists',
    summary: 'lists count, as Remaining shows, and are never refused: only other requests are',
    violates: [ENFORCED],
    ...onVerdict({ operation: 'listPets' }, (verdict) => ({ ...verdict, allowed: true })),
  },
  {
    id: 'late',
    summary: 'twenty requests more than Limit are let through',
    violates: [ENFORCED],
    settings: { limiter: { leeway: 20 } },
  },
  {
    id: 'late-by-one',
    summary: 'one request more than Limit is let through, after the one that Remaining 0 calls the last',
    violates: [ENFORCED],
    settings: { limiter: { leeway: 1 } },
  },
  {
    id: 'late-by-one-first-request-window',
    summary: 'one request more than Limit is let through in a window that begins with the first',
    violates: [ENFORCED],
    settings: { limiter: { leeway: 1, algorithm: 'first-request-window' } },
  },
  {
    id: 'never-refuses-last-five',
    summary: 'nothing is ever refused; Remaining stays at 5',
    violates: [ENFORCED],
    ...onVerdict({}, (verdict) => ({
      ...verdict,
      allowed: true,
      remaining: Math.max(5, verdict.remaining),
    })),
  },
  {
    id: 'late-double',
    summary: 'the limit is twice the stated one; Remaining stays at 0 meanwhile',
    violates: [ENFORCED],
    settings: { limiter: { leeway: 60 } },
  },
  {
    id: 'late-half-counted',
    summary: 'every second request counts: Remaining falls half as fast, and twice as many pass',
    violates: [ENFORCED],
    ...counting(all, (count, { limit }) => ({
      remaining: Math.max(0, Math.floor((2 * limit - count) / 2)),
      allowed: count <= 2 * limit,
    })),
  },
  {
    id: 'late-burst',
    summary: 'as many as Limit are let through before any is counted, and then as many again',
    violates: [ENFORCED],
    ...counting(all, (count, { limit }) => ({
      remaining: Math.max(0, Math.min(limit, 2 * limit - count)),
      allowed: count <= 2 * limit,
    })),
  },
  {
    id: 'late-per-connection',
    summary: 'every connection has a count of its own',
    violates: [ENFORCED],
    ...counting(connection, (count, { limit }) => ({
      remaining: Math.max(0, limit - count),
      allowed: count <= limit,
    })),
  },
  {
    id: 'late-per-connection-told-by-key',
    summary: 'Remaining is that of the key, while every connection is refused by its own count',
    violates: [ENFORCED],
    ...counting(connection, (count, { limit }) => ({ allowed: count <= limit })),
  },
  {
    id: 'late-per-path',
    summary: 'Remaining is that of the key, while every path with its query is refused by its own count',
    violates: [ENFORCED],
    ...counting(
      ({ path, query }) => `${path}?${query}`,
      (count, { limit }) => ({ allowed: count <= limit }),
    ),
  },
  {
    id: 'early-half',
    summary: 'every request counts twice, though Remaining falls by one',
    violates: [EARLY],
    ...counting(all, (count, { limit }) => ({ allowed: 2 * count <= limit })),
  },
  {
    id: 'early-sixth',
    summary: 'the last sixth of the limit is refused',
    violates: [EARLY],
    ...counting(all, (count, { limit }) => ({ allowed: count <= (5 * limit) / 6 })),
  },
  {
    id: 'early-full-429',
    summary: 'a 429 says that all of the limit remains',
    violates: [EARLY],
    ...counting(all, (count, { limit, remaining }) => ({ remaining: count > limit ? limit : remaining })),
  },
  {
    id: 'early-fetch',
    summary: 'GET /pets/{petId} has a limit of 5 that no header tells',
    violates: [EARLY],
    ...counting(
      () => 'fetches',
      (count, { allowed }) => ({ allowed: allowed && count <= 5 }),
      { operation: 'getPet' },
    ),
  },
  {
    id: 'early-message',
    summary: 'the message address has a limit of 2 that no header tells',
    violates: [EARLY],
    ...counting(
      () => 'messages',
      (count) => ({ allowed: count <= 2 }),
      { operation: 'sendMessage' },
    ),
  },
];

/** Rate limits that are not told, not told truly, or not kept. */
export const limiterFaults: readonly Fault[] = [
  ...limiterHeaderFaults,
  ...limiterFigureFaults,
  ...limiterRefusalFaults,
  ...limiterRetryFaults,
  ...enforcement,
];
