import type { Where } from '../../changes/change.ts';
import type { Answer } from '../../http/answer.ts';
import {
  bodyBytes,
  bodyText,
  errorAnswer,
  httpBytes,
  withHeaderOf,
  withoutHeaderOf,
} from '../../http/answer.ts';
import { isObject } from '../../http/json.ts';
import { type Fault, violating } from '../fault.ts';
import { CREATED, FETCHED, LISTED } from '../requests.ts';
import { following, ofConnection } from './following.ts';

const ORDERS: Where = { operation: 'getStoreOrders', status: 200 };
const READ: Where = { operation: ['listPets', 'getPet'], status: 200 };

/** What an answer leaves behind on a connection, for a read that follows directly. */
const leaking = (before: Where, read: Where, change: (answer: Answer, earlier: Answer) => Answer) =>
  following(ofConnection, before, read, change);
const withBodyOf = (answer: Answer, { body }: Answer): Answer => ({ ...answer, body });

/** Buffers and variables of a connection that keep something of the answer before. */
export const connectionFaults: readonly Fault[] = [
  {
    id: 'after-400-status',
    summary: 'on a connection that had a 400, the next fetch also gets 400',
    violates: ['getPet.200'],
    ...leaking({ status: 400 }, FETCHED, (answer) => ({
      ...answer,
      status: 400,
      body: errorAnswer(400, 'invalid_request', 'the body is not valid').body,
    })),
  },
  {
    id: 'after-400-body',
    summary: 'on a connection that had a 400, the next list has the body of the 400',
    violates: ['listPets.200.body'],
    ...leaking({ status: 400 }, LISTED, withBodyOf),
  },
  {
    id: 'after-400-length',
    summary: 'on a connection that had a 400, the next read has the Content-Length of the 400',
    violates: ['service.http'],
    wire: (answer, call, { socket }, next) => {
      const lengths = call.recall('lengths of 400s', () => new Map<number, number>());
      const length = lengths.get(call.connection);
      lengths.delete(call.connection);
      if (answer.status === 400) lengths.set(call.connection, bodyBytes(answer).length);
      if (length === undefined || call.method !== 'GET' || answer.status !== 200) return next(answer);
      // A shorter body than announced never ends; a longer one is read as the next response.
      const wrong = length === bodyBytes(answer).length ? length + 1 : length;
      socket.end(httpBytes(withHeaderOf(answer, 'Content-Length', String(wrong))));
    },
  },
  {
    id: 'after-401-type',
    summary: 'on a connection that had a 401, the next fetch is declared as plain text',
    violates: ['service.content-type'],
    ...leaking({ status: 401 }, FETCHED, (answer) => withHeaderOf(answer, 'Content-Type', 'text/plain')),
  },
  {
    id: 'after-401-header',
    summary: 'on a connection that had a 401, the next fetch has no X-RateLimit-Limit',
    violates: ['X-RateLimit-Limit'],
    ...leaking({ status: 401 }, FETCHED, (answer) => withoutHeaderOf(answer, 'X-RateLimit-Limit')),
  },
  {
    id: 'after-401-null',
    summary: 'on a connection that had a 401, the next fetch has the body null',
    violates: ['Pet'],
    ...leaking({ status: 401 }, FETCHED, (answer) => ({ ...answer, body: null })),
  },
  {
    id: 'after-404-status',
    summary: 'on a connection that had a 404, the next fetch also gets 404',
    violates: ['getPet.200'],
    ...leaking({ status: 404 }, FETCHED, (answer) => ({
      ...answer,
      status: 404,
      body: errorAnswer(404, 'not_found', 'no animal has this id').body,
    })),
  },
  {
    id: 'after-404-body',
    summary: 'on a connection that had a 404, the next list has the body of the 404',
    violates: ['listPets.200.body'],
    ...leaking({ status: 404 }, LISTED, withBodyOf),
  },
  {
    id: 'after-404-both',
    summary: 'on a connection that had a 404, the next read begins with the body of the 404',
    violates: ['service.json'],
    ...leaking({ status: 404 }, READ, (answer, earlier) => ({
      ...answer,
      body: bodyText(earlier) + bodyText(answer),
    })),
  },
  ...violating('getPet.stored', {
    'after-list-fetch': [
      'on a connection that had a list, the next fetch returns the first animal of the list',
      leaking(LISTED, FETCHED, (answer, { body }) =>
        Array.isArray(body) && body[0] !== undefined ? { ...answer, body: body[0] } : answer,
      ),
    ],
    'after-fetch-fetch': [
      'on a connection that had an animal, the next fetch returns the same animal',
      leaking(FETCHED, FETCHED, withBodyOf),
      { seeds: [0, 2, 4, 6] },
    ],
    'after-fetch-name': [
      'on a connection that had an animal, the next one that is fetched has its name',
      leaking(FETCHED, FETCHED, (answer, { body }) =>
        isObject(answer.body) && isObject(body)
          ? { ...answer, body: { ...answer.body, name: body.name ?? null } }
          : answer,
      ),
      { seeds: [0, 2, 4, 6] },
    ],
  }),
  {
    id: 'after-list-list',
    summary: 'on a connection that had a list, the next list with a filter is the same list again',
    violates: ['listPets.status', 'listPets.limit.default'],
    because: 'after a long list, a filter without a limit gets more than a page',
    ...leaking(LISTED, { ...LISTED, when: ({ query }) => query.has('status') }, withBodyOf),
  },
  {
    id: 'after-created-list',
    summary: 'on a connection that added an animal, the next list is that animal alone, without the array',
    violates: ['listPets.200.body'],
    ...leaking(CREATED, LISTED, withBodyOf),
  },
  {
    id: 'after-orders-fetch',
    summary: 'on a connection that had the orders, the next fetch has the orders as its body',
    violates: ['Pet'],
    ...leaking(ORDERS, FETCHED, withBodyOf),
  },
];
