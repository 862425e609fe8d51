import { combined, onVerdict } from '../../changes/changes.ts';
import { all, connection, counting, countOf, windowOf } from '../../changes/counting.ts';
import type { Call, LogEntry } from '../../http/call.ts';
import type { Fault } from '../fault.ts';

const EARLY = 'rate-limit.early';

/** Requests that get 429 although Remaining promises more. */
export const earlyFaults: readonly Fault[] = [
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
  {
    id: 'early-by-one',
    summary: 'one request less than Limit is accepted: the 429 comes when Remaining is 1',
    violates: [EARLY],
    settings: { limiter: { leeway: -1 } },
  },
  {
    id: 'early-by-two',
    summary: 'two requests less than Limit are accepted, and Remaining goes from 2 to 0',
    violates: [EARLY],
    ...combined(
      { settings: { limiter: { leeway: -2 } } },
      onVerdict({}, (verdict) => (verdict.allowed ? verdict : { ...verdict, remaining: 0 })),
    ),
  },
  {
    id: 'early-additions',
    summary: 'POST /pets has a limit of 8 that no header shows',
    violates: [EARLY],
    ...counting(
      () => 'additions',
      (count, { allowed }) => ({ allowed: allowed && count <= 8 }),
      { operation: 'createPet' },
    ),
  },
  {
    id: 'early-told-per-operation',
    summary: 'Remaining counts per operation, but the limit is enforced per key',
    violates: [EARLY],
    ...counting(
      ({ listener, operation }) => `${listener} ${operation}`,
      (count, { limit }) => ({ remaining: Math.max(0, limit - count) }),
    ),
  },
];

const keyed = { key: 'valid' } as const;

/** The requests with the key at the same address and in the same window before this one. */
function earlier(call: Call): LogEntry[] {
  return call.log
    .slice(0, -1)
    .filter(
      ({ listener, key, at }) =>
        listener === call.listener && key === 'valid' && Math.floor(at / call.minute) === windowOf(call),
    );
}

/** What additions cost if they are counted as five. */
function costOf(call: Call): number {
  const additions = earlier(call).filter(({ operation }) => operation === 'createPet').length;
  return earlier(call).length + 1 + 4 * (additions + (call.operation === 'createPet' ? 1 : 0));
}

const isFetched = ({ operation, status }: LogEntry) => operation === 'getPet' && status === 200;

/** Two counts that should be one: that of Remaining, and that of the limit. */
export const toldApartFaults: readonly Fault[] = [
  {
    id: 'early-additions-cost-five',
    summary: 'additions count as five requests, although Remaining falls by one',
    violates: ['rate-limit.early'],
    ...onVerdict(keyed, (verdict, call) => ({
      ...verdict,
      allowed: costOf(call) <= verdict.limit,
      remaining: Math.max(0, verdict.limit - earlier(call).length - 1),
      retryAt: (windowOf(call) + 1) * call.minute,
    })),
  },
  {
    id: 'remaining-per-connection',
    summary: 'Remaining counts per connection, but the limit is enforced per key',
    violates: ['rate-limit.count'],
    ...onVerdict(keyed, (verdict, call) => ({
      ...verdict,
      remaining: Math.max(0, verdict.limit - countOf(call, `told on ${connection(call)}`)),
    })),
  },
  {
    id: 'late-404',
    summary: 'a 404 is subtracted from Remaining but not counted',
    violates: ['TooManyRequests'],
    ...onVerdict(keyed, (verdict, call) => {
      const sent = earlier(call).length + 1;
      const found = sent - earlier(call).filter(({ status }) => status === 404).length;
      return {
        ...verdict,
        allowed: found <= verdict.limit,
        remaining: Math.max(0, verdict.limit - sent),
        retryAt: (windowOf(call) + 1) * call.minute,
      };
    }),
  },
  {
    id: 'late-two-nodes',
    summary: 'two nodes answer in turn, and each lets the whole limit through',
    violates: ['TooManyRequests'],
    ...counting(
      (call) => `${all(call)} at node ${call.number % 2}`,
      (count, { limit }) => ({ allowed: count <= limit, remaining: Math.max(0, limit - count) }),
    ),
  },
  {
    id: 'late-refund-fetched',
    summary: 'an animal that is found is given back after its response, which does not say so',
    violates: ['rate-limit.count'],
    ...onVerdict(keyed, (verdict, call) => {
      const used = earlier(call).length + 1 - earlier(call).filter(isFetched).length;
      return {
        ...verdict,
        allowed: used <= verdict.limit,
        remaining: Math.max(0, verdict.limit - used),
        retryAt: (windowOf(call) + 1) * call.minute,
      };
    }),
  },
];
