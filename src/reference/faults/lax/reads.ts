import {
  answering,
  withBody,
  withField,
  withoutField,
  withoutHeader,
  withQuery,
} from '../../changes/changes.ts';
import type { Call, OperationId } from '../../http/call.ts';
import { crash } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';

type Plan = NonNullable<Fault['plan']>;

const crashing = (
  plan: Plan,
  id: string,
  summary: string,
  operation: OperationId,
  when: (call: Call) => boolean,
): Fault => ({
  id,
  summary,
  plan,
  violates: [`${operation}.responses`],
  ...answering({ operation, when }, crash),
});

/** Lists with one value of a parameter. */
const sent = (name: string, pattern: RegExp) => (call: Call) =>
  call.query.getAll(name).length === 1 && pattern.test(call.query.get(name) ?? '');
const twice = (name: string) => (call: Call) => call.query.getAll(name).length > 1;
const fetched = (pattern: RegExp) => (call: Call) => pattern.test(call.params.petId ?? '');

/** Lists whose limit is read as a number above 100, and is not checked again. */
const unbounded = (plan: Plan, id: string, summary: string, pattern: RegExp): Fault => ({
  id,
  summary,
  plan,
  violates: ['listPets.page'],
  ...withQuery({ operation: 'listPets', when: sent('limit', pattern) }, (query) => {
    query.set('limit', '100');
    query.set('all', 'true');
  }),
  store: { list: (query, next, call) => next(call.query.has('all') ? { ...query, limit: 1_000 } : query) },
});

const limitFaults: readonly Fault[] = [
  crashing(
    'pro',
    'limit-negative-crash',
    'a negative limit is an uncaught error',
    'listPets',
    sent('limit', /^-\d$/),
  ),
  crashing(
    'pro',
    'limit-empty-crash',
    'an empty limit is an uncaught error',
    'listPets',
    sent('limit', /^$/),
  ),
  crashing(
    'pro',
    'limit-fraction-crash',
    'a fraction as limit is an uncaught error',
    'listPets',
    sent('limit', /^\d\.\d$/),
  ),
  crashing(
    'pro',
    'limit-twice-crash',
    'a limit that is given twice is an uncaught error',
    'listPets',
    twice('limit'),
  ),
  crashing(
    'pro',
    'limit-huge-crash',
    'a limit beyond int64 is an uncaught error',
    'listPets',
    sent('limit', /^9{20}$/),
  ),
  crashing(
    'pro',
    'limit-int32-crash',
    'a limit beyond int32 is an uncaught error',
    'listPets',
    sent('limit', /^2147483648$/),
  ),
  crashing('pro', 'limit-nan-crash', 'limit NaN is an uncaught error', 'listPets', sent('limit', /^NaN$/)),
  crashing('pro', 'limit-null-crash', 'limit null is an uncaught error', 'listPets', sent('limit', /^null$/)),
  crashing(
    'pro',
    'limit-percent-crash',
    'a percent sign as limit is an uncaught error',
    'listPets',
    sent('limit', /^%$/),
  ),
  crashing(
    'business',
    'limit-long-crash',
    'a limit of many digits is an uncaught error',
    'listPets',
    sent('limit', /^1{500}/),
  ),
  unbounded('pro', 'limit-far-unbounded', 'a limit of a million returns all animals', /^1000000$/),
  unbounded('pro', 'limit-exponent-unbounded', 'a limit with an exponent is not bounded', /^1e3$/),
  unbounded('pro', 'limit-hexadecimal-unbounded', 'a limit in hexadecimal digits is not bounded', /^0x/),
  unbounded('pro', 'limit-letter-unbounded', 'a limit with a letter after it is not bounded', /^\d+x$/),
  unbounded('pro', 'limit-plus-unbounded', 'a limit with a plus sign is not bounded', /^\+\d+$/),
  unbounded('business', 'limit-infinity-unbounded', 'limit Infinity returns all animals', /^Infinity$/),
];

