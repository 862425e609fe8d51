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

  /** @param count animals that are there from the start */
  constructor(count: number) {
    for (let index = 0; index < count; index += 1)
      this.add({ name: `Animal ${index + 1}`, categoryId: (index % 5) + 1, status: STATUSES[index % 3] });
  }

  /** The newest first, since there is no way to ask for a following page. */
  list(limit: number, status: Status | undefined): Pet[] {
    const all = this.#pets.filter((pet) => status === undefined || pet.status === status);
    return all.reverse().slice(0, limit);
  }

  add(pet: NewPet): Pet {
    const added = { id: this.#pets.length + 1, ...pet };
    this.#pets.push(added);
    return added;
  }

  /** @throws Refusal where there is none of this id */
  get(id: string): Pet {
    const found = this.#pets.find((pet) => String(pet.id) === id);
    if (!found) throw new Refusal(404, 'not_found', `there is no animal with the id ${id}`);
    return found;
  }
}

/** A new animal from a body. @throws Refusal where it is none */
export function newPet(body: unknown): NewPet {
  const { name, categoryId, status } = objectOf(body);
  if (typeof name !== 'string') throw invalid('name is a string');
  // Larger ones would not come back as they were sent.
  if (!Number.isSafeInteger(categoryId)) throw invalid('categoryId is an integer of at most 2^53');
  const pet = { name, categoryId: categoryId as number };
  return status === undefined ? pet : { ...pet, status: statusOf(status) };
}

/** @throws Refusal where it is no status */
export function statusOf(value: unknown): Status {
  const status = STATUSES.find((each) => each === value);
  if (!status) throw invalid(`status is one of ${STATUSES.join(', ')}`);
  return status;
}

/** The page size that a query asks for. @throws Refusal where it is out of its bounds */
export function limitOf(text: string | null): number {
  if (text === null) return 20;
  const limit = Number(text);
  if (!/^\d+$/.test(text) || limit < 1 || limit > 100) throw invalid('limit is an integer from 1 to 100');
  return limit;
}

/** @throws Refusal where a body is no JSON object */
export function objectOf(body: unknown): Record<string, unknown> {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid('the body is a JSON object');
  return body as Record<string, unknown>;
}

export function invalid(message: string): Refusal {
  return new Refusal(400, 'invalid_request', message);
}
