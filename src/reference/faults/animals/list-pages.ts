import { answering, onList, withObject } from '../../changes/changes.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Animal } from '../../store.ts';
import { select } from '../../store.ts';
import { type Fault, violating } from '../fault.ts';
import { rounded } from '../mistakes.ts';
import { limiting, listing } from '../requests.ts';

/** Does not enforce a bound of `limit`. `count` says how many animals to return instead. */
const unbounded = (test: (limit: number) => boolean, count: (limit: number) => number) =>
  answering(limiting(test), ({ store, query }) =>
    jsonAnswer(200, select(store.all(), { limit: count(Number(query.get('limit'))) })),
  );
const all = () => Number.POSITIVE_INFINITY;

const refusal = () => errorAnswer(400, 'invalid_request', 'the query is not valid');

const every = (animals: readonly Animal[], count: (animal: Animal) => number) =>
  animals.flatMap((animal) => Array.from({ length: count(animal) }, () => animal));

/** GET /pets: how many animals, and which animals. */
export const listPageFaults: readonly Fault[] = [
  ...violating('listPets.limit', {
    'list-one-too-many': [
      'a list contains one animal more than limit, or than the default',
      onList((query, next) => next({ ...query, limit: query.limit + 1 })),
    ],
    'list-limit-lost-with-status': [
      'limit is ignored if status is also given',
      onList((query, next) => next(query.status ? { ...query, limit: 20 } : query)),
    ],
    'list-limit-one-is-none': [
      'limit=1 is treated as a flag: the default page is returned',
      onList((query, next) => next(query.limit === 1 ? { ...query, limit: 20 } : query)),
    ],
  }),
  ...violating('listPets.limit.default', {
    'list-default-25': [
      'without limit, a page has 25 animals',
      onList((query, next, call) => next(call.query.has('limit') ? query : { ...query, limit: 25 })),
    ],
    'list-default-10': [
      'without limit, a page has 10 animals, even if there are more',
      onList((query, next, call) => next(call.query.has('limit') ? query : { ...query, limit: 10 })),
    ],
    'list-default-all': [
      'without limit, the whole store is returned',
      onList((query, next, call) => next(call.query.has('limit') ? query : { ...query, limit: all() })),
    ],
    'list-default-lost-with-status': [
      'with status, the default page size does not apply: up to 100 animals are returned',
      onList((query, next, call) =>
        next(call.query.has('limit') || !query.status ? query : { ...query, limit: 100 }),
      ),
    ],
    'list-default-from-second': [
      'an off-by-one error drops the first animal of the default page',
      onList((query, next, call) => (call.query.size === 0 ? next(query).slice(1) : next(query))),
    ],
  }),
  ...violating('listPets.page', {
    'list-limit-101': [
      'limit has no upper bound: limit=101 returns 101 animals',
      unbounded(
        (limit) => limit > 100,
        (limit) => limit,
      ),
    ],
    'list-limit-0-all': [
      'limit=0 means no limit to the database: the whole store is returned',
      unbounded((limit) => limit === 0, all),
    ],
    'list-limit-text-all': [
      'a limit that is not a number disables the limit: the whole store is returned',
      unbounded(Number.isNaN, all),
    ],
  }),
  ...violating('listPets.status', {
    'list-status-sold-all': [
      'the filter does not know sold: animals of every status are returned',
      onList(({ limit, status }, next) =>
        next(status === 'sold' ? { limit } : { limit, ...(status && { status }) }),
      ),
    ],
    'list-status-leaks-unset': [
      'animals without a status pass every filter',
      onList(({ limit, status }, _next, call) =>
        call.store
          .all()
          .filter((animal) => !status || (animal.status ?? status) === status)
          .slice(0, limit),
      ),
    ],
    'list-status-lost-with-limit': [
      'the filter is ignored if limit is also given',
      onList((query, next, call) => next(call.query.has('limit') ? { limit: query.limit } : query)),
    ],
    'list-status-pending-none': [
      'status=pending finds nothing, although pending animals exist',
      onList((query, next) => (query.status === 'pending' ? [] : next(query))),
    ],
    'list-status-available-unsold': [
      'status=available means not sold: it also returns pending animals',
      onList((query, next, call) =>
        query.status === 'available'
          ? next(
              { limit: query.limit },
              call.store.all().filter(({ status }) => status && status !== 'sold'),
            )
          : next(query),
      ),
    ],
  }),
  ...violating('listPets.distinct', {
    'list-join-twice': [
      'a join returns an animal twice, once for each name of its category',
      onList((query, next, call) =>
        next(
          query,
          every(call.store.all(), ({ categoryId }) => (categoryId === 7n ? 2 : 1)),
        ),
      ),
    ],
    'list-full-page-wraps': [
      'a page of 100 ends with its first animal',
      onList((query, next) => {
        const page = next(query);
        return page.length === 100 ? [...page.slice(0, 99), ...page.slice(0, 1)] : page;
      }),
    ],
    'list-ids-through-double': [
      'lists convert ids through a double: neighboring ids beyond 2^53 become one',
      {
        settings: { firstId: 2n ** 53n },
        ...withObject({ operation: 'listPets', status: 200 }, (animal) => ({
          ...animal,
          id: rounded(animal.id),
        })),
      },
    ],
  }),
  {
    id: 'list-limit-1-refused',
    summary: 'limit must be greater than 1',
    violates: ['listPets.limit.minimum'],
    ...answering(listing('limit', '1'), refusal),
  },
  {
    id: 'list-limit-100-refused',
    summary: 'limit must be less than 100',
    violates: ['listPets.limit.maximum'],
    ...answering(listing('limit', '100'), refusal),
  },
  ...violating('listPets.status.enum', {
    'list-status-pending-refused': [
      'status=pending is rejected: the validation uses an outdated list',
      answering(listing('status', 'pending'), refusal),
    ],
    'list-status-upper-case': [
      'the filter accepts only AVAILABLE, PENDING and SOLD',
      answering(listing('status'), refusal),
    ],
  }),
];
