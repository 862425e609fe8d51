import type { AlgorithmName, LimiterSettings } from '../settings.ts';
import type { Variant } from './variant.ts';

const COUNTING = 'Rate limits by plan: how requests per minute and per day are counted is not said';
const COVERAGE = 'Rate limits by plan: "Which endpoints the plan limits cover: not shown."';
const HEADERS =
  'Rate limit headers: "the current window" does not say which of the two, or when a sliding one resets';
const WAITING =
  'Rate limit headers: "a `Retry-After` header" does not say in which format, or how it is rounded';
const START = 'Rate limits by plan: how much of the limit was used before the run is not said';
const CLOCK = 'Rate limit headers: "Unix timestamp" does not say by whose clock';

function variant(id: string, summary: string, freedom: string, limiter: Partial<LimiterSettings>): Variant {
  return { id, summary, freedom, settings: { limiter } };
}

const ALGORITHMS: readonly [AlgorithmName, how: string][] = [
  ['fixed-window', 'windows start at the full minute and at UTC midnight'],
  ['first-request-window', 'a window starts with the first request after the last window ended'],
  ['sliding-log', 'each request counts for the length of one window'],
  ['sliding-counter', 'the last window counts in proportion to its overlap with the sliding window'],
  ['token-bucket', 'a token bucket refills evenly'],
  ['gcra', 'requests are due at even intervals and may be early by up to one window (GCRA)'],
];

const algorithms = ALGORITHMS.flatMap(([algorithm, how]) => [
  variant(`${algorithm}-minute`, `${how}; only the minute is limited`, COUNTING, {
    algorithm,
    windows: 'minute',
  }),
  variant(`${algorithm}-both`, `${how}; minute and day are limited`, COUNTING, {
    algorithm,
    windows: 'both',
  }),
]);

const resets = (['sliding-log', 'sliding-counter', 'token-bucket', 'gcra'] as const).map((algorithm) =>
  variant(`${algorithm}-reset-next`, 'Reset is the time when the next request becomes available', HEADERS, {
    algorithm,
    resetMeans: 'next',
  }),
);

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
      usedToday: { left: 100 },
    },
  ),
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

const counted = [
  variant('counts-401', 'requests without a valid key also count', COUNTING, { counts401: true }),
  variant('4xx-free', 'requests that get a 4xx do not count', COUNTING, { counts4xx: false }),
  variant(
    'cached-lists-free',
    'a repeated list request is served from a cache and does not count',
    COUNTING,
    {
      freeRepeats: ['listPets'],
    },
  ),
  {
    ...variant('cached-free', 'every repeated GET is served from a cache and does not count', COUNTING, {
      freeRepeats: ['listPets', 'getPet', 'getStoreOrders'],
    }),
    // Only other requests would use up the limit, but petspec repeats one that changes nothing.
    untested: [
      'TooManyRequests',
      'Retry-After',
      'Retry-After.schema',
      'rate-limit.early',
      'rate-limit.recovery',
    ],
  },
  variant('per-operation', 'requests are counted per operation', COVERAGE, { scope: 'key-and-operation' }),
  variant('per-address', 'requests are counted per client address', COUNTING, { scope: 'address' }),
  variant('per-address-401', 'requests are counted per client address, with or without a key', COUNTING, {
    scope: 'address',
    counts401: true,
  }),
  variant('covers-list', 'only GET /pets is limited', COVERAGE, { covers: ['listPets'] }),
  {
    ...variant('covers-create', 'only POST /pets is limited', COVERAGE, { covers: ['createPet'] }),
    // Added animals cannot be deleted, so petspec does not use up a limit by adding them.
    untested: [
      'TooManyRequests',
      'Retry-After',
      'Retry-After.schema',
      'rate-limit.early',
      'rate-limit.recovery',
    ],
  },
  variant('covers-all-but-list', 'everything except GET /pets is limited', COVERAGE, {
    covers: ['createPet', 'getPet', 'getStoreOrders', 'sendMessage'],
  }),
  variant('covers-animals', 'only the animal operations are limited', COVERAGE, {
    covers: ['listPets', 'createPet', 'getPet'],
  }),
  variant('messages-shared', 'both addresses share one count', COVERAGE, { messages: 'shared' }),
  variant('messages-separate', 'the message address has its own count', COVERAGE, {
    messages: 'separate',
  }),
];

const started = [
  variant('five-left', 'the key has five requests left in the first minute', START, { used: { left: 5 } }),
  variant('none-left', 'the key has no requests left in the first minute', START, { used: { left: 0 } }),
  variant('five-left-sliding', 'five requests are left; the others become available all at once', START, {
    used: { left: 5 },
    algorithm: 'sliding-log',
  }),
  variant('none-left-bucket', 'no requests are left; they become available one by one', START, {
    used: { left: 0 },
    algorithm: 'token-bucket',
  }),
  variant('shared-key-by-request', 'another client sends a request before each of ours', START, {
    background: { perSecond: 0, perRequest: 1 },
  }),
  variant('shared-key-by-second', 'another client sends two requests a second', START, {
    background: { perSecond: 2, perRequest: 0 },
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

/** Limiters that differ from the reference's and conform. */
export const limiterVariants: readonly Variant[] = [
  ...algorithms,
  ...resets,
  ...described,
  ...waiting,
  ...counted,
  ...started,
  ...skewed,
  skewedDate,
];
