import type { Change } from '../../changes/change.ts';
import { combined, delayed, onVerdict, withHeader } from '../../changes/changes.ts';
import { all, counting, countOf } from '../../changes/counting.ts';
import type { Where } from '../../changes/where.ts';
import { headerOf } from '../../http/answer.ts';
import type { Call, LogEntry } from '../../http/call.ts';
import type { LimiterVerdict } from '../../limiter/verdict.ts';
import type { Fault } from '../fault.ts';

const COUNT = 'rate-limit.count';
const REMAINING = 'X-RateLimit-Remaining';
const LIMIT = 'X-RateLimit-Limit';

const keyed = { key: 'valid' } as const;

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
