import type { Where } from '../../changes/where.ts';
import { errorAnswer, withHeaderOf, withoutHeaderOf } from '../../http/answer.ts';
import type { Fault } from '../fault.ts';
import { following, ofConnection, ofOperation } from './following.ts';

const FETCHED: Where = { operation: 'getPet', status: 200 };
const REFUSED: Where = { status: 401 };

/** What a refused key leaves behind for the next request. */
export const refusalFaults: readonly Fault[] = [
  {
    id: 'after-401-type',
    summary: 'on a connection that had a 401, the next fetch is declared as plain text',
    violates: ['service.content-type'],
    ...following(ofConnection, REFUSED, FETCHED, (answer) =>
      withHeaderOf(answer, 'Content-Type', 'text/plain'),
    ),
  },
  {
    id: 'after-401-header',
    summary: 'on a connection that had a 401, the next fetch has no X-RateLimit-Limit',
    violates: ['X-RateLimit-Limit'],
    ...following(ofConnection, REFUSED, FETCHED, (answer) => withoutHeaderOf(answer, 'X-RateLimit-Limit')),
  },
  {
    id: 'after-401-null',
    summary: 'on a connection that had a 401, the next fetch has the body null',
    violates: ['Pet'],
    ...following(ofConnection, REFUSED, FETCHED, (answer) => ({ ...answer, body: null })),
  },
  {
    id: 'wrong-then-right-fetch',
    summary: 'GET /pets/{petId} refuses the right key directly after a wrong one',
    violates: ['getPet.200'],
    ...following(ofOperation, { key: 'invalid' }, { ...FETCHED, key: 'valid' }, (answer) => {
      const { body } = errorAnswer(401, 'unauthorized', 'this key is locked');
      return { ...answer, status: 401, body };
    }),
  },
];
