import type { AlgorithmName, LimiterSettings } from '../settings.ts';
import type { Variant } from './variant.ts';

const COUNTING = 'Rate limits by plan: requests per minute and per day, but not how they are counted';
const COVERAGE = 'Rate limits by plan: "Which endpoints the plan limits cover: not shown."';
const HEADERS =
  'Rate limit headers: "the current window", but not which of the two, or when a sliding one resets';
const WAITING = 'Rate limit headers: "a `Retry-After` header", but not in which form or how it is rounded';
const START = 'Rate limits by plan: what a key has spent before is nowhere limited';
const CLOCK = 'Rate limit headers: "Unix timestamp", but not by whose clock';

function variant(id: string, summary: string, freedom: string, limiter: Partial<LimiterSettings>): Variant {
  return { id, summary, freedom, settings: { limiter } };
}

const ALGORITHMS: readonly [AlgorithmName, how: string][] = [
  ['fixed-window', 'windows start at the full minute and at UTC midnight'],
  ['first-request-window', 'a window starts with the first request that meets none open'],
  ['sliding-log', 'each request counts for one window from its own moment on'],
  ['sliding-counter', 'the last window counts by how much of it is still in view'],
  ['token-bucket', 'a bucket of tokens fills evenly'],
  ['gcra', 'requests are due evenly and may run ahead by one window'],
];

const algorithms = ALGORITHMS.flatMap(([algorithm, how]) => [
  variant(`${algorithm}-minute`, `${how}; only the minute is kept`, COUNTING, {
    algorithm,
    windows: 'minute',
  }),
  variant(`${algorithm}-both`, `${how}; minute and day are kept`, COUNTING, { algorithm, windows: 'both' }),
]);

const resets = (['sliding-log', 'sliding-counter', 'token-bucket', 'gcra'] as const).map((algorithm) =>
  variant(`${algorithm}-reset-next`, 'Reset names when the next request comes back', HEADERS, {
    algorithm,
    resetMeans: 'next',
  }),
);

const described = [
  variant('headers-minute', 'the headers always describe the minute', HEADERS, { describes: 'minute' }),
  variant('headers-day', 'the headers always describe the day, the minute is kept as well', HEADERS, {
    describes: 'day',
  }),
  variant('headers-tightest', 'the headers describe the window with the fewest requests left', HEADERS, {
    describes: 'tightest',
  }),
  variant('headers-turn-to-day', 'from the second minute on fewer are left of the day than of it', HEADERS, {
    describes: 'tightest',
    usedToday: { left: 100 },
  }),
];

const waiting = [
  variant('rounds-up', 'Reset and Retry-After are rounded up', WAITING, {
    rounding: 'up',
    algorithm: 'gcra',
  }),
  variant('rounds-down', 'Reset and Retry-After are rounded down', WAITING, { rounding: 'down' }),
  variant('second-longer', 'Reset and Retry-After ask for one second more than needed', WAITING, {
    rounding: 'second-longer',
  }),
  variant('retry-after-date', 'Retry-After is an HTTP-date', WAITING, { retryAfter: 'http-date' }),
  variant('retry-after-date-sliding', 'Retry-After is an HTTP-date that follows a sliding window', WAITING, {
    retryAfter: 'http-date',
    algorithm: 'sliding-log',
  }),
];

const counted = [
  variant('counts-401', 'requests without a valid key count, too', COUNTING, { counts401: true }),
  variant('4xx-free', 'requests answered with 4xx do not count', COUNTING, { counts4xx: false }),
  variant(
    'cached-lists-free',
    'a list that was answered before comes from a cache, and is not counted',
    COUNTING,
    {
      freeRepeats: ['listPets'],
    },
  ),
  {
    ...variant('cached-free', 'what was answered before comes from a cache, and is not counted', COUNTING, {
      freeRepeats: ['listPets', 'getPet', 'getStoreOrders'],
    }),
    // Other requests would use up the limit: petspec repeats one that changes nothing.
    untested: [
      'TooManyRequests',
      'Retry-After',
      'Retry-After.schema',
      'rate-limit.early',
      'rate-limit.recovery',
    ],
  },
  variant('per-operation', 'each operation has a count of its own', COVERAGE, { scope: 'key-and-operation' }),
  variant('per-address', 'requests count by client address', COUNTING, { scope: 'address' }),
  variant('per-address-401', 'requests count by client address, with or without a key', COUNTING, {
    scope: 'address',
    counts401: true,
  }),
  variant('covers-list', 'only GET /pets is limited', COVERAGE, { covers: ['listPets'] }),
  {
    ...variant('covers-create', 'only POST /pets is limited', COVERAGE, { covers: ['createPet'] }),
    // Nothing that was added can be deleted: petspec does not use up a limit by adding.
    untested: [
      'TooManyRequests',
      'Retry-After',
      'Retry-After.schema',
      'rate-limit.early',
      'rate-limit.recovery',
    ],
  },
  variant('covers-all-but-list', 'everything but GET /pets is limited', COVERAGE, {
    covers: ['createPet', 'getPet', 'getStoreOrders', 'sendMessage'],
  }),
  variant('covers-animals', 'only the animal operations are limited', COVERAGE, {
    covers: ['listPets', 'createPet', 'getPet'],
  }),
  variant('messages-shared', 'both addresses share one count', COVERAGE, { messages: 'shared' }),
  variant('messages-separate', 'the message address has a count of its own', COVERAGE, {
    messages: 'separate',
  }),
];

const started = [
  variant('five-left', 'the key has five requests left in this minute', START, { used: { left: 5 } }),
  variant('none-left', 'the key has no request left in this minute', START, { used: { left: 0 } }),
  variant('five-left-sliding', 'five requests are left, the others come back all at once', START, {
    used: { left: 5 },
    algorithm: 'sliding-log',
  }),
  variant('none-left-bucket', 'no request is left, the others come back one by one', START, {
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
  summary: "the server's clock is 30 seconds ahead and Retry-After is a date by it",
  freedom: CLOCK,
  settings: { clockSkew: 30, limiter: { retryAfter: 'http-date' } },
};

/** Limiters that differ from the reference's own and conform. */
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
