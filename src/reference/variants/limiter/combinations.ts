import type { Variant } from '../variant.ts';
import { CLOCK, COUNTING, COVERAGE, HEADERS, START, variant, WAITING } from './freedoms.ts';

const sliding = { algorithm: 'sliding-log' } as const;
const bucket = { algorithm: 'token-bucket' } as const;

const rounded = [
  variant('rounds-down-date', 'Retry-After is an HTTP-date, rounded down', WAITING, {
    rounding: 'down',
    retryAfter: 'http-date',
  }),
  variant('second-longer-sliding', 'times are one second later than needed, with a sliding window', WAITING, {
    rounding: 'second-longer',
    ...sliding,
  }),
  variant('second-longer-gcra', 'times are one second later than needed, with GCRA', WAITING, {
    rounding: 'second-longer',
    algorithm: 'gcra',
  }),
  variant('headers-day-sliding', 'the headers describe the last 24 hours', HEADERS, {
    describes: 'day',
    ...sliding,
  }),
  variant(
    'headers-day-bucket',
    'the headers describe the day, a token bucket: Reset is minutes later with each request',
    HEADERS,
    { describes: 'day', ...bucket },
  ),
];

const counted = [
  variant('per-operation-sliding', 'each operation has a sliding window of its own', COVERAGE, {
    scope: 'key-and-operation',
    ...sliding,
  }),
  variant('reads-and-writes-bucket', 'reads and additions take tokens from buckets of their own', COVERAGE, {
    scope: 'key-and-method',
    ...bucket,
  }),
  {
    ...variant(
      'reads-and-writes-sliding-counter-next',
      'reads and additions have sliding counters of their own, whose Reset is when the next request is free',
      COVERAGE,
      { scope: 'key-and-method', algorithm: 'sliding-counter', resetMeans: 'next' },
    ),
    start: '2026-11-21T12:00:40Z',
  },
  variant('orders-apart-sliding', 'orders have a sliding window of their own', COVERAGE, {
    apart: ['getStoreOrders'],
    ...sliding,
  }),
  variant('covers-list-bucket', 'only GET /pets is limited, by a token bucket', COVERAGE, {
    covers: ['listPets'],
    ...bucket,
  }),
  variant('counts-401-gcra', 'requests without a valid key also count, with GCRA', COUNTING, {
    counts401: true,
    algorithm: 'gcra',
  }),
  {
    ...variant(
      'counts-401-in-lots',
      'requests without a valid key also count, with a token bucket that gets a sixth back during the run',
      COUNTING,
      { counts401: true, algorithm: 'token-bucket-in-lots' },
    ),
    start: '2026-11-21T12:00:08Z',
  },
  variant('cached-lists-free-sliding', 'a repeated list does not count, with a sliding window', COUNTING, {
    freeRepeats: ['listPets'],
    ...sliding,
  }),
  variant('4xx-free-bucket', 'requests that get a 4xx take no token', COUNTING, {
    counts4xx: false,
    ...bucket,
  }),
  variant('messages-shared-bucket', 'both addresses take tokens from one bucket', COVERAGE, {
    messages: 'shared',
    ...bucket,
  }),
];

const weighed = [
  variant(
    'counts-401-weights',
    'requests without a valid key also count, as much as their operation: an addition as five, a list as two',
    COUNTING,
    { counts401: true, weights: { createPet: 5, listPets: 2 } },
  ),
  variant(
    'counts-401-weights-bucket',
    'the same with a token bucket: an addition takes three tokens',
    COUNTING,
    {
      counts401: true,
      weights: { createPet: 3 },
      ...bucket,
    },
  ),
];

const used = [
  variant('five-left-first-request', 'five requests are left in a window that has just begun', START, {
    used: { left: 5 },
    algorithm: 'first-request-window',
  }),
  variant('five-left-gcra', 'five requests are left; the others become available one by one', START, {
    used: { left: 5 },
    algorithm: 'gcra',
  }),
  // A client that takes as much as the bucket refills would leave nothing for us.
  variant('shared-key-bucket', 'another client takes a token every two seconds', START, {
    background: { perSecond: 0.5, perRequest: 0 },
    ...bucket,
  }),
];

const skewed: Variant = {
  id: 'clock-ahead-sliding',
  summary: "the server's clock is 30 seconds ahead, with a sliding window",
  freedom: CLOCK,
  settings: { clockSkew: 30, limiter: sliding },
};

/** Two freedoms at once. */
export const combinedVariants: readonly Variant[] = [...rounded, ...counted, ...weighed, ...used, skewed];
