import { combined, delayed } from '../../changes/changes.ts';
import { BEYOND_THE_LIMIT, COUNTING, COVERAGE, limitersAllowedBy, START } from '../freedoms.ts';
import { type Variant, variantOf } from '../variant.ts';

/** Which requests count, and together with which others. */
export const coverageVariants: readonly Variant[] = [
  ...limitersAllowedBy(COUNTING, {
    'counts-401': ['requests without a valid key also count', { counts401: true }],
    '4xx-free': ['requests that get a 4xx do not count', { counts4xx: false }],
    '4xx-given-back': ['a request that gets a 4xx counts until it is answered', { givenBack: '4xx' }],
    '4xx-given-back-first-request': [
      'a request that gets a 4xx counts until it is answered, in a window that starts with the first request',
      { givenBack: '4xx', algorithm: 'first-request-window' },
    ],
    '4xx-given-back-sliding': [
      'a request that gets a 4xx counts until it is answered, with a sliding window',
      { givenBack: '4xx', algorithm: 'sliding-log' },
    ],
    '4xx-given-back-token-bucket': [
      'a request that gets a 4xx counts until it is answered, with a token bucket',
      { givenBack: '4xx', algorithm: 'token-bucket' },
    ],
    '4xx-given-back-sliding-counter': [
      'a request that gets a 4xx counts until it is answered, with a sliding counter',
      { givenBack: '4xx', algorithm: 'sliding-counter' },
    ],
    '4xx-given-back-sliding-counter-next': [
      'a request that gets a 4xx counts until it is answered, with a sliding counter whose Reset is the next request',
      { givenBack: '4xx', algorithm: 'sliding-counter', resetMeans: 'next' },
    ],
    '4xx-given-back-whole-sliding-counter': [
      'a request that gets a 4xx counts until it is answered, with a sliding counter of whole requests',
      { givenBack: '4xx', algorithm: 'whole-sliding-counter', resetMeans: 'next' },
    ],
    'cached-lists-free': [
      'a repeated list request is served from a cache and does not count',
      { freeRepeats: ['listPets'] },
    ],
    'cached-free': [
      'every repeated GET is served from a cache and does not count',
      { freeRepeats: ['listPets', 'getPet', 'getStoreOrders'] },
      {
        // Only other requests would use up the limit, but petspec repeats one that changes nothing.
        untested: BEYOND_THE_LIMIT,
      },
    ],
  }),
  {
    ...variantOf(
      'cached-lists-briefly',
      'a list is served from a cache for 1.5 seconds, with its Age, and does not count; each request takes 100 ms',
      COUNTING,
      combined(
        { settings: { limiter: { freeRepeats: ['listPets'], freeRepeatsForMs: 1_500 } } },
        delayed({}, 100),
      ),
    ),
  },
  ...limitersAllowedBy(COVERAGE, {
    'per-operation': ['requests are counted per operation', { scope: 'key-and-operation' }],
    'per-path': ['requests are counted per path: lists together with additions', { scope: 'key-and-path' }],
    'per-path-bucket': [
      'each path has a token bucket of its own',
      { scope: 'key-and-path', algorithm: 'token-bucket' },
    ],
    'reads-and-writes': ['reads are counted apart from additions', { scope: 'key-and-method' }],
    'reads-and-writes-shared': [
      'reads are counted apart from additions and messages, which share one count',
      { scope: 'key-and-method', messages: 'shared' },
    ],
    'list-apart': ['lists are counted apart from all other requests', { apart: ['listPets'] }],
    'fetch-apart': [
      'the deprecated operation is counted apart from all others',
      { apart: ['getPet'], messages: 'shared' },
    ],
    'covers-orders': ['only GET /store/orders is limited', { covers: ['getStoreOrders'] }],
  }),
  ...limitersAllowedBy(COUNTING, {
    'per-address': ['requests are counted per client address', { scope: 'address' }],
    'per-address-401': [
      'requests are counted per client address, with or without a key',
      { scope: 'address', counts401: true },
    ],
  }),
  ...limitersAllowedBy(COVERAGE, {
    'covers-list': ['only GET /pets is limited', { covers: ['listPets'] }],
    'covers-create': [
      'only POST /pets is limited',
      { covers: ['createPet'] },
      {
        // Added animals cannot be deleted, so petspec does not use up a limit by adding them.
        untested: BEYOND_THE_LIMIT,
      },
    ],
    'covers-messages': [
      'only messages are limited: nothing at the base address is',
      { covers: ['sendMessage'] },
      {
        // A message cannot be taken back, so petspec does not use up a limit by sending them.
        untested: BEYOND_THE_LIMIT,
      },
    ],
    'covers-messages-bucket': [
      'only messages are limited, by a token bucket',
      { covers: ['sendMessage'], algorithm: 'token-bucket' },
      { untested: BEYOND_THE_LIMIT },
    ],
    'covers-writes': [
      'only additions and messages are limited, together',
      { covers: ['createPet', 'sendMessage'], messages: 'shared' },
      { untested: BEYOND_THE_LIMIT },
    ],
    'covers-all-but-list': [
      'everything except GET /pets is limited',
      { covers: ['createPet', 'getPet', 'getStoreOrders', 'sendMessage'] },
    ],
    'covers-animals': [
      'only the animal operations are limited',
      { covers: ['listPets', 'createPet', 'getPet'] },
    ],
    'messages-shared': ['both addresses share one count', { messages: 'shared' }],
    'messages-separate': ['the message address has its own count', { messages: 'separate' }],
  }),
];

/** Requests of others, before the run and during it. */
export const usageVariants: readonly Variant[] = limitersAllowedBy(START, {
  'five-left': ['the key has five requests left in the first minute', { used: { left: 5 } }],
  'none-left': ['the key has no requests left in the first minute', { used: { left: 0 } }],
  'five-left-sliding': [
    'five requests are left; the others become available all at once',
    { used: { left: 5 }, algorithm: 'sliding-log' },
  ],
  'none-left-bucket': [
    'no requests are left; they become available one by one',
    { used: { left: 0 }, algorithm: 'token-bucket' },
  ],
  // One before each of ours would look like a limiter that counts every request twice.
  'shared-key-by-request': [
    'another client sends three requests for every two of ours',
    { background: { perSecond: 0, perRequest: 1.5 } },
  ],
  'shared-key-by-second': [
    'another client sends two requests a second',
    { background: { perSecond: 2, perRequest: 0 } },
  ],
});
