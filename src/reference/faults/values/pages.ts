import type { CallWhere, Select } from '../../changes/change.ts';
import { onList, withBody, withField, withoutHeader } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { Animal, ListQuery } from '../../store.ts';
import { type Fault, violating } from '../fault.ts';
import { rounded } from '../mistakes.ts';

/** The names of the query parameters, in the order in which they were sent. */
const order = ({ query }: Call) => [...query.keys()].join(' ');
const isLimitFirst = (call: Call) => order(call) === 'limit status';
const isStatusFirst = (call: Call) => order(call) === 'status limit';

const limitOf = ({ query }: Call) => Number(query.get('limit'));
const sized = (least: number, most: number, status?: string): CallWhere => ({
  operation: 'listPets',
  when: (call) => isSized(call, least, most, status),
});
const isSized = (call: Call, least: number, most: number, status?: string) =>
  limitOf(call) >= least && limitOf(call) <= most && (!status || call.query.get('status') === status);

const unfiltered = ({ limit }: ListQuery): ListQuery => ({ limit });

/** Selects in another way where the test holds. */
const selecting = (
  test: (call: Call) => boolean,
  select: (query: ListQuery, next: Select, call: Call) => Animal[],
): Pick<Fault, 'store'> =>
  onList((query, next, call) => (test(call) ? select(query, next, call) : next(query)));

/** The order of query parameters, and page sizes between the bounds. */
export const pageFaults: readonly Fault[] = [
  {
    id: 'order-limit-second',
    summary: 'limit is read only if it is the first parameter; if not, a page has up to 100 animals',
    violates: ['listPets.limit'],
    ...selecting(isStatusFirst, (query, next) => next({ ...query, limit: 100 })),
  },
  {
    id: 'order-status-second',
    summary: 'status is read only if it is the first parameter or follows a limit of one digit',
    violates: ['listPets.status'],
    ...selecting(
      (call) => isLimitFirst(call) && limitOf(call) > 9,
      (query, next) => next(unfiltered(query)),
    ),
  },
  {
    id: 'order-limit-first-headers',
    summary: 'with limit before status, a list of animals that are not sold has no X-RateLimit-Reset',
    violates: ['X-RateLimit-Reset'],
    ...withoutHeader(
      { operation: 'listPets', when: (call) => isLimitFirst(call) && call.query.get('status') !== 'sold' },
      'X-RateLimit-Reset',
    ),
  },
  {
    id: 'page-sizes-rounded',
    summary: 'page sizes above 20 are rounded up to 50 or 100',
    violates: ['listPets.limit'],
    ...selecting(
      (call) => isSized(call, 21, 99),
      (query, next) => next({ ...query, limit: query.limit > 50 ? 100 : 50 }),
    ),
  },
  {
    id: 'page-medium-wrapped',
    summary: 'a list with a limit from 25 to 75 is wrapped: {"items": [...]}',
    violates: ['listPets.200.body'],
    seeds: [0, 3, 4, 5, 6],
    ...withBody({ ...sized(25, 75), status: 200 }, (items) => ({ items })),
  },
  ...violating('listPets.stored', {
    'page-small-names-cut': [
      'lists with a limit below ten are for small screens: they cut names to three characters',
      withField({ ...sized(2, 9), status: 200 }, 'name', (name) => [...String(name)].slice(0, 3).join('')),
    ],
    'page-small-category-double': [
      'lists with a limit below 20 come from a cache that keeps categoryId as a double',
      withField({ ...sized(2, 19), status: 200 }, 'categoryId', rounded),
    ],
  }),
  {
    id: 'page-pending-small-unfiltered',
    summary: 'status=pending is ignored for pages of fewer than 50 animals',
    violates: ['listPets.status'],
    plan: 'pro',
    ...selecting(
      (call) => isSized(call, 2, 49, 'pending'),
      (query, next) => next(unfiltered(query)),
    ),
  },
];
