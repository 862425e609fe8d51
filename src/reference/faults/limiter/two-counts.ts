import type { Change } from '../../changes/change.ts';
import { combined, onVerdict } from '../../changes/changes.ts';
import { all, connection, countedBy, counting, countOf, windowOf } from '../../changes/counting.ts';
import type { Call, LogEntry } from '../../http/call.ts';
import { type Fault, violating } from '../fault.ts';

const EARLY = 'rate-limit.early';

/** Requests that get 429 although Remaining promises more. */
export const earlyFaults: readonly Fault[] = violating(EARLY, {
  'early-half': [
    'every request counts twice, although Remaining falls by one',
    counting(all, (count, { limit }) => ({ allowed: 2 * count <= limit })),
  ],
  'early-sixth': [
    'the last sixth of the limit gets 429',
    counting(all, (count, { limit }) => ({ allowed: count <= (5 * limit) / 6 })),
  ],
  'early-full-429': [
    'a 429 says that the whole limit remains',
    counting(all, (count, { limit, remaining }) => ({ remaining: count > limit ? limit : remaining })),
  ],
  'early-fetch': [
    'GET /pets/{petId} has a limit of 5 that no header shows',
    counting(
      () => 'fetches',
      (count, { allowed }) => ({ allowed: allowed && count <= 5 }),
      { operation: 'getPet' },
    ),
  ],
  'early-message': [
    'the message address has a limit of 2 that no header shows',
    counting(
      () => 'messages',
      (count) => ({ allowed: count <= 2 }),
      { operation: 'sendMessage' },
    ),
  ],
  'early-by-one': [
    'one request less than Limit is accepted: the 429 comes when Remaining is 1',
    { settings: { limiter: { leeway: -1 } } },
  ],
  'early-by-two': [
    'two requests less than Limit are accepted, and Remaining goes from 2 to 0',
    combined(
      { settings: { limiter: { leeway: -2 } } },
      onVerdict({}, (verdict) => (verdict.allowed ? verdict : { ...verdict, remaining: 0 })),
    ),
  ],
  'early-additions': [
    'POST /pets has a limit of 8 that no header shows',
    counting(
      () => 'additions',
      (count, { allowed }) => ({ allowed: allowed && count <= 8 }),
      { operation: 'createPet' },
    ),
  ],
  'early-told-per-operation': [
    'Remaining counts per operation, but the limit is enforced per key',
    counting(
      ({ listener, operation }) => `${listener} ${operation}`,
      (count, { limit }) => ({ remaining: Math.max(0, limit - count) }),
    ),
  ],
});

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

/** Judges requests with the key by how many are used, for the limit and, if that is another number, for Remaining. */
const judgedBy = (usedOf: (call: Call) => number, shownOf = usedOf): Change =>
  onVerdict(keyed, (verdict, call) => ({
    ...verdict,
    allowed: usedOf(call) <= verdict.limit,
    remaining: Math.max(0, verdict.limit - shownOf(call)),
    retryAt: (windowOf(call) + 1) * call.minute,
  }));
const sentBy = (call: Call) => earlier(call).length + 1;
/** The requests so far without earlier requests that do not count. */
const usedWithout = (isFree: (entry: LogEntry) => boolean) => (call: Call) =>
  sentBy(call) - earlier(call).filter(isFree).length;

/** Remaining and the limit are counted apart, and should be the same count. */
export const twoCountFaults: readonly Fault[] = [
  ...violating(EARLY, {
    'early-additions-cost-five': [
      'additions count as five requests, although Remaining falls by one',
      judgedBy(costOf, sentBy),
    ],
  }),
  ...violating('rate-limit.count', {
    'remaining-per-connection': [
      'Remaining counts per connection, but the limit is enforced per key',
      onVerdict(keyed, (verdict, call) => ({
        ...verdict,
        remaining: Math.max(0, verdict.limit - countOf(call, `Remaining on ${connection(call)}`)),
      })),
    ],
  }),
  ...violating('TooManyRequests', {
    'late-404': [
      'a 404 is subtracted from Remaining but not counted',
      judgedBy(
        usedWithout(({ status }) => status === 404),
        sentBy,
      ),
    ],
  }),
  {
    id: 'late-two-nodes',
    summary: 'two nodes answer in turn, and each lets the whole limit through',
    violates: ['TooManyRequests', 'rate-limit.falls'],
    because: 'one request at a time, Remaining goes to and fro between both counts before the limit shows',
    ...countedBy((call) => `${all(call)} at node ${call.number % 2}`),
  },
  ...violating('rate-limit.count', {
    'late-refund-fetched': [
      'an animal that is found is given back after its response, which does not say so',
      judgedBy(usedWithout(({ operation, status }) => operation === 'getPet' && status === 200)),
    ],
  }),
];
