import type { Change, Where } from '../../changes/change.ts';
import { combined, delayed, onVerdict, withHeader } from '../../changes/changes.ts';
import { all, counting, countOf } from '../../changes/counting.ts';
import { headerOf } from '../../http/answer.ts';
import type { Call, LogEntry } from '../../http/call.ts';
import type { LimiterVerdict } from '../../limiter/verdict.ts';
import { type Fault, violating } from '../fault.ts';
import { CREATED } from '../requests.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

const REMAINING = 'X-RateLimit-Remaining';

const keyed = { key: 'valid' } as const;
/** Requests in a window after the limit was exceeded. */
const later = { when: ({ log }: Call) => log.some(({ status }) => status === 429) } as const;

/** A Remaining that is well-formed but wrong. */
export const remainingFaults: readonly Fault[] = [
  ...violating('rate-limit.remaining', {
    'remaining-above': [
      'Remaining includes a bonus and is above Limit at first',
      onVerdict(keyed, ({ remaining, ...rest }) => ({
        ...rest,
        remaining: remaining > 40 ? remaining + 20 : remaining,
      })),
    ],
    'remaining-of-day': [
      'Limit is that of the minute, Remaining that of the day',
      onVerdict(keyed, (verdict) => ({ ...verdict, remaining: 10 * verdict.limit + verdict.remaining })),
    ],
    'remaining-of-day-4xx': [
      'a 400 or 404 has the Limit of the minute and the Remaining of the day',
      withHeader({ ...keyed, status: [400, 404] }, REMAINING, (old) => String(Number(old) + 900)),
    ],
    'remaining-below-zero': [
      'Remaining of a 429 is -1 as an unsigned number of 64 bits',
      withHeader({ status: 429 }, REMAINING, '18446744073709551615'),
    ],
    'remaining-above-created': [
      'Remaining is above Limit on responses to additions',
      withHeader(CREATED, REMAINING, (old) => String(Number(old) + 100)),
    ],
    'remaining-above-401': [
      'a 401 has the Limit of the minute and the Remaining of the day',
      withHeader({ status: 401 }, REMAINING, '1000'),
    ],
    'remaining-above-reopened': [
      'after a 429, Remaining starts above Limit: rejected requests are added to it',
      onVerdict(later, ({ remaining, allowed, ...rest }) => ({
        ...rest,
        allowed,
        remaining: allowed ? remaining + 5 : remaining,
      })),
    ],
  }),
  ...violating('rate-limit.falls', {
    'remaining-constant': [
      'Remaining is always 42',
      onVerdict({}, (verdict) => ({ ...verdict, remaining: 42 })),
    ],
    'remaining-is-limit': [
      'Remaining always equals Limit',
      onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit })),
    ],
    'remaining-is-limit-less-one': [
      'Remaining is always one less than Limit: its count restarts with every request',
      {
        // A run that is over within a second could not tell this from a figure that is up to a second old.
        ...combined(
          delayed({}, 100),
          onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit - 1 })),
        ),
      },
    ],
    'remaining-is-used': [
      'Remaining shows the requests used',
      onVerdict({}, (verdict) => ({ ...verdict, remaining: verdict.limit - verdict.remaining })),
    ],
    'remaining-of-another-key': [
      'Remaining is that of another key, which sends a request every five seconds',
      onVerdict({}, (verdict, { now }) => ({
        ...verdict,
        remaining: verdict.limit - 1 - Math.floor((now % MINUTE_MS) / (5 * SECOND_MS)),
      })),
    ],
    'remaining-random': [
      'Remaining goes up and down at random',
      onVerdict({}, (verdict, { number }) => ({
        ...verdict,
        remaining: (number * 7919) % (verdict.limit + 1),
      })),
    ],
  }),
];

const COUNT = 'rate-limit.count';

const LIMIT = 'X-RateLimit-Limit';

/** Responses to requests with the key have another Remaining; what is allowed stays the same. */
const withRemaining = (
  remaining: (verdict: LimiterVerdict, call: Call) => number,
  when: (call: Call) => boolean = () => true,
): Change =>
  onVerdict({ ...keyed, when }, (verdict, call) => ({
    ...verdict,
    remaining: Math.min(verdict.limit, Math.max(0, remaining(verdict, call))),
  }));

/** The value of Remaining after every tenth request of a window. */
function everyTenth({ remaining }: LimiterVerdict, call: Call): number {
  const shown = call.recall(`shown at ${call.listener}`, () => ({ remaining }));
  if (countOf(call, `Remaining at ${call.listener}`) % 10 === 1) shown.remaining = remaining;
  return shown.remaining;
}

/** The value goes wrong throughout the window, or from some request on. */
const throughout: readonly Fault[] = [
  ...violating(COUNT, {
    'remaining-one-high': ['Remaining is one too high', withRemaining(({ remaining }) => remaining + 1)],
    'remaining-two-high': ['Remaining is two too high', withRemaining(({ remaining }) => remaining + 2)],
    'remaining-at-least-one': [
      'Remaining is never below 1',
      withRemaining(({ remaining }) => Math.max(1, remaining)),
    ],
    'remaining-tens': [
      'Remaining is rounded to tens',
      withRemaining(({ remaining }) => 10 * Math.round(remaining / 10)),
    ],
    'remaining-every-tenth': ['Remaining changes only with every tenth request', withRemaining(everyTenth)],
    'remaining-jumps': [
      'in the middle of a window, Remaining jumps up by ten and falls from there; the limit stays',
      withRemaining(
        ({ limit, remaining, allowed }) => (allowed && 2 * remaining < limit ? remaining + 10 : remaining),
        ({ log }) => !log.some(({ status }) => status === 429),
      ),
    ],
    'remaining-by-two': [
      'Remaining falls by two with each request, but Limit requests are accepted',
      withRemaining(({ limit, remaining }) => limit - 2 * (limit - remaining)),
    ],
  }),
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
const sometimes: readonly Fault[] = violating(COUNT, {
  'remaining-whole-after-401': [
    'Remaining is the whole limit on the response after a 401',
    withRemaining(limitOf, (call) => before(call)?.status === 401),
  ],
  'remaining-whole-after-message': [
    'Remaining is the whole limit on the next response after a message',
    withRemaining(limitOf, (call) => call.listener === 'animals' && before(call)?.listener === 'messages'),
  ],
  'remaining-whole-404': ['Remaining is the whole limit on a 404', wholeOn({ status: 404 })],
  'remaining-whole-400': ['Remaining is the whole limit on a 400', wholeOn({ status: 400 })],
});

/** A Remaining that is plausible but not the number of requests that are let through. */
export const remainingCountFaults: readonly Fault[] = [...throughout, ...sometimes];
