import { isInt64, isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { keepingOther, latinOnly, throughDouble } from '../mistakes.ts';

/** GET /pets/{petId}: another animal than the requested one, or a changed one. */
export const keepingFaults: readonly Fault[] = [
  {
    id: 'fetch-first',
    summary: 'GET /pets/{petId} always returns the first animal',
    violates: ['getPet.stored'],
    store: { read: (animal, _, call) => animal && call.store.all()[0] },
  },
  {
    id: 'fetch-neighbour',
    summary: 'ids beyond 2^53 are converted through a double: a neighboring animal is found',
    violates: ['getPet.stored'],
    settings: { firstId: 2n ** 53n },
    store: { read: (animal, id, call) => animal && call.store.get(throughDouble(id)) },
  },
  {
    id: 'fetch-stale',
    summary: 'a cache forgets the id: every fetch returns the animal of the first one',
    violates: ['getPet.stored'],
    store: {
      read: (animal, _, call) => animal && call.recall('fetched', () => animal),
    },
  },
  {
    id: 'fetch-own-id',
    summary: 'the animal has the right id and the fields of the first animal',
    violates: ['getPet.stored'],
    store: {
      read: (animal, id, call) => {
        const [first] = call.store.all();
        return animal && first && { ...first, id };
      },
    },
  },
  {
    id: 'fetch-available-pending',
    summary: 'GET /pets/{petId} shows available animals as pending',
    violates: ['getPet.stored'],
    store: {
      read: (animal) => (animal?.status === 'available' ? { ...animal, status: 'pending' } : animal),
    },
  },
  {
    id: 'keep-id-of-client',
    summary:
      'an addition with an id in its body gets a new id, and also replaces the animal with the sent one',
    violates: ['getPet.stored'],
    ...keepingOther((animal, { body, store }) => {
      if (isObject(body) && isInt64(body.id)) store.put({ ...animal, id: body.id });
      return animal;
    }),
  },
  {
    id: 'keep-category-through-double',
    summary: 'categoryId is stored as a double: beyond 2^53 it is fetched as another number',
    violates: ['getPet.stored', 'Pet.categoryId'],
    because: 'in lists, the largest int64 is one beyond int64',
    ...keepingOther((animal) => ({ ...animal, categoryId: throughDouble(animal.categoryId) })),
  },
  {
    id: 'keep-status-not',
    summary: 'status is returned on creation but not stored: the fetched animal has none',
    violates: ['getPet.stored'],
    ...keepingOther(({ status: _, ...animal }) => animal),
  },
  {
    id: 'keep-sold-as-pending',
    summary: 'an animal added as sold is fetched as pending',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => (animal.status === 'sold' ? { ...animal, status: 'pending' } : animal)),
  },
  {
    id: 'keep-name-latin-only',
    summary: 'names are stored in latin-1: other characters are fetched as question marks',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => ({ ...animal, name: latinOnly(animal.name) })),
  },
  {
    id: 'keep-name-20',
    summary: 'a name is stored with at most 20 characters',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => ({ ...animal, name: animal.name.slice(0, 20) })),
  },
  {
    id: 'keep-name-250',
    summary: 'a name is stored with at most 250 characters, and lists come from a copy without such animals',
    violates: ['getPet.stored'],
    seeds: [0, 2, 4, 5, 6, 7, 9],
    plan: 'pro',
    store: {
      keep: (animal) => ({ ...animal, name: animal.name.slice(0, 250) }),
      list: (query, next, call) =>
        next(
          query,
          call.store.all().filter(({ name }) => name.length < 250),
        ),
    },
  },
  {
    id: 'fetch-largest-last',
    summary: 'the largest int64 as petId returns the last animal, which has another id',
    violates: ['getPet.stored'],
    store: {
      read: (animal, id, call) => (id === 2n ** 63n - 1n ? call.store.all().at(-1) : animal),
    },
  },
];
