import type { Animal, PetStatus } from './animal.ts';
import { seededAnimals } from './seed.ts';

/** The query of `GET /pets`. */
export interface ListQuery {
  limit: number;
  status?: PetStatus;
}

/** The animals of one running reference, oldest first. */
export interface Store {
  all(): Animal[];
  get(id: bigint): Animal | undefined;
  put(animal: Animal): void;
  /** The id for the next animal; different on every call. */
  nextId(): bigint;
}

/** A store with `count` seeded animals, with consecutive ids from `firstId`. */
export function createStore(count: number, firstId: bigint): Store {
  const animals = new Map<bigint, Animal>();
  for (const animal of seededAnimals(count, firstId)) animals.set(animal.id, animal);
  let next = firstId + BigInt(count);
  return {
    all: () => [...animals.values()],
    get: (id) => animals.get(id),
    put: (animal) => {
      animals.set(animal.id, animal);
    },
    nextId: () => next++,
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
