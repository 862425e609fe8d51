import type { Change, Where } from '../../changes/change.ts';
import { combined, delayed, onVerdict, withHeader } from '../../changes/changes.ts';
import { all, counting, countOf } from '../../changes/counting.ts';
import { headerOf } from '../../http/answer.ts';
import type { Call, LogEntry } from '../../http/call.ts';
import type { LimiterVerdict } from '../../limiter/verdict.ts';
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

const COUNT = 'rate-limit.count';

const LIMIT = 'X-RateLimit-Limit';

/** Remaining is another number on responses to requests with the key; what is allowed stays the same. */
function told(
  id: string,
  summary: string,
  remaining: (verdict: LimiterVerdict, call: Call) => number,
  when: (call: Call) => boolean = () => true,
): Fault {
  return {
    id,
    summary,
    violates: [COUNT],
    ...onVerdict({ ...keyed, when }, (verdict, call) => ({
      ...verdict,
      remaining: Math.min(verdict.limit, Math.max(0, remaining(verdict, call))),
    })),
  };
}

/** The value of Remaining after every tenth request of a window. */
function everyTenth({ remaining }: LimiterVerdict, call: Call): number {
  const shown = call.recall(`shown at ${call.listener}`, () => ({ remaining }));
  if (countOf(call, `told at ${call.listener}`) % 10 === 1) shown.remaining = remaining;
  return shown.remaining;
}

/** The value goes wrong throughout the window, or from some request on. */
const throughout: readonly Fault[] = [
  told('remaining-one-high', 'Remaining is one too high', ({ remaining }) => remaining + 1),
  told('remaining-two-high', 'Remaining is two too high', ({ remaining }) => remaining + 2),
  told('remaining-at-least-one', 'Remaining is never below 1', ({ remaining }) => Math.max(1, remaining)),
  told('remaining-tens', 'Remaining is rounded to tens', ({ remaining }) => 10 * Math.round(remaining / 10)),
  told('remaining-every-tenth', 'Remaining changes only with every tenth request', everyTenth),
  told(
    'remaining-jumps',
    'in the middle of a window, Remaining jumps up by ten and falls from there; the limit stays',
    ({ limit, remaining, allowed }) => (allowed && 2 * remaining < limit ? remaining + 10 : remaining),
    ({ log }) => !log.some(({ status }) => status === 429),
  ),
  told(
    'remaining-by-two',
    'Remaining falls by two with each request, but Limit requests are accepted',
    ({ limit, remaining }) => limit - 2 * (limit - remaining),
  ),
  {
    id: 'remaining-counts-up',
    summary: 'Remaining starts at 0 and counts the requests before this one',
    violates: ['rate-limit.falls'],
    ...counting(all, (count, { limit }) => ({ remaining: Math.min(limit, count - 1) })),
  },
  {
    id: 'remaining-starts-one-less',
    summary: 'one request less than Limit is accepted, and Remaining starts one lower in every window',
    violates: [COUNT],
    // A run that is over at once could not tell this from a request of somebody else, and one that is over after 30 s of a minute
    // could not tell it from one that still counts.
    start: '2026-11-21T12:00:23Z',
    ...combined(
      delayed({}, 300),
      { settings: { limiter: { leeway: -1 } } },
      onVerdict(keyed, (verdict) => ({ ...verdict, remaining: Math.max(0, verdict.remaining - 1) })),
    ),
  },
];

/** The request at either address that arrived before this one. */
const before = ({ log, number }: Call): LogEntry | undefined => log[number - 2];
const limitOf = ({ limit }: LimiterVerdict) => limit;

/** Remaining equals Limit on some responses. */
const wholeOn = (where: Where): Change =>
  withHeader({ ...keyed, ...where }, REMAINING, (_old, answer) => headerOf(answer, LIMIT) ?? '');

/** The value goes wrong on some responses. */
const sometimes: readonly Fault[] = [
  told(
    'remaining-whole-after-401',
    'Remaining is the whole limit on the response after a 401',
    limitOf,
    (call) => before(call)?.status === 401,
  ),
  told(
    'remaining-whole-after-message',
    'Remaining is the whole limit on the next response after a message',
    limitOf,
    (call) => call.listener === 'animals' && before(call)?.listener === 'messages',
  ),
  {
    id: 'remaining-whole-404',
    summary: 'Remaining is the whole limit on a 404',
    violates: [COUNT],
    ...wholeOn({ status: 404 }),
  },
  {
    id: 'remaining-whole-400',
    summary: 'Remaining is the whole limit on a 400',
    violates: [COUNT],
    ...wholeOn({ status: 400 }),
  },
];

/** A Remaining that is plausible but not the number of requests that are let through. */
export const remainingCountFaults: readonly Fault[] = [...throughout, ...sometimes];
