import { answering, onCall, withStatus } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { checkListQuery } from '../../validation.ts';
import type { Fault } from '../fault.ts';
import { limiting } from '../mistakes.ts';

const isMalformed = ({ bodyProblem }: Call) => bodyProblem !== undefined;
const isKept = (id: string | undefined, store: Call['store']) =>
  /^-?\d+$/.test(id ?? '') && store.get(BigInt(id ?? 0)) !== undefined;
const refuse = () => errorAnswer(401, 'unauthorized', 'this key has no right to that');

/** Keys that are checked too late, and 401s for other reasons than the key. */
export const keyCheckFaults: readonly Fault[] = [
  {
    id: 'first-parsed',
    summary: 'POST /pets parses the body before it checks the key: malformed JSON gets 400',
    violates: ['authentication.first'],
    ...withStatus({ status: 401, operation: 'createPet', when: isMalformed }, 400),
  },
  {
    id: 'first-parsed-422',
    summary: 'POST /pets validates the body before it checks the key and returns 422',
    violates: ['authentication.first'],
    ...withStatus({ status: 401, operation: 'createPet', when: isMalformed }, 422),
  },
  {
    id: 'first-parsed-message',
    summary: 'the message address parses the body before it checks the key',
    violates: ['authentication.first'],
    ...withStatus({ status: 401, operation: 'sendMessage', when: isMalformed }, 400),
  },
  {
    id: 'first-looked-up',
    summary: 'GET /pets/{petId} looks up the animal before it checks the key: 404 even without a valid key',
    violates: ['authentication.first'],
    ...withStatus(
      { status: 401, operation: 'getPet', when: ({ params, store }) => !isKept(params.petId, store) },
      404,
    ),
  },
  {
    id: 'first-queried',
    summary: 'GET /pets validates its query before it checks the key: 400 even without a valid key',
    violates: ['authentication.first'],
    ...withStatus(
      { status: 401, operation: 'listPets', when: ({ query }) => 'problem' in checkListQuery(query) },
      400,
    ),
  },
  {
    id: 'queried-public',
    summary: 'the rule that protects GET /pets overlooks addresses with a query: they need no key',
    violates: ['authentication.first'],
    ...onCall({ operation: 'listPets', when: ({ query }) => query.size > 0 }, (call) => ({
      ...call,
      key: 'valid',
    })),
  },
  {
    id: 'accepted-orders-401',
    summary: 'GET /store/orders requires another kind of key: 401',
    violates: ['authentication.accepted'],
    ...answering({ operation: 'getStoreOrders' }, refuse),
  },
  {
    id: 'accepted-text-id-401',
    summary: 'a petId that is not an integer gets 401, as if the key were wrong',
    violates: ['authentication.accepted'],
    ...answering({ operation: 'getPet', when: ({ params }) => !/^-?\d+$/.test(params.petId ?? '') }, refuse),
  },
  {
    id: 'accepted-limit-401',
    summary: 'a limit above 100 gets 401, as if the key did not allow it',
    violates: ['authentication.accepted'],
    ...answering(
      limiting((limit) => limit > 100),
      refuse,
    ),
  },
];
