import type { Change } from '../../changes/change.ts';
import { onList, withBody, withoutField, withoutHeader, withQuery } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import { type Fault, violating } from '../fault.ts';
import { crashes } from './reader.ts';

/** Lists with one value of a parameter. */
const sent = (name: string, pattern: RegExp) => (call: Call) =>
  call.query.getAll(name).length === 1 && pattern.test(call.query.get(name) ?? '');
const twice = (name: string) => (call: Call) => call.query.getAll(name).length > 1;

/** Lists whose limit is read as a number above 100, and is not checked again. */
const unbounded = (pattern: RegExp): Change => ({
  ...withQuery({ operation: 'listPets', when: sent('limit', pattern) }, (query) => {
    query.set('limit', '100');
    query.set('all', 'true');
  }),
  ...onList((query, next, call) => next(call.query.has('all') ? { ...query, limit: 1_000 } : query)),
});

const limitFaults: readonly Fault[] = [
  ...crashes('pro', 'listPets', 'responses', {
    'limit-negative-crash': ['a negative limit is an uncaught error', sent('limit', /^-\d$/)],
    'limit-empty-crash': ['an empty limit is an uncaught error', sent('limit', /^$/)],
    'limit-fraction-crash': ['a fraction as limit is an uncaught error', sent('limit', /^\d\.\d$/)],
    'limit-twice-crash': ['a limit that is given twice is an uncaught error', twice('limit')],
    'limit-huge-crash': ['a limit beyond int64 is an uncaught error', sent('limit', /^9{20}$/)],
    'limit-int32-crash': ['a limit beyond int32 is an uncaught error', sent('limit', /^2147483648$/)],
    'limit-nan-crash': ['limit NaN is an uncaught error', sent('limit', /^NaN$/)],
    'limit-null-crash': ['limit null is an uncaught error', sent('limit', /^null$/)],
    'limit-percent-crash': ['a percent sign as limit is an uncaught error', sent('limit', /^%$/)],
  }),
  ...crashes('business', 'listPets', 'responses', {
    'limit-long-crash': ['a limit of many digits is an uncaught error', sent('limit', /^1{500}/)],
  }),
  ...violating('listPets.page', {
    'limit-far-unbounded': [
      'a limit of a million returns all animals',
      unbounded(/^1000000$/),
      { plan: 'pro' },
    ],
    'limit-exponent-unbounded': [
      'a limit with an exponent is not bounded',
      unbounded(/^1e3$/),
      { plan: 'pro' },
    ],
    'limit-hexadecimal-unbounded': [
      'a limit in hexadecimal digits is not bounded',
      unbounded(/^0x/),
      { plan: 'pro' },
    ],
    'limit-letter-unbounded': [
      'a limit with a letter after it is not bounded',
      unbounded(/^\d+x$/),
      { plan: 'pro' },
    ],
    'limit-plus-unbounded': [
      'a limit with a plus sign is not bounded',
      unbounded(/^\+\d+$/),
      { plan: 'pro' },
    ],
    'limit-infinity-unbounded': [
      'limit Infinity returns all animals',
      unbounded(/^Infinity$/),
      { plan: 'business' },
    ],
  }),
];

const statusFaults: readonly Fault[] = [
  ...crashes('pro', 'listPets', 'responses', {
    'filter-empty-crash': ['an empty status filter is an uncaught error', sent('status', /^$/)],
    'filter-upper-crash': ['a status filter in capitals is an uncaught error', sent('status', /^[A-Z]+$/)],
    'filter-twice-crash': ['a status filter that is given twice is an uncaught error', twice('status')],
    'filter-quote-crash': ['a quote as status filter is an uncaught error', sent('status', /^'$/)],
    'filter-long-crash': ['a long status filter is an uncaught error', sent('status', /^x{500}/)],
    'filter-emoji-crash': [
      'an emoji as status filter is an uncaught error',
      sent('status', /^\p{Emoji_Presentation}$/u),
    ],
  }),
  ...crashes('business', 'listPets', 'responses', {
    'filter-property-crash': [
      'a status filter that names a property of objects is an uncaught error',
      sent('status', /^__/),
    ],
  }),
];

const orderFaults: readonly Fault[] = crashes('pro', 'getStoreOrders', 'responses', {
  'orders-filter-crash': ['a filter of orders is an uncaught error', ({ query }) => query.has('filter')],
  'orders-page-crash': ['a page of orders is an uncaught error', ({ query }) => query.has('page')],
  'orders-id-crash': ['a quote in a query of orders is an uncaught error', ({ query }) => query.has('id')],
});

const limitOf = ({ query }: Call) => Number(query.get('limit'));
const sized = (size: number, status?: string) => ({
  operation: 'listPets' as const,
  when: (call: Call) =>
    limitOf(call) === size && (status === undefined || call.query.get('status') === status),
});

const sizeFaults: readonly Fault[] = [
  {
    id: 'page-64-one-more',
    summary: 'a page of 64 animals has one more',
    plan: 'business',
    violates: ['listPets.limit'],
    ...onList((query, next) => next(query.limit === 64 ? { ...query, limit: 65 } : query)),
  },
  {
    id: 'page-10-sold-unfiltered',
    summary: 'a page of 10 sold animals has others',
    plan: 'business',
    violates: ['listPets.status'],
    ...onList((query, next) => next(query.limit === 10 && query.status === 'sold' ? { limit: 10 } : query)),
  },
  {
    id: 'page-25-without-reset',
    summary: 'a page of 25 pending animals has no X-RateLimit-Reset',
    plan: 'business',
    violates: ['X-RateLimit-Reset'],
    ...withoutHeader({ ...sized(25, 'pending'), status: 200 }, 'X-RateLimit-Reset'),
  },
  {
    id: 'page-50-wrapped',
    summary: 'a page of 50 available animals is wrapped: {"items": [...]}',
    plan: 'business',
    violates: ['listPets.200.body'],
    ...withBody({ ...sized(50, 'available'), status: 200 }, (items) => ({ items })),
  },
  {
    id: 'page-50-unbounded',
    summary: 'a page of 50 animals has all animals',
    plan: 'pro',
    violates: ['listPets.limit'],
    ...onList((query, next) => next(query.limit === 50 ? { ...query, limit: 1_000 } : query)),
  },
  {
    id: 'page-33-names-lost',
    summary: 'a page of 33 animals has no names',
    seeds: [0, 1, 4, 5, 6, 7, 8],
    plan: 'pro',
    violates: ['Pet.name'],
    ...withoutField({ ...sized(33), status: 200 }, 'name'),
  },
];

/** Lists and orders with values and sizes that nothing before sends. */
export const laxListFaults: readonly Fault[] = [
  ...limitFaults,
  ...statusFaults,
  ...orderFaults,
  ...sizeFaults,
];