const statusFaults: readonly Fault[] = [
  crashing(
    'pro',
    'filter-empty-crash',
    'an empty status filter is an uncaught error',
    'listPets',
    sent('status', /^$/),
  ),
  crashing(
    'pro',
    'filter-upper-crash',
    'a status filter in capitals is an uncaught error',
    'listPets',
    sent('status', /^[A-Z]+$/),
  ),
  crashing(
    'pro',
    'filter-twice-crash',
    'a status filter that is given twice is an uncaught error',
    'listPets',
    twice('status'),
  ),
  crashing(
    'pro',
    'filter-quote-crash',
    'a quote as status filter is an uncaught error',
    'listPets',
    sent('status', /^'$/),
  ),
  crashing(
    'pro',
    'filter-long-crash',
    'a long status filter is an uncaught error',
    'listPets',
    sent('status', /^x{500}/),
  ),
  crashing(
    'pro',
    'filter-emoji-crash',
    'an emoji as status filter is an uncaught error',
    'listPets',
    sent('status', /^\p{Emoji_Presentation}$/u),
  ),
  crashing(
    'business',
    'filter-property-crash',
    'a status filter that names a property of objects is an uncaught error',
    'listPets',
    sent('status', /^__/),
  ),
];

const idFaults: readonly Fault[] = [
  crashing('pro', 'id-zero-crash', 'id 0 is an uncaught error', 'getPet', fetched(/^0$/)),
  crashing(
    'pro',
    'id-beyond-crash',
    'an id beyond int64 is an uncaught error',
    'getPet',
    fetched(/^9223372036854775808$/),
  ),
  crashing('pro', 'id-negative-crash', 'a negative id is an uncaught error', 'getPet', fetched(/^-1$/)),
  crashing('pro', 'id-quote-crash', 'a quote in an id is an uncaught error', 'getPet', fetched(/'/)),
  crashing(
    'pro',
    'id-percent-crash',
    'a percent sign as an id is an uncaught error',
    'getPet',
    fetched(/^%$/),
  ),
  crashing(
    'pro',
    'id-huge-crash',
    'an id of a hundred digits is an uncaught error',
    'getPet',
    fetched(/^9{100}$/),
  ),
  crashing(
    'pro',
    'id-exponent-crash',
    'an id with an exponent is an uncaught error',
    'getPet',
    fetched(/^\de\d$/),
  ),
  crashing(
    'pro',
    'id-zeros-crash',
    'an id with leading zeros is an uncaught error',
    'getPet',
    fetched(/^000/),
  ),
];

const orderFaults: readonly Fault[] = [
  crashing(
    'pro',
    'orders-filter-crash',
    'a filter of orders is an uncaught error',
    'getStoreOrders',
    ({ query }) => query.has('filter'),
  ),
  crashing(
    'pro',
    'orders-page-crash',
    'a page of orders is an uncaught error',
    'getStoreOrders',
    ({ query }) => query.has('page'),
  ),
  crashing(
    'pro',
    'orders-id-crash',
    'a quote in a query of orders is an uncaught error',
    'getStoreOrders',
    ({ query }) => query.has('id'),
  ),
];

/** Animals of the first page but the first: ids 1002 to 1019. */
const isEarly = ({ params }: Call) => /^10(?:0[2-9]|1\d)$/.test(params.petId ?? '');

const fetchFaults: readonly Fault[] = [
  {
    id: 'fetch-listed-without-category',
    summary: 'of animals with an even id below 1020 the category is missing',
    plan: 'pro',
    violates: ['Pet.categoryId'],
    ...withoutField(
      {
        operation: 'getPet',
        status: 200,
        when: (call) => isEarly(call) && Number(call.params.petId) % 2 === 0,
      },
      'categoryId',
    ),
  },
  {
    id: 'fetch-listed-other-name',
    summary: 'older names are fetched in capitals if their id ends with 5',
    plan: 'pro',
    violates: ['getPet.stored'],
    ...withField(
      {
        operation: 'getPet',
        status: 200,
        when: (call) => isEarly(call) && /5$/.test(call.params.petId ?? ''),
      },
      'name',
      (name) => `${String(name).toUpperCase()}!`,
    ),
  },
  {
    id: 'fetch-listed-id-text',
    summary: 'the id of an older animal is a text if it ends with 7',
    plan: 'pro',
    violates: ['Pet.id'],
    ...withField(
      {
        operation: 'getPet',
        status: 200,
        when: (call) => isEarly(call) && /7$/.test(call.params.petId ?? ''),
      },
      'id',
      String,
    ),
  },
];

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
    store: { list: (query, next) => next(query.limit === 64 ? { ...query, limit: 65 } : query) },
  },
  {
    id: 'page-10-sold-unfiltered',
    summary: 'a page of 10 sold animals has others',
    plan: 'pro',
    violates: ['listPets.status'],
    store: {
      list: (query, next) => next(query.limit === 10 && query.status === 'sold' ? { limit: 10 } : query),
    },
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
    id: 'page-33-names-lost',
    summary: 'a page of 33 animals has no names',
    plan: 'pro',
    violates: ['Pet.name'],
    ...withoutField({ ...sized(33), status: 200 }, 'name'),
  },
];

/** Reads with values, sizes and ids that nothing before sends. */
export const laxReadFaults: readonly Fault[] = [
  ...limitFaults,
  ...statusFaults,
  ...idFaults,
  ...orderFaults,
  ...fetchFaults,
  ...sizeFaults,
];
