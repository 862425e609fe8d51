import { withHeader } from '../../changes/changes.ts';
import { CLOCK, HEADERS, limitersAllowedBy, WAITING } from '../freedoms.ts';
import type { Variant } from '../variant.ts';

const described = limitersAllowedBy(HEADERS, {
  'headers-minute': ['the headers always describe the minute', { describes: 'minute' }],
  'headers-day': ['the headers always describe the day; the minute is limited too', { describes: 'day' }],
  'headers-tightest': [
    'the headers describe the window with the fewest remaining requests',
    { describes: 'tightest' },
  ],
  'headers-turn-to-day': [
    'from the second minute on, the day has fewer remaining requests than the minute',
    { describes: 'tightest', usedToday: { left: 40, minutes: 1 } },
  ],
  // A run does not wait until the day ends.
  'day-used-up': [
    "the day is used up before the minute is: Retry-After is until the day ends, Reset is the minute's",
    { describes: 'minute', usedToday: { left: 54 } },
    { untested: ['rate-limit.recovery'] },
  ],
  'day-and-minute-used-up': [
    "the day is used up together with the minute: Retry-After is until the day ends, Reset is the minute's",
    { describes: 'minute', usedToday: { left: 60 } },
    { untested: ['rate-limit.recovery'] },
  ],
  'headers-in-turn': ['the headers describe the minute and the day in turn', { describes: 'in-turn' }],
});

const waiting = limitersAllowedBy(WAITING, {
  'rounds-up': ['Reset and Retry-After are rounded up', { rounding: 'up', algorithm: 'gcra' }],
  'rounds-down': ['Reset and Retry-After are rounded down', { rounding: 'down' }],
  'second-longer': ['Reset and Retry-After are one second later than needed', { rounding: 'second-longer' }],
  'retry-after-date': ['Retry-After is an HTTP-date', { retryAfter: 'http-date' }],
  'retry-after-date-sliding': [
    'Retry-After is an HTTP-date, with a sliding window',
    { retryAfter: 'http-date', algorithm: 'sliding-log' },
  ],
});

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

/** A proxy writes Date by a clock that is so many seconds ahead of the limiter's. */
const dateAhead = (seconds: number) =>
  withHeader({}, 'Date', (_old, _answer, { now }) => new Date(now + seconds * 1_000).toUTCString());

const proxied: Variant[] = limitersAllowedBy(CLOCK, {
  'date-ahead-bucket': [
    'Date is four seconds ahead of the clock of a token bucket',
    { algorithm: 'token-bucket' },
    dateAhead(4),
  ],
  'date-behind': ['Date is ten seconds behind the clock of the limiter', {}, dateAhead(-10)],
  'date-far-ahead': ['Date is five minutes ahead of the clock of the limiter', {}, dateAhead(300)],
  'date-far-behind-gcra': [
    'Date is five minutes behind the clock of GCRA',
    { algorithm: 'gcra' },
    dateAhead(-300),
  ],
});

/** What the headers describe, how they are rounded, and by which clock. */
export const limiterHeaderVariants: readonly Variant[] = [
  ...described,
  ...waiting,
  ...skewed,
  skewedDate,
  ...proxied,
];
