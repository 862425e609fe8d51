import type { CallWhere, Change } from '../../changes/change.ts';
import { answering, onList, withAnotherHeader, withHeader, withQuery } from '../../changes/changes.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { Animal } from '../../store.ts';
import { PET_STATUSES } from '../../store.ts';
import { LIST_ORDER, MAXIMUM } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';

const PAGING =
  'GET /pets (listPets): "Pagination parameters other than `limit` ... and the way to request a following page: not shown."';
const LIMIT =
  'GET /pets (listPets): "minimum 1, maximum 100"; the response to other limits is not shown, and no 400 is documented';
const STATUS =
  'PetStatus: "Allowed values"; the response to a filter with another one is not shown, and no 400 is documented';

/** The id of the first animal. */
export const FIRST = 1001n;
/** The last id from before a run; larger ids were assigned during the run. */
export const LAST_SEEDED = 1120n;

/** The animals that a list is selected from. */
export type AnimalSelection = (animals: Animal[], call: Call) => Animal[];

/** Selects as usual, from changed or reordered animals. */
export function from(change: AnimalSelection): Change {
  return onList((query, next, call) => next(query, change(call.store.all(), call)));
}

/** Changes the animals from before the first request, in lists and fetches alike. */
export function holding(change: (animal: Animal, call: Call) => Animal): Change {
  const changed = (animal: Animal, call: Call) => {
    const before = call.recall('before', () => new Set(call.store.all().map(({ id }) => id)));
    return before.has(animal.id) ? change(animal, call) : animal;
  };
  return {
    store: {
      list: (query, next, call) =>
        next(
          query,
          call.store.all().map((animal) => changed(animal, call)),
        ),
      read: (animal, _, call) => animal && changed(animal, call),
    },
  };
}

/** A different order for each request, the same in each run. */
const shuffled: AnimalSelection = (animals, { number }) => {
  const rank = ({ id }: Animal) => Number((id * 7919n + BigInt(number) * 104_729n) % 1009n);
  return animals.sort((left, right) => rank(left) - rank(right));
};

const orders = allowedBy(LIST_ORDER, {
  'order-descending': ['lists are newest first', from((animals) => animals.reverse())],
  'order-by-name': [
    'animals are listed by name',
    from((animals) => animals.sort((left, right) => left.name.localeCompare(right.name))),
  ],
  'order-by-status': [
    'animals are listed by status; those without one are last',
    from((animals) =>
      animals.sort((left, right) => (left.status ?? 'zzz').localeCompare(right.status ?? 'zzz')),
    ),
  ],
  'order-by-filter': [
    'filtered lists are newest first, other lists oldest first',
    onList((query, next, call) => next(query, query.status ? call.store.all().reverse() : call.store.all())),
  ],
  'order-random': ['each list has another order', from(shuffled)],
});

const isOutside = (text: string | null) => text !== null && !/^(?:[1-9]\d?|100)$/.test(text);
const badLimit: CallWhere = { operation: 'listPets', when: ({ query }) => isOutside(query.get('limit')) };
const badStatus: CallWhere = {
  operation: 'listPets',
  when: ({ query }) => query.has('status') && !PET_STATUSES.some((status) => status === query.get('status')),
};

const limits = [
  ...allowedBy(LIMIT, {
    'limit-clamped': [
      'a limit out of bounds is changed to the nearest bound',
      withQuery(badLimit, (query) =>
        query.set('limit', String(Math.min(100, Math.max(1, Number(query.get('limit')) || 1)))),
      ),
    ],
    'limit-ignored': [
      'a limit out of bounds is ignored',
      withQuery(badLimit, (query) => query.delete('limit')),
    ],
    'limit-zero-all': [
      'a limit out of bounds means 100',
      withQuery(badLimit, (query) => query.set('limit', '100')),
    ],
    'limit-422': [
      'a limit out of bounds is rejected with 422',
      answering(badLimit, () => errorAnswer(422, 'unprocessable', 'limit is out of range')),
    ],
    'limit-empty-list': [
      'a limit out of bounds gets an empty list',
      answering(badLimit, () => jsonAnswer(200, [])),
    ],
  }),
  variantOf(
    'limit-400-sentence',
    'a limit out of bounds is rejected with 400 and a JSON string',
    `${LIMIT}; Errors documents 400 only for bodies`,
    answering(badLimit, () => ({ ...jsonAnswer(400, null), body: '"Bad Request"' })),
  ),
];

const filters = [
  ...allowedBy(STATUS, {
    'status-unknown-ignored': [
      'an unknown status in the filter is ignored',
      withQuery(badStatus, (query) => query.delete('status')),
    ],
    'status-unknown-empty': [
      'an unknown status in the filter finds nothing',
      answering(badStatus, () => jsonAnswer(200, [])),
    ],
  }),
  ...[404, 422].map((status) =>
    variantOf(
      `status-unknown-${status}`,
      `an unknown status in the filter gets ${status}`,
      STATUS,
      answering(badStatus, () => errorAnswer(status, 'no_such_status', 'unknown status')),
    ),
  ),
];

/** Filters only the animals of the first page. */
export const filteringLate: Change = onList(({ limit, status }, next) =>
  next({ limit }).filter((animal) => status === undefined || animal.status === status),
);

const paging = [
  variantOf(
    'paging-headers',
    'headers give the total and a link to the next page',
    PAGING,
    withHeader({ operation: 'listPets', status: 200 }, 'X-Total-Count', '120'),
    withAnotherHeader(
      { operation: 'listPets', status: 200 },
      'Link',
      '</v1/pets?cursor=bmV4dA%3D%3D>; rel="next"',
    ),
  ),
  ...allowedBy(MAXIMUM, {
    'pages-short': [
      'hidden animals leave gaps in a page',
      onList((query, next) => next(query).filter(({ id }) => id % 5n !== 0n)),
    ],
    'pages-short-but-largest': [
      'hidden animals leave gaps in every page but the largest',
      onList((query, next) => next(query).filter(({ id }) => query.limit === 100 || id % 5n !== 0n)),
    ],
    'pages-of-50': [
      'a page has at most 50 animals',
      onList((query, next) => next({ ...query, limit: Math.min(50, query.limit) })),
    ],
    'pages-of-50-descending': [
      'lists are newest first, with at most 50 animals',
      onList((query, next) => next({ ...query, limit: Math.min(50, query.limit) })),
      from((animals) => animals.reverse()),
    ],
    'filter-within-page-random': [
      'each list has another order, and the filter searches only the first page',
      from(shuffled),
      filteringLate,
    ],
    'filter-within-page-descending': [
      'the filter searches only the page of newest animals',
      from((animals) => animals.reverse()),
      filteringLate,
    ],
    'filter-within-other-page': [
      'lists are newest first, and the filter searches only the page of oldest animals',
      onList(({ limit, status }, next, call) =>
        status
          ? next({ limit }, call.store.all()).filter((animal) => animal.status === status)
          : next({ limit }, call.store.all().reverse()),
      ),
    ],
    'filter-within-page': ['the filter searches only the first page', filteringLate],
  }),
];

/** Lists that differ from the reference's and conform. */
export const listingVariants: readonly Variant[] = [...orders, ...limits, ...filters, ...paging];
