import type { Where } from '../../changes/change.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { OperationId } from '../../http/call.ts';
import type { Fault } from '../fault.ts';
import { following, followingCall, ofOperation, ofService } from './following.ts';

const WRONG: Where = { key: 'invalid' };
const RIGHT: Where = { key: 'valid', status: [200, 201, 202] };

/** A right key is refused directly after a wrong one for the same operation. */
const locking = (operation: OperationId) =>
  following(ofOperation, WRONG, { ...RIGHT, operation }, (answer) => {
    const refusal = errorAnswer(401, 'unauthorized', 'this key is locked');
    return { ...answer, status: 401, body: refusal.body };
  });

/** A wrong key is let in directly after a right one for the same operation. */
const remembering = (operation: OperationId) =>
  followingCall(ofOperation, RIGHT, { ...WRONG, operation }, (call) => ({ ...call, key: 'valid' }));

const BECAUSE = 'the seed draws what is wrong with the key that follows';

/** Verdicts on keys that are kept for the next request. */
export const keyHistoryFaults: readonly Fault[] = [
  {
    id: 'wrong-then-right-create',
    summary: 'POST /pets refuses the right key directly after a wrong one',
    violates: ['createPet.201'],
    ...locking('createPet'),
  },
  {
    id: 'wrong-then-right-fetch',
    summary: 'GET /pets/{petId} refuses the right key directly after a wrong one',
    violates: ['getPet.200'],
    ...locking('getPet'),
  },
  {
    id: 'right-then-wrong-create',
    summary: 'POST /pets accepts a wrong key directly after an addition with the right one',
    violates: ['authentication.key', 'authentication.scheme'],
    because: BECAUSE,
    ...remembering('createPet'),
  },
  {
    id: 'right-then-wrong-fetch',
    summary: 'GET /pets/{petId} accepts a wrong key directly after a fetch with the right one',
    violates: ['authentication.key', 'authentication.scheme'],
    because: BECAUSE,
    ...remembering('getPet'),
  },
  {
    id: 'right-then-wrong-orders',
    summary: 'GET /store/orders accepts a wrong key directly after a request with the right one',
    violates: ['authentication.key', 'authentication.scheme'],
    because: BECAUSE,
    ...remembering('getStoreOrders'),
  },
  {
    id: 'added-then-no-key',
    summary: 'a read directly after an addition needs no key',
    violates: ['authentication.first', 'Unauthorized'],
    because: 'the order of the run draws which read without a key follows',
    ...followingCall(
      ofService,
      { operation: 'createPet', status: 201 },
      { key: 'missing', when: ({ method }) => method === 'GET' },
      (call) => ({ ...call, key: 'valid' }),
    ),
  },
];
