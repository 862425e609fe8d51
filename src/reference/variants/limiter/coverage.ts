import { combined, delayed } from '../../changes/changes.ts';
import type { Variant } from '../variant.ts';
import { variantOf } from '../variant.ts';
import { BEYOND_THE_LIMIT, COUNTING, COVERAGE, START, variant } from './freedoms.ts';

/** Which requests count, and together with which others. */
export const coverageVariants: readonly Variant[] = [
  variant('counts-401', 'requests without a valid key also count', COUNTING, { counts401: true }),
  variant('4xx-free', 'requests that get a 4xx do not count', COUNTING, { counts4xx: false }),
  variant('4xx-given-back', 'a request that gets a 4xx counts until it is answered', COUNTING, {
    givenBack: '4xx',
  }),
  variant(
    '4xx-given-back-first-request',
    'a request that gets a 4xx counts until it is answered, in a window that starts with the first request',
    COUNTING,
    { givenBack: '4xx', algorithm: 'first-request-window' },
  ),
  variant(
    '4xx-given-back-sliding',
    'a request that gets a 4xx counts until it is answered, with a sliding window',
    COUNTING,
    { givenBack: '4xx', algorithm: 'sliding-log' },
  ),
  variant(
    '4xx-given-back-token-bucket',
    'a request that gets a 4xx counts until it is answered, with a token bucket',
    COUNTING,
    { givenBack: '4xx', algorithm: 'token-bucket' },
  ),
  variant(
    '4xx-given-back-sliding-counter',
    'a request that gets a 4xx counts until it is answered, with a sliding counter',
    COUNTING,
    { givenBack: '4xx', algorithm: 'sliding-counter' },
  ),
  variant(
    '4xx-given-back-sliding-counter-next',
    'a request that gets a 4xx counts until it is answered, with a sliding counter whose Reset is the next request',
    COUNTING,
    { givenBack: '4xx', algorithm: 'sliding-counter', resetMeans: 'next' },
  ),
  variant(
    '4xx-given-back-whole-sliding-counter',
    'a request that gets a 4xx counts until it is answered, with a sliding counter of whole requests',
    COUNTING,
    { givenBack: '4xx', algorithm: 'whole-sliding-counter', resetMeans: 'next' },
  ),
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
    untested: BEYOND_THE_LIMIT,
  },
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
  variant('per-operation', 'requests are counted per operation', COVERAGE, { scope: 'key-and-operation' }),
  variant('per-path', 'requests are counted per path: lists together with additions', COVERAGE, {
    scope: 'key-and-path',
  }),
  variant('per-path-bucket', 'each path has a token bucket of its own', COVERAGE, {
    scope: 'key-and-path',
    algorithm: 'token-bucket',
  }),
  variant('reads-and-writes', 'reads are counted apart from additions', COVERAGE, {
    scope: 'key-and-method',
  }),
  variant(
    'reads-and-writes-shared',
    'reads are counted apart from additions and messages, which share one count',
    COVERAGE,
    { scope: 'key-and-method', messages: 'shared' },
  ),
  variant('list-apart', 'lists are counted apart from all other requests', COVERAGE, { apart: ['listPets'] }),
  variant('fetch-apart', 'the deprecated operation is counted apart from all others', COVERAGE, {
    apart: ['getPet'],
    messages: 'shared',
  }),
  variant('covers-orders', 'only GET /store/orders is limited', COVERAGE, { covers: ['getStoreOrders'] }),
  variant('per-address', 'requests are counted per client address', COUNTING, { scope: 'address' }),
  variant('per-address-401', 'requests are counted per client address, with or without a key', COUNTING, {
    scope: 'address',
    counts401: true,
  }),
  variant('covers-list', 'only GET /pets is limited', COVERAGE, { covers: ['listPets'] }),
  {
    ...variant('covers-create', 'only POST /pets is limited', COVERAGE, { covers: ['createPet'] }),
    // Added animals cannot be deleted, so petspec does not use up a limit by adding them.
    untested: BEYOND_THE_LIMIT,
  },
  {
    ...variant('covers-messages', 'only messages are limited: nothing at the base address is', COVERAGE, {
      covers: ['sendMessage'],
    }),
    // A message cannot be taken back, so petspec does not use up a limit by sending them.
    untested: BEYOND_THE_LIMIT,
  },
  {
    ...variant('covers-messages-bucket', 'only messages are limited, by a token bucket', COVERAGE, {
      covers: ['sendMessage'],
      algorithm: 'token-bucket',
    }),
    untested: BEYOND_THE_LIMIT,
  },
  {
    ...variant('covers-writes', 'only additions and messages are limited, together', COVERAGE, {
      covers: ['createPet', 'sendMessage'],
      messages: 'shared',
    }),
    untested: BEYOND_THE_LIMIT,
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

/** Requests of others, before the run and during it. */
export const usageVariants: readonly Variant[] = [
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
  // One before each of ours would look like a limiter that counts every request twice.
  variant('shared-key-by-request', 'another client sends three requests for every two of ours', START, {
    background: { perSecond: 0, perRequest: 1.5 },
  }),
  variant('shared-key-by-second', 'another client sends two requests a second', START, {
    background: { perSecond: 2, perRequest: 0 },
  }),
];
