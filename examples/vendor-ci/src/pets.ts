import { Refusal } from './refusal.js';

const STATUSES = ['available', 'pending', 'sold'] as const;
type Status = (typeof STATUSES)[number];

export interface NewPet {
  name: string;
  categoryId: number;
  status?: Status;
}

export interface Pet extends NewPet {
  id: number;
}

/** The animals of the store, in memory. */
export class Pets {
  readonly #pets: Pet[] = [];

  /** @param count animals at the start */
  constructor(count: number) {
    for (let index = 0; index < count; index += 1)
      this.add({ name: `Animal ${index + 1}`, categoryId: (index % 5) + 1, status: STATUSES[index % 3] });
  }

  /** Newest first, since the interface shows no way to get the next page. */
  list(limit: number, status: Status | undefined): Pet[] {
    const all = this.#pets.filter((pet) => status === undefined || pet.status === status);
    return all.reverse().slice(0, limit);
  }

  add(pet: NewPet): Pet {
    const added = { id: this.#pets.length + 1, ...pet };
    this.#pets.push(added);
    return added;
  }

  /** @throws Refusal if no animal has this id */
  get(id: string): Pet {
    const found = this.#pets.find((pet) => String(pet.id) === id);
    if (!found) throw new Refusal(404, 'not_found', `there is no animal with the id ${id}`);
    return found;
  }
}

/** A new animal from a body. @throws Refusal if the body is not valid */
export function newPet(body: unknown): NewPet {
  const { name, categoryId, status } = objectOf(body);
  if (typeof name !== 'string') throw invalid('name is a string');
  // A double could not return larger ones unchanged.
  if (!Number.isSafeInteger(categoryId)) throw invalid('categoryId is an integer of at most 2^53');
  const pet = { name, categoryId: categoryId as number };
  return status === undefined ? pet : { ...pet, status: statusOf(status) };
}

/** @throws Refusal if it is not a status */
export function statusOf(value: unknown): Status {
  const status = STATUSES.find((each) => each === value);
  if (!status) throw invalid(`status is one of ${STATUSES.join(', ')}`);
  return status;
}

/** The page size of a query. @throws Refusal if it is out of bounds */
export function limitOf(text: string | null): number {
  if (text === null) return 20;
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 100) throw invalid('limit is an integer from 1 to 100');
  return limit;
}

/** @throws Refusal if a body is not a JSON object */
export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('the body is a JSON object');
  return body as Record<string, unknown>;
}

export function invalid(message: string): Refusal {
  return new Refusal(400, 'invalid_request', message);
}
