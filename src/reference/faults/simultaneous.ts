import type { CallWhere, Change } from '../changes/change.ts';
import { concernsCall } from '../changes/change.ts';
import type { Answer } from '../http/answer.ts';
import { errorAnswer } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { BigIntJson } from '../http/json.ts';
import { isObject } from '../http/json.ts';
import { checkNewPet } from '../validation.ts';
import type { Fault } from './fault.ts';

/** A call that is being handled, and those that were handled at the same time so far. */
interface Busy {
  readonly call: Call;
  readonly beside: Call[];
}

/** Long enough for everything that was sent together to arrive. */
const OVERLAP_MS = 20;

/** Which calls handled at the same time make a difference to a call. */
type Meets = (call: Call, other: Call) => boolean;

/** A call that `where` selects, at the same time as a call that `others` selects. */
const meets =
  (where: CallWhere, others: CallWhere): Meets =>
  (call, other) =>
    concernsCall(where, call) && concernsCall(others, other);

/** Handles a call after a short pause, so that others can arrive. */
async function withOthers<T>(call: Call, handle: (beside: readonly Call[]) => Promise<T>): Promise<T> {
  const busy = call.recall('busy', () => new Set<Busy>());
  // Two of these changes at once handle the same call, nested.
  const others = [...busy].filter((other) => other.call.number !== call.number);
  const handled: Busy = { call, beside: others.map((other) => other.call) };
  for (const { beside } of others) beside.push(call);
  busy.add(handled);
  try {
    await call.pause(OVERLAP_MS);
    return await handle(handled.beside);
  } finally {
    busy.delete(handled);
  }
}

/** Changes the answers to calls that are handled at the same time as certain others. */
function besideAnswer(isMet: Meets, change: (answer: Answer, other: Call) => Answer): Change {
  return {
    around: (call, next) =>
      withOthers(call, async (beside) => {
        const answer = await next(call);
        const met = beside.find((other) => isMet(call, other));
        return met ? change(answer, met) : answer;
      }),
  };
}

/** Changes calls that are handled at the same time as certain others, before authentication. */
function besideCall(isMet: Meets, change: (call: Call) => Call): Change {
  return {
    around: (call, next) =>
      withOthers(call, async (beside) =>
        next(beside.some((other) => isMet(call, other)) ? change(call) : call),
      ),
  };
}

const WRONG: CallWhere = { when: ({ key }) => key !== 'valid' };
const LIST: CallWhere = { operation: 'listPets', key: 'valid' };
const FETCH: CallWhere = { operation: 'getPet', key: 'valid' };
const ADDITION = { operation: 'createPet', key: 'valid' } as const;
const VALID_ADDITION: CallWhere = { ...ADDITION, when: ({ body }) => 'value' in checkNewPet(body) };

const ifSuccess = (change: (answer: Answer, other: Call) => Answer) => (answer: Answer, other: Call) =>
  answer.status === 200 || answer.status === 201 ? change(answer, other) : answer;
const listOf = ({ body }: Answer): BigIntJson[] => (Array.isArray(body) ? body : []);
const refusal = (status: number, code: string) => (answer: Answer) => ({
  ...answer,
  status,
  body: errorAnswer(status, code, 'something else happens at the same time').body,
});

const disturbed: readonly Fault[] = [
  {
    id: 'addition-beside-list-body',
    summary: 'an addition at the same time as a list gets a list as its body',
    violates: ['Pet'],
    ...besideAnswer(
      meets(VALID_ADDITION, LIST),
      ifSuccess((answer) => ({ ...answer, body: [answer.body as BigIntJson] })),
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
    id: 'additions-together-500',
    summary: 'two additions at the same time wait for each other: 500',
    violates: ['createPet.201'],
    ...besideAnswer(meets(VALID_ADDITION, VALID_ADDITION), ifSuccess(refusal(500, 'deadlock'))),
  },
  {
    id: 'addition-beside-wrong-key-refused',
    summary: 'an addition at the same time as a wrong key is refused with 401',
    violates: ['createPet.201', 'createPet.400'],
    because: 'in small bursts it is an addition that may be refused, with a 400',
    ...besideAnswer(meets(VALID_ADDITION, WRONG), ifSuccess(refusal(401, 'unauthorized'))),
  },
  {
    id: 'fetch-beside-addition-404',
    summary: 'while an animal is added, the index is rebuilt: no animal is found by its id',
    violates: ['getPet.200'],
    ...besideAnswer(meets(FETCH, VALID_ADDITION), ifSuccess(refusal(404, 'not_found'))),
  },
  {
    id: 'fetches-together-names',
    summary: 'two animals that are fetched at the same time share a buffer: the name is not their own',
    violates: ['getPet.stored'],
    ...besideAnswer(
      meets(FETCH, FETCH),
      ifSuccess((answer, { path }) =>
        isObject(answer.body) ? { ...answer, body: { ...answer.body, name: path } } : answer,
      ),
    ),
  },
  {
    id: 'list-beside-orders-500',
    summary: 'a list at the same time as the orders finds no free connection to the database: 500',
    violates: ['listPets.200'],
    ...besideAnswer(
      meets(LIST, { operation: 'getStoreOrders', key: 'valid' }),
      ifSuccess(refusal(500, 'busy')),
    ),
  },
  {
    id: 'read-beside-wrong-key-let-in',
    summary:
      'the verdict on a key is in one shared variable: a wrong key at the same time as a right one is let in',
    violates: ['authentication.key', 'authentication.scheme'],
    because: 'which wrong key is sent at the same time as a right one is chance',
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
];

/** Requests that disturb each other when they are handled at the same time. */
export const simultaneousFaults: readonly Fault[] = disturbed.map((fault) => ({ ...fault, isRace: true }));
