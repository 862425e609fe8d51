import type { CallWhere } from '../../changes/where.ts';
import type { Answer } from '../../http/answer.ts';
import { errorAnswer, withHeaderOf, withoutHeaderOf } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { Json } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import { checkNewPet } from '../../validation.ts';
import type { Fault } from '../fault.ts';
import { besideAnswer, besideCall, type Meets, meets } from './beside.ts';

const RIGHT: CallWhere = { key: 'valid' };
const WRONG: CallWhere = { when: ({ key }) => key !== 'valid' };
const LIST: CallWhere = { operation: 'listPets', key: 'valid' };
const FETCH: CallWhere = { operation: 'getPet', key: 'valid' };
const ADDITION = { operation: 'createPet', key: 'valid' } as const;
const VALID_ADDITION: CallWhere = { ...ADDITION, when: ({ body }) => 'value' in checkNewPet(body) };
const REFUSED_ADDITION: CallWhere = { ...ADDITION, when: ({ body }) => 'problem' in checkNewPet(body) };

const statusOf = ({ body }: Call) => (isObject(body) ? body.status : undefined);
const ofSameStatus: Meets = (call, other) =>
  meets(VALID_ADDITION, VALID_ADDITION)(call, other) &&
  statusOf(call) !== undefined &&
  statusOf(call) === statusOf(other);
/** The same GET twice; a list of one animal is too small for the cache that joins them. */
const identical =
  (where: CallWhere): Meets =>
  (call, other) =>
    meets(where, RIGHT)(call, other) &&
    call.method === 'GET' &&
    call.target === other.target &&
    call.query.get('limit') !== '1' &&
    call.number > other.number;

const ifSuccess = (change: (answer: Answer, other: Call) => Answer) => (answer: Answer, other: Call) =>
  answer.status === 200 || answer.status === 201 ? change(answer, other) : answer;
const listOf = ({ body }: Answer): Json[] => (Array.isArray(body) ? body : []);
const refusal = (status: number, code: string) => (answer: Answer) => ({
  ...answer,
  status,
  body: errorAnswer(status, code, 'something else happens at the same time').body,
});

/** Requests that disturb each other when they are handled at the same time. */
export const simultaneousFaults: readonly Fault[] = [
  {
    id: 'additions-same-status-409',
    summary:
      'two simultaneous additions with the same status get 409: each holds a lock that the other waits for',
    violates: ['createPet.201'],
    ...besideAnswer(ofSameStatus, ifSuccess(refusal(409, 'conflict'))),
  },
  {
    id: 'addition-beside-refused',
    summary: 'an addition at the same time as a refused one gets 400, too',
    violates: ['createPet.201'],
    ...besideAnswer(meets(VALID_ADDITION, REFUSED_ADDITION), ifSuccess(refusal(400, 'invalid_request'))),
  },
  {
    id: 'addition-beside-list-body',
    summary: 'an addition at the same time as a list gets a list as its body',
    violates: ['Pet'],
    ...besideAnswer(
      meets(VALID_ADDITION, LIST),
      ifSuccess((answer) => ({ ...answer, body: [answer.body as Json] })),
    ),
  },
  {
    id: 'list-beside-addition-half',
    summary: 'a list at the same time as an addition ends with an animal that has no categoryId yet',
    violates: ['Pet.categoryId'],
    ...besideAnswer(
      meets(LIST, VALID_ADDITION),
      ifSuccess((answer) => {
        const last = listOf(answer).at(-1);
        if (!isObject(last)) return answer;
        const { categoryId: _, ...half } = last;
        return { ...answer, body: [...listOf(answer).slice(0, -1), half] };
      }),
    ),
  },
  {
    id: 'list-beside-addition-twice',
    summary: 'in a list at the same time as an addition, all animals move by one: the first is there twice',
    violates: ['listPets.distinct'],
    ...besideAnswer(
      meets(LIST, VALID_ADDITION),
      ifSuccess((answer) =>
        listOf(answer).length > 1
          ? { ...answer, body: [...listOf(answer).slice(0, 1), ...listOf(answer).slice(0, -1)] }
          : answer,
      ),
    ),
  },
  {
    id: 'read-beside-wrong-key-let-in',
    summary:
      'the verdict on a key is in one shared variable: a wrong key at the same time as a right one is let in',
    violates: ['authentication.key'],
    ...besideCall(
      (call, other) => call.key === 'invalid' && call.method === 'GET' && other.key === 'valid',
      (call) => ({ ...call, key: 'valid' }),
    ),
  },
  {
    id: 'read-beside-wrong-key-refused',
    summary: 'a fetch with the right key at the same time as a wrong key is refused with 401',
    violates: ['getPet.200'],
    ...besideAnswer(meets(FETCH, WRONG), ifSuccess(refusal(401, 'unauthorized'))),
  },
  {
    id: 'list-beside-wrong-key-body',
    summary: 'a list at the same time as a wrong key has the body of the 401',
    violates: ['listPets.200.body'],
    ...besideAnswer(
      meets(LIST, WRONG),
      ifSuccess((answer) => ({
        ...answer,
        body: errorAnswer(401, 'unauthorized', 'the key is not valid').body,
      })),
    ),
  },
  {
    id: 'burst-fetch-empty',
    summary: 'of simultaneous fetches of one animal, only the first has a body',
    violates: ['Pet'],
    ...besideAnswer(
      identical(FETCH),
      ifSuccess((answer) => ({ ...answer, body: '' })),
    ),
  },
  {
    id: 'burst-list-type',
    summary: 'of simultaneous identical lists, only the first is declared as JSON',
    violates: ['service.content-type'],
    ...besideAnswer(
      identical(LIST),
      ifSuccess((answer) => withHeaderOf(answer, 'Content-Type', 'application/octet-stream')),
    ),
  },
  {
    id: 'burst-header-lost',
    summary: 'of simultaneous identical reads, only the first has X-RateLimit-Reset',
    violates: ['X-RateLimit-Reset'],
    ...besideAnswer(
      identical(RIGHT),
      ifSuccess((answer) => withoutHeaderOf(answer, 'X-RateLimit-Reset')),
    ),
  },
];
