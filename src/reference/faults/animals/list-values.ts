import { withField, withObject, withoutField } from '../../changes/changes.ts';
import type { Animal } from '../../store.ts';
import type { Fault } from '../fault.ts';
import { keepingOther, latinOnly, listing, mojibake } from '../mistakes.ts';

const listed = { operation: 'listPets', status: 200 } as const;

/** A store so small that added animals are on the largest page. */
const SMALL = { animals: 50 };

/** Drops every second animal. */
const halved = (animals: readonly Animal[]) => animals.filter((_, index) => index % 2 === 1);

/** GET /pets: animals that are listed with changed values, or that the filter does not find. */
export const listedFaults: readonly Fault[] = [
  {
    id: 'list-names-mojibake',
    summary: 'names are read as latin-1 for lists',
    violates: ['listPets.stored'],
    ...withField(listed, 'name', (name) => mojibake(String(name))),
  },
  {
    id: 'list-names-cut-sold',
    summary: 'lists with status=sold cut names to ten characters',
    violates: ['listPets.stored'],
    ...withField({ ...listing('status', 'sold'), status: 200 }, 'name', (name) => String(name).slice(0, 10)),
  },
  {
    id: 'list-status-available',
    summary: 'lists without a filter show every animal with a status as available',
    violates: ['listPets.stored'],
    store: {
      list: (query, next) =>
        next(query).map((animal) =>
          query.status === undefined && animal.status ? { ...animal, status: 'available' } : animal,
        ),
    },
  },
  {
    id: 'list-category-32-bits',
    summary: 'lists have only the lower 32 bits of categoryId',
    violates: ['listPets.stored'],
    settings: SMALL,
    ...withField(listed, 'categoryId', (id) =>
      typeof id === 'bigint' ? BigInt.asIntN(32, id) : (id ?? null),
    ),
  },
  {
    id: 'list-category-of-first',
    summary: 'every animal in a list has the categoryId of the first one',
    violates: ['listPets.stored'],
    settings: SMALL,
    store: {
      list: (query, next) => {
        const page = next(query);
        return page.map((animal) => ({ ...animal, categoryId: page[0]?.categoryId ?? 1n }));
      },
    },
  },
  {
    id: 'list-ids-of-rows',
    summary: 'the id of a listed animal is its row number',
    violates: ['listPets.stored'],
    settings: { firstId: 1n },
    store: {
      list: (query, next) => next(query).map((animal, index) => ({ ...animal, id: BigInt(index) + 1n })),
    },
  },
  {
    id: 'list-ids-of-rows-backwards',
    summary: 'lists are newest first, and the id of a listed animal is its row number',
    violates: ['listPets.stored'],
    settings: { ...SMALL, firstId: 1n },
    store: {
      list: (query, next, call) =>
        next(query, call.store.all().reverse()).map((animal, index) => ({
          ...animal,
          id: BigInt(index) + 1n,
        })),
    },
  },
  {
    id: 'list-status-unfiltered-lost',
    summary: 'lists without a filter have no status',
    violates: ['listPets.stored'],
    settings: SMALL,
    ...withoutField({ ...listed, when: ({ query }) => !query.has('status') }, 'status'),
  },
  {
    id: 'list-status-of-first-lost',
    summary: 'the first animal of an unfiltered list has no status, in a large store',
    violates: ['listPets.stored'],
    store: {
      list: (query, next) =>
        next(query).map(({ status, ...animal }, index) =>
          status === undefined || (index === 0 && !query.status) ? animal : { ...animal, status },
        ),
    },
  },
  {
    id: 'list-after-removal-latin-only',
    summary: 'GET /pets/{petId} was removed, and lists show characters beyond latin-1 as question marks',
    violates: ['listPets.stored'],
    start: '2030-12-06',
    handle: (call, next) =>
      next(call.operation === 'getPet' ? { ...call, operation: undefined, allowed: [] } : call),
    ...keepingOther((animal) => ({ ...animal, name: latinOnly(animal.name) })),
  },
  {
    id: 'list-status-finds-first',
    summary: 'the filter returns only the first animal with a status',
    violates: ['listPets.status'],
    store: { list: (query, next) => (query.status ? next(query).slice(0, 1) : next(query)) },
  },
  {
    id: 'list-status-skips-half',
    summary: 'the filter modifies the list while iterating and skips every second animal',
    violates: ['listPets.status'],
    store: {
      list: (query, next, call) => {
        const { status } = query;
        return status
          ? next(query, halved(call.store.all().filter((each) => each.status === status)))
          : next(query);
      },
    },
  },
  {
    id: 'list-status-available-of-category',
    summary: 'status=available finds only animals of the first category',
    violates: ['listPets.status'],
    store: {
      list: (query, next, call) =>
        query.status === 'available'
          ? next(
              query,
              call.store.all().filter(({ categoryId }) => categoryId === 1n),
            )
          : next(query),
    },
  },
  {
    id: 'fetch-listed-404',
    summary: 'animals from before the run are listed but not found by id',
    violates: ['getPet.200'],
    store: { read: (animal) => (animal && animal.id > 1120n ? animal : undefined) },
  },
  {
    id: 'fetch-first-category-404',
    summary: 'animals of category 1 are not found by their id: the join names another table',
    violates: ['getPet.200'],
    settings: SMALL,
    store: {
      read: (animal, _, call) =>
        animal && animal.categoryId === 1n && animal.id === call.store.all()[0]?.id ? undefined : animal,
    },
  },
  {
    id: 'fetch-listed-renamed',
    summary: 'animals from before the run are fetched from an archive with other names',
    violates: ['getPet.stored'],
    store: {
      read: (animal) => animal && (animal.id > 1120n ? animal : { ...animal, name: `${animal.name} (old)` }),
    },
  },
  {
    id: 'fetch-listed-other-category',
    summary: 'categories were renumbered, and animals from before the run are fetched with the old number',
    violates: ['getPet.stored'],
    ...withObject({ operation: 'getPet', status: 200 }, (animal) =>
      typeof animal.id === 'bigint' && animal.id <= 1120n ? { ...animal, categoryId: 99n } : animal,
    ),
  },
];
