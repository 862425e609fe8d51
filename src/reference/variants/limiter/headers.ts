import { withHeader } from '../../changes/changes.ts';
import type { Variant } from '../variant.ts';
import { CLOCK, HEADERS, variant, WAITING } from './freedoms.ts';

const described = [
  variant('headers-minute', 'the headers always describe the minute', HEADERS, { describes: 'minute' }),
  variant('headers-day', 'the headers always describe the day; the minute is limited too', HEADERS, {
    describes: 'day',
  }),
  variant('headers-tightest', 'the headers describe the window with the fewest remaining requests', HEADERS, {
    describes: 'tightest',
  }),
  variant(
    'headers-turn-to-day',
    'from the second minute on, the day has fewer remaining requests than the minute',
    HEADERS,
    {
      describes: 'tightest',
      usedToday: { left: 40, minutes: 1 },
    },
  ),
  // A run does not wait until the day ends.
  ...(
    [
      ['day-used-up', 54, 'before the minute is'],
      ['day-and-minute-used-up', 60, 'together with the minute'],
    ] as const
  ).map(
    ([id, left, when]): Variant => ({
      ...variant(
        id,
        `the day is used up ${when}: Retry-After is until the day ends, Reset is the minute's`,
        HEADERS,
        {
          describes: 'minute',
          usedToday: { left },
        },
      ),
      untested: ['rate-limit.recovery'],
    }),
  ),
  variant('headers-in-turn', 'the headers describe the minute and the day in turn', HEADERS, {
    describes: 'in-turn',
  }),
];

const waiting = [
  variant('rounds-up', 'Reset and Retry-After are rounded up', WAITING, {
    rounding: 'up',
    algorithm: 'gcra',
  }),
  variant('rounds-down', 'Reset and Retry-After are rounded down', WAITING, { rounding: 'down' }),
  variant('second-longer', 'Reset and Retry-After are one second later than needed', WAITING, {
    rounding: 'second-longer',
  }),
  variant('retry-after-date', 'Retry-After is an HTTP-date', WAITING, { retryAfter: 'http-date' }),
  variant('retry-after-date-sliding', 'Retry-After is an HTTP-date, with a sliding window', WAITING, {
    retryAfter: 'http-date',
    algorithm: 'sliding-log',
  }),
];

const skewed: Variant[] = [30, -30].map((clockSkew) => ({
  id: clockSkew > 0 ? 'clock-ahead' : 'clock-behind',
  summary: `the server's clock is 30 seconds ${clockSkew > 0 ? 'ahead' : 'behind'}`,
  freedom: CLOCK,
  settings: { clockSkew },
}));

const skewedDate: Variant = {
  id: 'clock-ahead-date',
  summary: "the server's clock is 30 seconds ahead, and Retry-After is a date by that clock",
  freedom: CLOCK,
  settings: { clockSkew: 30, limiter: { retryAfter: 'http-date' } },
};

/** A proxy writes Date by its own clock, which is so many seconds ahead of that of the limiter. */
const dateAhead = (seconds: number) =>
  withHeader({}, 'Date', (_old, _answer, { now }) => new Date(now + seconds * 1_000).toUTCString());

const proxied: Variant[] = [
  {
    ...variant('date-ahead-bucket', 'Date is four seconds ahead of the clock of a token bucket', CLOCK, {
      algorithm: 'token-bucket',
    }),
    ...dateAhead(4),
  },
  {
    ...variant('date-behind', 'Date is ten seconds behind the clock of the limiter', CLOCK, {}),
    ...dateAhead(-10),
  },
  {
    ...variant('date-far-ahead', 'Date is five minutes ahead of the clock of the limiter', CLOCK, {}),
    ...dateAhead(300),
  },
  {
    ...variant('date-far-behind-gcra', 'Date is five minutes behind the clock of GCRA', CLOCK, {
      algorithm: 'gcra',
    }),
    ...dateAhead(-300),
  },
];

/** What the headers describe, how they are rounded, and by which clock. */
export const limiterHeaderVariants: readonly Variant[] = [
  ...described,
  ...waiting,
  ...skewed,
  skewedDate,
  ...proxied,
];
