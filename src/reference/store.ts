import type { Animal, PetStatus } from './animal.ts';
import { seededAnimals } from './seed.ts';

/** The query of `GET /pets`. */
export interface ListQuery {
  limit: number;
  status?: PetStatus;
}

export type Store = ReturnType<typeof createStore>;

/** The animals of one running reference, oldest first: `count` seeded ones, with consecutive ids from `firstId`. */
export function createStore(count: number, firstId: bigint) {
  const animals = new Map<bigint, Animal>();
  for (const animal of seededAnimals(count, firstId)) animals.set(animal.id, animal);
  let next = firstId + BigInt(count);
  return {
    all: (): Animal[] => [...animals.values()],
    get: (id: bigint): Animal | undefined => animals.get(id),
    put: (animal: Animal): void => {
      animals.set(animal.id, animal);
    },
    /** The id for the next animal; different on every call. */
    nextId: (): bigint => next++,
  };
}

/** The first `limit` animals with the requested status. */
export function select(animals: readonly Animal[], { limit, status }: ListQuery): Animal[] {
  const found: Animal[] = [];
  for (const animal of animals) {
    if (found.length >= limit) break;
    if (status === undefined || animal.status === status) found.push(animal);
  }
  return found;
}
