import type { Operation, Schema } from '../../src/model/contract.ts';
import { atOnce } from '../../src/model/large/steps.ts';
import type { Probe } from '../../src/model/probe.ts';
import { keysOfDocument } from '../../src/probes/keys.ts';
import { derivingWrites } from '../../src/probes/writes/derive-writes.ts';
import { isOfOtherKey } from '../../src/probes/writes/other-key.ts';
import { body, contractOf, operation, pathParameter, response } from './operations.ts';

export const TEXT: Schema = { type: 'string' };
export const ID = pathParameter('shelfId', { type: 'integer' });
export const BOOK_ID = pathParameter('bookId', { type: 'integer' });
export const made: Schema = { type: 'object', properties: { id: { type: 'integer' } } };
export const NEW: Schema = {
  type: 'object',
  required: ['name'],
  properties: { name: TEXT, kind: { type: 'string', enum: ['wood', 'steel'] } },
};
export const secured = { secured: true };
export const refusing = [response('401'), response('422')];

/** What can be done to shelves, and to the books on them. */
export const shelf = {
  /** It shows no ids. */
  list: operation({
    id: 'listShelves',
    path: '/shelves',
    responses: [response('200', { schema: { type: 'array', items: NEW } })],
  }),
  create: operation({
    ...secured,
    ...{ id: 'createShelf', method: 'POST', path: '/shelves', body: body(NEW) },
    responses: [response('201', { schema: made }), ...refusing],
  }),
  get: operation({
    ...secured,
    ...{ id: 'getShelf', path: '/shelves/{shelfId}', parameters: [ID] },
    responses: [response('200', { schema: made }), response('401'), response('404')],
  }),
  put: operation({
    ...{ id: 'putShelf', method: 'PUT', path: '/shelves/{shelfId}', parameters: [ID], body: body(NEW) },
    responses: [response('200'), response('400')],
  }),
  cover: operation({
    ...{ id: 'putCover', method: 'PUT', path: '/shelves/{shelfId}/cover', parameters: [ID], body: body(NEW) },
    responses: [response('204')],
  }),
  remove: operation({
    ...secured,
    ...{ id: 'removeShelf', method: 'DELETE', path: '/shelves/{shelfId}', parameters: [ID] },
    responses: [response('204'), response('401'), response('403')],
  }),
};
export const book = {
  create: operation({
    ...{ id: 'createBook', method: 'POST', path: '/shelves/{shelfId}/books', parameters: [ID] },
    responses: [response('201', { schema: made })],
  }),
  get: operation({ id: 'getBook', path: '/shelves/{shelfId}/books/{bookId}', parameters: [ID, BOOK_ID] }),
  remove: operation({
    ...{
      id: 'removeBook',
      method: 'DELETE',
      path: '/shelves/{shelfId}/books/{bookId}',
      parameters: [ID, BOOK_ID],
    },
    responses: [response('204')],
  }),
};

/** The requests that create, change and remove, of a run without a second key. */
export function written(operations: readonly Operation[]): Probe[] {
  const contract = contractOf(operations);
  const writes = atOnce(derivingWrites(contract, keysOfDocument(contract, 'none')));
  return writes.filter((each) => !isOfOtherKey(each));
}

/** The ids of requests of one stage. */
export const idsIn = (stage: string, probes: readonly Probe[]) =>
  probes.filter((each) => each.stage === stage).map(({ id }) => id);
