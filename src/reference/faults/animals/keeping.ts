import { keepingOther, latinOnly, throughDouble } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';

/** GET /pets/{petId}: an animal that is not the one that was added, or no longer as it was. */
export const keepingFaults: readonly Fault[] = [
  {
    id: 'fetch-first',
    summary: 'whichever animal is fetched, the first one comes',
    violates: ['getPet.stored'],
    store: { read: (animal, _, call) => animal && call.store.all()[0] },
  },
  {
    id: 'fetch-neighbour',
    summary: 'ids beyond 2^53 are looked up through a double: the neighbour is found',
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
    summary: 'the right id is answered with the fields of the first animal',
    violates: ['getPet.stored'],
    store: {
      read: (animal, id, call) => {
        const [first] = call.store.all();
        return animal && first && { ...first, id };
      },
    },
  },
  {
    id: 'keep-category-through-double',
    summary: 'categoryId is kept as a double: beyond 2^53 another one is fetched',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => ({ ...animal, categoryId: throughDouble(animal.categoryId) })),
  },
  {
    id: 'keep-status-not',
    summary: 'status is answered but not kept: the fetched animal has none',
    violates: ['getPet.stored'],
    ...keepingOther(({ status: _, ...animal }) => animal),
  },
  {
    id: 'keep-sold-as-pending',
    summary: 'an animal that is added as sold waits for its payment: it is fetched as pending',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => (animal.status === 'sold' ? { ...animal, status: 'pending' } : animal)),
  },
  {
    id: 'keep-name-latin-only',
    summary: 'names are kept in latin-1: question marks are fetched',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => ({ ...animal, name: latinOnly(animal.name) })),
  },
  {
    id: 'keep-name-20',
    summary: 'a name is cut after 20 characters when it is kept',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => ({ ...animal, name: animal.name.slice(0, 20) })),
  },
  {
    id: 'fetch-largest-last',
    summary: 'the largest int64 stands for the last animal: another one than asked for is returned',
    violates: ['getPet.stored'],
    store: {
      read: (animal, id, call) => (id === 2n ** 63n - 1n ? call.store.all().at(-1) : animal),
    },
  },
];
