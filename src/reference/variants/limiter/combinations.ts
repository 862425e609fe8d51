import { CLOCK, COUNTING, COVERAGE, HEADERS, limitersAllowedBy, START, WAITING } from '../freedoms.ts';
import type { Variant } from '../variant.ts';

const sliding = { algorithm: 'sliding-log' } as const;
const bucket = { algorithm: 'token-bucket' } as const;

const rounded = [
  ...limitersAllowedBy(WAITING, {
    'rounds-down-date': [
      'Retry-After is an HTTP-date, rounded down',
      { rounding: 'down', retryAfter: 'http-date' },
    ],
    'second-longer-sliding': [
      'times are one second later than needed, with a sliding window',
      { rounding: 'second-longer', ...sliding },
    ],
    'second-longer-gcra': [
      'times are one second later than needed, with GCRA',
      { rounding: 'second-longer', algorithm: 'gcra' },
    ],
  }),
  ...limitersAllowedBy(HEADERS, {
    'headers-day-sliding': ['the headers describe the last 24 hours', { describes: 'day', ...sliding }],
    'headers-day-bucket': [
      'the headers describe the day, a token bucket: Reset is minutes later with each request',
      { describes: 'day', ...bucket },
    ],
  }),
];

const counted = [
  ...limitersAllowedBy(COVERAGE, {
    'per-operation-sliding': [
      'each operation has a sliding window of its own',
      { scope: 'key-and-operation', ...sliding },
    ],
    'reads-and-writes-bucket': [
      'reads and additions take tokens from buckets of their own',
      { scope: 'key-and-method', ...bucket },
    ],
    'reads-and-writes-sliding-counter-next': [
      'reads and additions have sliding counters of their own, whose Reset is when the next request is free',
      { scope: 'key-and-method', algorithm: 'sliding-counter', resetMeans: 'next' },
      { start: '2026-11-21T12:00:40Z' },
    ],
    'orders-apart-sliding': [
      'orders have a sliding window of their own',
      { apart: ['getStoreOrders'], ...sliding },
    ],
    'covers-list-bucket': [
      'only GET /pets is limited, by a token bucket',
      { covers: ['listPets'], ...bucket },
    ],
  }),
  ...limitersAllowedBy(COUNTING, {
    'counts-401-gcra': [
      'requests without a valid key also count, with GCRA',
      { counts401: true, algorithm: 'gcra' },
    ],
    'counts-401-in-lots': [
      'requests without a valid key also count, with a token bucket that gets a sixth back during the run',
      { counts401: true, algorithm: 'token-bucket-in-lots' },
      { start: '2026-11-21T12:00:08Z' },
    ],
    'cached-lists-free-sliding': [
      'a repeated list does not count, with a sliding window',
      { freeRepeats: ['listPets'], ...sliding },
    ],
    '4xx-free-bucket': ['requests that get a 4xx take no token', { counts4xx: false, ...bucket }],
  }),
  ...limitersAllowedBy(COVERAGE, {
    'messages-shared-bucket': [
      'both addresses take tokens from one bucket',
      { messages: 'shared', ...bucket },
    ],
  }),
];

const weighed = limitersAllowedBy(COUNTING, {
  'counts-401-weights': [
    'requests without a valid key also count, as much as their operation: an addition as five, a list as two',
    { counts401: true, weights: { createPet: 5, listPets: 2 } },
  ],
  'counts-401-weights-bucket': [
    'the same with a token bucket: an addition takes three tokens',
    { counts401: true, weights: { createPet: 3 }, ...bucket },
  ],
});

const used = limitersAllowedBy(START, {
  'five-left-first-request': [
    'five requests are left in a window that has just begun',
    { used: { left: 5 }, algorithm: 'first-request-window' },
  ],
  'five-left-gcra': [
    'five requests are left; the others become available one by one',
    { used: { left: 5 }, algorithm: 'gcra' },
  ],
  // A client that takes as much as the bucket refills would leave nothing for us.
  'shared-key-bucket': [
    'another client takes a token every two seconds',
    { background: { perSecond: 0.5, perRequest: 0 }, ...bucket },
  ],
});

const skewed: Variant = {
  id: 'clock-ahead-sliding',
  summary: "the server's clock is 30 seconds ahead, with a sliding window",
  freedom: CLOCK,
  settings: { clockSkew: 30, limiter: sliding },
};

/** Two freedoms at once. */
export const combinedVariants: readonly Variant[] = [...rounded, ...counted, ...weighed, ...used, skewed];
