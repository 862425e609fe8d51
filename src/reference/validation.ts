import type { BigIntJson } from './http/json.ts';
import { isInt64, isObject } from './http/json.ts';
import type { ListQuery, NewPet, PetStatus } from './store.ts';
import { PET_STATUSES } from './store.ts';

/** The value, or one sentence that says what is wrong with it. */
export type Checked<T> = { value: T } | { problem: string };

const STATUSES: ReadonlySet<unknown> = new Set(PET_STATUSES);
const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 100;
const NATURAL = /^[1-9]\d*$/;
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

function isPetStatus(value: unknown): value is PetStatus {
  return STATUSES.has(value);
}

/** Checks a request body against NewPet (interface: NewPet). Unknown fields are ignored. */
export function checkNewPet(body: BigIntJson | undefined): Checked<NewPet> {
  if (!isObject(body)) return { problem: 'the body must be a JSON object' };
  const { name, categoryId, status } = body;
  if (name === undefined) return { problem: 'name is required' };
  if (typeof name !== 'string') return { problem: 'name must be a string' };
  if (categoryId === undefined) return { problem: 'categoryId is required' };
  if (!isInt64(categoryId)) return { problem: 'categoryId must be a 64-bit integer' };
  if (status === undefined) return { value: { name, categoryId } };
  if (!isPetStatus(status)) return { problem: `status must be one of ${PET_STATUSES.join(', ')}` };
  return { value: { name, categoryId, status } };
}

/** Checks a request body of the message address (interface: Message submission). */
export function checkMessage(body: BigIntJson | undefined): Checked<string> {
  if (!isObject(body)) return { problem: 'the body must be a JSON object' };
  const { message } = body;
  if (message === undefined) return { problem: 'message is required' };
  if (typeof message !== 'string') return { problem: 'message must be a string' };
  return { value: message };
}

/** Checks the query of `GET /pets` (interface: GET /pets). A parameter that is given twice is invalid. */
export function checkListQuery(query: URLSearchParams): Checked<ListQuery> {
  const [limitText, secondLimit] = query.getAll('limit');
  const [status, secondStatus] = query.getAll('status');
  if (secondLimit !== undefined) return { problem: 'limit is given more than once' };
  if (secondStatus !== undefined) return { problem: 'status is given more than once' };

  const limit = limitText === undefined ? DEFAULT_LIMIT : NATURAL.test(limitText) ? Number(limitText) : 0;
  if (limit < 1 || limit > MAX_LIMIT) return { problem: `limit must be an integer from 1 to ${MAX_LIMIT}` };
  if (status === undefined) return { value: { limit } };
  if (!isPetStatus(status)) return { problem: `status must be one of ${PET_STATUSES.join(', ')}` };
  return { value: { limit, status } };
}

/** A path parameter of format int64 (interface: GET /pets/{petId}); undefined if it is not valid. */
export function readInt64(text: string | undefined): bigint | undefined {
  if (text === undefined || text.length > 20 || !INTEGER.test(text)) return undefined;
  const id = BigInt(text);
  return isInt64(id) ? id : undefined;
}
