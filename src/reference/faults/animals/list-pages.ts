import { answering, withObject } from '../../changes/changes.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Animal } from '../../store.ts';
import { select } from '../../store.ts';
import type { Fault } from '../fault.ts';
import { limiting, listing, rounded } from '../mistakes.ts';

/** Does not enforce a bound of `limit`. `count` says how many animals to return instead. */
const unbounded = (test: (limit: number) => boolean, count: (limit: number) => number) =>
  answering(limiting(test), ({ store, query }) =>
    jsonAnswer(200, select(store.all(), { limit: count(Number(query.get('limit'))) })),
  );
const all = () => Number.POSITIVE_INFINITY;

const refusal = () => errorAnswer(400, 'invalid_request', 'the query is not valid');

const every = (animals: readonly Animal[], count: (animal: Animal) => number) =>
  animals.flatMap((animal) => Array.from({ length: count(animal) }, () => animal));

/** GET /pets: how many animals, and which ones. */
export const listingFaults: readonly Fault[] = [
  {
    id: 'list-one-too-many',
    summary: 'a list contains one animal more than limit, or than the default',
    violates: ['listPets.limit'],
    store: { list: (query, next) => next({ ...query, limit: query.limit + 1 }) },
  },
  {
    id: 'list-limit-lost-with-status',
    summary: 'limit is ignored if status is also given',
    violates: ['listPets.limit'],
    store: { list: (query, next) => next(query.status ? { ...query, limit: 20 } : query) },
  },
  {
    id: 'list-limit-one-is-none',
    summary: 'limit=1 is treated as a flag: the default page is returned',
    violates: ['listPets.limit'],
    store: { list: (query, next) => next(query.limit === 1 ? { ...query, limit: 20 } : query) },
  },
  {
    id: 'list-default-25',
    summary: 'without limit, a page has 25 animals',
    violates: ['listPets.limit.default'],
    store: {
      list: (query, next, call) => next(call.query.has('limit') ? query : { ...query, limit: 25 }),
    },
  },
  {
    id: 'list-default-10',
    summary: 'without limit, a page has 10 animals, even if there are more',
    violates: ['listPets.limit.default'],
    store: {
      list: (query, next, call) => next(call.query.has('limit') ? query : { ...query, limit: 10 }),
    },
  },
  {
    id: 'list-default-all',
    summary: 'without limit, the whole store is returned',
    violates: ['listPets.limit.default'],
    store: {
      list: (query, next, call) => next(call.query.has('limit') ? query : { ...query, limit: all() }),
    },
  },
  {
    id: 'list-default-lost-with-status',
    summary: 'with status, the default page size does not apply: up to 100 animals are returned',
    violates: ['listPets.limit.default'],
    store: {
      list: (query, next, call) =>
        next(call.query.has('limit') || !query.status ? query : { ...query, limit: 100 }),
    },
  },
  {
    id: 'list-default-from-second',
    summary: 'an off-by-one error drops the first animal of the default page',
    violates: ['listPets.limit.default'],
    store: {
      list: (query, next, call) => (call.query.size === 0 ? next(query).slice(1) : next(query)),
    },
  },
  {
    id: 'list-limit-101',
    summary: 'limit has no upper bound: limit=101 returns 101 animals',
    violates: ['listPets.page'],
    ...unbounded(
      (limit) => limit > 100,
      (limit) => limit,
    ),
  },
  {
    id: 'list-limit-0-all',
    summary: 'limit=0 means no limit to the database: the whole store is returned',
    violates: ['listPets.page'],
    ...unbounded((limit) => limit === 0, all),
  },
  {
    id: 'list-limit-text-all',
    summary: 'a limit that is not a number disables the limit: the whole store is returned',
    violates: ['listPets.page'],
    ...unbounded(Number.isNaN, all),
  },
  {
    id: 'list-status-sold-all',
    summary: 'the filter does not know sold: animals of every status are returned',
    violates: ['listPets.status'],
    store: {
      list: ({ limit, status }, next) =>
        next(status === 'sold' ? { limit } : { limit, ...(status && { status }) }),
    },
  },
  {
    id: 'list-status-leaks-unset',
    summary: 'animals without a status pass every filter',
    violates: ['listPets.status'],
    store: {
      list: ({ limit, status }, _next, call) =>
        call.store
          .all()
          .filter((animal) => !status || (animal.status ?? status) === status)
          .slice(0, limit),
    },
  },
  {
    id: 'list-status-lost-with-limit',
    summary: 'the filter is ignored if limit is also given',
    violates: ['listPets.status'],
    store: { list: (query, next, call) => next(call.query.has('limit') ? { limit: query.limit } : query) },
  },
  {
    id: 'list-status-pending-none',
    summary: 'status=pending finds nothing, although pending animals exist',
    violates: ['listPets.status'],
    store: { list: (query, next) => (query.status === 'pending' ? [] : next(query)) },
  },
  {
    id: 'list-status-available-unsold',
    summary: 'status=available means not sold: it also returns pending animals',
    violates: ['listPets.status'],
    store: {
      list: (query, next, call) =>
        query.status === 'available'
          ? next(
              { limit: query.limit },
              call.store.all().filter(({ status }) => status && status !== 'sold'),
            )
          : next(query),
    },
  },
  {
    id: 'list-join-twice',
    summary: 'a join returns an animal twice, once for each name of its category',
    violates: ['listPets.distinct'],
    store: {
      list: (query, next, call) =>
        next(
          query,
          every(call.store.all(), ({ categoryId }) => (categoryId === 7n ? 2 : 1)),
        ),
    },
  },
  {
    id: 'list-full-page-wraps',
    summary: 'a page of 100 ends with its first animal',
    violates: ['listPets.distinct'],
    store: {
      list: (query, next) => {
        const page = next(query);
        return page.length === 100 ? [...page.slice(0, 99), ...page.slice(0, 1)] : page;
      },
    },
  },
  {
    id: 'list-ids-through-double',
    summary: 'lists convert ids through a double: neighboring ids beyond 2^53 become one',
    violates: ['listPets.distinct'],
    settings: { firstId: 2n ** 53n },
    ...withObject({ operation: 'listPets', status: 200 }, (animal) => ({
      ...animal,
      id: rounded(animal.id),
    })),
  },
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
  {
    id: 'list-status-pending-refused',
    summary: 'status=pending is rejected: the validation uses an outdated list',
    violates: ['listPets.status.enum'],
    ...answering(listing('status', 'pending'), refusal),
  },
  {
    id: 'list-status-upper-case',
    summary: 'the filter accepts only AVAILABLE, PENDING and SOLD',
    violates: ['listPets.status.enum'],
    ...answering(listing('status'), refusal),
  },
];
