import { combined, onVerdict } from '../../changes/changes.ts';
import { all, counting } from '../../changes/counting.ts';
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
