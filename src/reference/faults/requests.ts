import type { CallWhere } from '../changes/change.ts';
import type { BigIntJsonObject } from '../http/json.ts';
import { isObject } from '../http/json.ts';
import { PET_STATUSES } from '../store.ts';

// Responses with animals
export const LISTED = { operation: 'listPets', status: 200 } as const;
export const CREATED = { operation: 'createPet', status: 201 } as const;
export const FETCHED = { operation: 'getPet', status: 200 } as const;
export const ANIMALS = { operation: ['listPets', 'createPet', 'getPet'], status: [200, 201] } as const;

// Refusals: of an invalid body, of an id that does not exist, without a valid key, over the limit
export const INVALID = { operation: 'createPet', status: 400 } as const;
export const NOT_FOUND = { operation: 'getPet', status: 404 } as const;
export const UNAUTHORIZED = { status: 401 } as const;
export const OVER_LIMIT = { status: 429 } as const;

export const ORDERS = { operation: 'getStoreOrders' } as const;

/** List requests with this query parameter, or only those with this value of it. */
export function listing(name: string, value?: string): CallWhere {
  return {
    operation: 'listPets',
    when: ({ query }) => (value === undefined ? query.has(name) : query.get(name) === value),
  };
}

/** List requests whose limit passes the test. A limit that is not a number is NaN. */
export function limiting(test: (limit: number) => boolean): CallWhere {
  return {
    operation: 'listPets',
    when: ({ query }) => query.has('limit') && test(Number(query.get('limit'))),
  };
}

/** List requests with an unknown status. */
export const OF_UNKNOWN_STATUS: CallWhere = {
  operation: 'listPets',
  when: ({ query }) => query.has('status') && !PET_STATUSES.some((status) => status === query.get('status')),
};

/** Additions whose body passes the test. */
export function creating(test: (body: BigIntJsonObject) => boolean): CallWhere {
  return { operation: 'createPet', when: ({ body }) => isObject(body) && test(body) };
}

/** Additions of an animal whose name passes the test. */
export function naming(test: (name: string) => boolean): CallWhere {
  return creating(({ name }) => typeof name === 'string' && test(name));
}
