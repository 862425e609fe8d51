import { onKeep, onList, onRead, withField, withObject, withoutField } from '../../changes/changes.ts';
import type { Animal } from '../../store.ts';
import { type Fault, violating } from '../fault.ts';
import { latinOnly, mojibake } from '../mistakes.ts';
import { LISTED, listing } from '../requests.ts';

/** A store so small that added animals are on the largest page. */
const SMALL = { animals: 50 };

/** Drops every second animal. */
const halved = (animals: readonly Animal[]) => animals.filter((_, index) => index % 2 === 1);

/** GET /pets: animals that are listed with changed values, or that the filter does not find. */
export const listValueFaults: readonly Fault[] = [
  ...violating('listPets.stored', {
    'list-names-mojibake': [
      'names are read as latin-1 for lists',
      withField(LISTED, 'name', (name) => mojibake(String(name))),
    ],
    'list-names-cut-sold': [
      'lists with status=sold cut names to ten characters',
      withField({ ...listing('status', 'sold'), status: 200 }, 'name', (name) => String(name).slice(0, 10)),
    ],
    'list-status-available': [
      'lists without a filter show every animal with a status as available',
      onList((query, next) =>
        next(query).map((animal) =>
          query.status === undefined && animal.status ? { ...animal, status: 'available' } : animal,
        ),
      ),
    ],
    'list-category-32-bits': [
      'lists have only the lower 32 bits of categoryId',
      {
        settings: SMALL,
        ...withField(LISTED, 'categoryId', (id) =>
          typeof id === 'bigint' ? BigInt.asIntN(32, id) : (id ?? null),
        ),
      },
    ],
    'list-category-of-first': [
      'every animal in a list has the categoryId of the first one',
      {
        settings: SMALL,
        ...onList((query, next) => {
          const page = next(query);
          return page.map((animal) => ({ ...animal, categoryId: page[0]?.categoryId ?? 1n }));
        }),
      },
    ],
    'list-ids-of-rows': [
      'the id of a listed animal is its row number',
      {
        settings: { firstId: 1n },
        ...onList((query, next) =>
          next(query).map((animal, index) => ({ ...animal, id: BigInt(index) + 1n })),
        ),
      },
    ],
    'list-ids-of-rows-backwards': [
      'lists are newest first, and the id of a listed animal is its row number',
      {
        settings: { ...SMALL, firstId: 1n },
        ...onList((query, next, call) =>
          next(query, call.store.all().reverse()).map((animal, index) => ({
            ...animal,
            id: BigInt(index) + 1n,
          })),
        ),
      },
    ],
    'list-status-unfiltered-lost': [
      'lists without a filter have no status',
      {
        settings: SMALL,
        ...withoutField({ ...LISTED, when: ({ query }) => !query.has('status') }, 'status'),
      },
    ],
    'list-status-of-first-lost': [
      'the first animal of an unfiltered list has no status, in a large store',
      onList((query, next) =>
        next(query).map(({ status, ...animal }, index) =>
          status === undefined || (index === 0 && !query.status) ? animal : { ...animal, status },
        ),
      ),
    ],
    'list-after-removal-latin-only': [
      'GET /pets/{petId} was removed, and lists show characters beyond latin-1 as question marks',
      {
        handle: (call, next) =>
          next(call.operation === 'getPet' ? { ...call, operation: undefined, allowed: [] } : call),
        ...onKeep((animal) => ({ ...animal, name: latinOnly(animal.name) })),
      },
      { start: '2030-12-06' },
    ],
  }),
  ...violating('listPets.status', {
    'list-status-finds-first': [
      'the filter returns only the first animal with a status',
      onList((query, next) => (query.status ? next(query).slice(0, 1) : next(query))),
    ],
    'list-status-skips-half': [
      'the filter modifies the list while iterating and skips every second animal',
      onList((query, next, call) => {
        const { status } = query;
        return status
          ? next(query, halved(call.store.all().filter((animal) => animal.status === status)))
          : next(query);
      }),
    ],
    'list-status-available-of-category': [
      'status=available finds only animals of the first category',
      onList((query, next, call) =>
        query.status === 'available'
          ? next(
              query,
              call.store.all().filter(({ categoryId }) => categoryId === 1n),
            )
          : next(query),
      ),
    ],
  }),
  ...violating('getPet.200', {
    'fetch-listed-404': [
      'animals from before the run are listed but not found by id',
      onRead((animal) => (animal && animal.id > 1120n ? animal : undefined)),
    ],
    'fetch-first-category-404': [
      'animals of category 1 are not found by their id: the join names another table',
      {
        settings: SMALL,
        ...onRead((animal, _, call) =>
          animal && animal.categoryId === 1n && animal.id === call.store.all()[0]?.id ? undefined : animal,
        ),
      },
    ],
  }),
  ...violating('getPet.stored', {
    'fetch-listed-renamed': [
      'animals from before the run are fetched from an archive with other names',
      onRead(
        (animal) => animal && (animal.id > 1120n ? animal : { ...animal, name: `${animal.name} (old)` }),
      ),
    ],
    'fetch-listed-other-category': [
      'categories were renumbered, and animals from before the run are fetched with the old number',
      withObject({ operation: 'getPet', status: 200 }, (animal) =>
        typeof animal.id === 'bigint' && animal.id <= 1120n ? { ...animal, categoryId: 99n } : animal,
      ),
    ],
  }),
];
