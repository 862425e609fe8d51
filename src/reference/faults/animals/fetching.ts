import type { CallWhere } from '../../changes/change.ts';
import { answering, onAnswer, onKeep, onRead, withHeader, withStatus } from '../../changes/changes.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isInt64, isObject } from '../../http/json.ts';
import type { Animal } from '../../store.ts';
import { type Fault, violating } from '../fault.ts';
import { crashing, latinOnly, page, rejecting, throughDouble } from '../mistakes.ts';

const SAFE = 2n ** 53n;
const getPet = { operation: 'getPet' } as const;

const asked = ({ params }: Call): string => params.petId ?? '';
const idIn = (call: Call): bigint | undefined =>
  /^\d+$/.test(asked(call)) ? BigInt(asked(call)) : undefined;
const found = (call: Call): Animal | undefined => call.store.get(idIn(call) ?? 0n);
const fetching = (
  test: (animal: Animal | undefined, id: bigint | undefined, call: Call) => boolean,
): CallWhere => ({
  ...getPet,
  when: (call) => test(found(call), idIn(call), call),
});
const gone = () => errorAnswer(410, 'gone', 'this operation was removed');
const notFound = () => errorAnswer(404, 'not_found', 'no animal has this id');

/** GET /pets/{petId}. */
export const fetchingFaults: readonly Fault[] = [
  ...violating('getPet.200', {
    'fetch-500': ['GET /pets/{petId} always returns 500', crashing(getPet)],
    'fetch-removed': [
      'the operation was removed years before its removal date: 410',
      answering(getPet, gone),
    ],
    'fetch-sold-403': [
      'sold animals get 403',
      answering(
        fetching((animal) => animal?.status === 'sold'),
        () => errorAnswer(403, 'forbidden', 'this animal is sold'),
      ),
    ],
    'fetch-created-404': ['an addition gets 201, but the animal is not stored', onKeep(() => undefined)],
    'fetch-beyond-2-53-404': [
      'ids beyond 2^53 get 404',
      {
        settings: { firstId: SAFE },
        ...answering(
          fetching((_, id) => id !== undefined && id > SAFE),
          notFound,
        ),
      },
    ],
    'fetch-no-status-500': [
      'an animal without a status cannot be serialized: 500',
      crashing(fetching((animal) => animal !== undefined && animal.status === undefined)),
    ],
    'fetch-203': ['a cache responds with 203', withStatus({ ...getPet, status: 200 }, 203)],
  }),
  ...violating('getPet.404', {
    'fetch-unknown-null': [
      'an id that does not exist gets 200 with null',
      answering(
        fetching((animal, id) => !animal && id !== undefined),
        () => jsonAnswer(200, null),
      ),
    ],
    'fetch-unknown-204': [
      'an id that does not exist gets 204',
      onAnswer({ ...getPet, status: 404 }, (answer) => ({ ...answer, status: 204, body: undefined })),
    ],
    'fetch-unknown-error-200': [
      'an id that does not exist gets 200 with an Error in the body',
      onAnswer({ ...getPet, status: 404 }, (answer) => ({ ...answer, status: 200 })),
    ],
    'fetch-unknown-500': [
      'an id that does not exist crashes the lookup: 500',
      crashing(fetching((animal, id) => !animal && id !== undefined)),
    ],
    'fetch-unknown-latest': [
      'for an id that does not exist, the last animal is returned',
      onRead((animal, _, call) => animal ?? call.store.all().at(-1)),
    ],
    'fetch-32-bits': [
      'the lookup keeps only the last 32 bits of an id',
      onRead((animal, id, call) => animal ?? call.store.get(BigInt.asUintN(32, id))),
    ],
    'fetch-unsafe-400': [
      'ids beyond 2^53 are rejected with 400',
      rejecting(
        fetching((_, id) => id !== undefined && id > SAFE),
        'petId is too large',
      ),
    ],
    'fetch-unknown-302': [
      'an id that does not exist is redirected to the list: 302',
      onAnswer({ ...getPet, status: 404 }, (answer) => ({
        status: 302,
        headers: [...answer.headers, ['Location', '/v1/pets']],
        body: undefined,
      })),
    ],
  }),
  ...violating('getPet.responses', {
    'fetch-text-500': [
      'a petId that is not an integer crashes the operation: 500',
      crashing(fetching((_, id) => id === undefined)),
    ],
    'fetch-text-502': [
      'a petId that is not an integer crashes the process: the proxy returns 502',
      answering(
        fetching((_, id) => id === undefined),
        () => page(502),
      ),
    ],
    'fetch-largest-500': [
      'the largest int64 overflows: 500',
      crashing(fetching((_, id) => id === 2n ** 63n - 1n)),
    ],
  }),
  ...violating('getPet.sunset', {
    'fetch-sunset-month': [
      'Sunset confuses day and month: 12 May 2030',
      withHeader(getPet, 'Sunset', 'Sun, 12 May 2030 00:00:00 GMT'),
    ],
    'fetch-sunset-iso': [
      'Sunset is an ISO 8601 date instead of an HTTP-date',
      withHeader(getPet, 'Sunset', '2030-12-05'),
    ],
  }),
  {
    id: 'newest-fetched-as-earlier',
    summary: 'GET /pets/{petId} returns the animal before the newest one in place of the newest one',
    violates: ['getPet.stored'],
    isAfterRecovery: true,
    ...onRead((animal, id, { store }) => (animal && !store.get(id + 1n) ? store.get(id - 1n) : animal)),
  },
];

/** GET /pets/{petId}: another animal than the requested animal, or changed fields. */
export const keepingFaults: readonly Fault[] = [
  ...violating('getPet.stored', {
    'fetch-first': [
      'GET /pets/{petId} always returns the first animal',
      onRead((animal, _, call) => animal && call.store.all()[0]),
    ],
    'fetch-neighbour': [
      'ids beyond 2^53 are converted through a double: a neighboring animal is found',
      {
        settings: { firstId: 2n ** 53n },
        ...onRead((animal, id, call) => animal && call.store.get(throughDouble(id))),
      },
    ],
    'fetch-stale': [
      'a cache forgets the id: every fetch returns the animal of the first one',
      onRead((animal, _, call) => animal && call.recall('fetched', () => animal)),
    ],
    'fetch-own-id': [
      'the animal has the right id and the fields of the first animal',
      onRead((animal, id, call) => {
        const [first] = call.store.all();
        return animal && first && { ...first, id };
      }),
    ],
    'fetch-available-pending': [
      'GET /pets/{petId} shows available animals as pending',
      onRead((animal) => (animal?.status === 'available' ? { ...animal, status: 'pending' } : animal)),
    ],
    'keep-id-of-client': [
      'an addition with an id in its body gets a new id, and also replaces the animal with the sent one',
      onKeep((animal, { body, store }) => {
        if (isObject(body) && isInt64(body.id)) store.put({ ...animal, id: body.id });
        return animal;
      }),
    ],
  }),
  {
    id: 'keep-category-through-double',
    summary: 'categoryId is stored as a double: beyond 2^53 it is fetched as another number',
    violates: ['getPet.stored', 'Pet.categoryId'],
    because: 'in lists, the largest int64 is one beyond int64',
    ...onKeep((animal) => ({ ...animal, categoryId: throughDouble(animal.categoryId) })),
  },
  ...violating('getPet.stored', {
    'keep-status-not': [
      'status is returned on creation but not stored: the fetched animal has none',
      onKeep(({ status: _, ...animal }) => animal),
    ],
    'keep-sold-as-pending': [
      'an animal added as sold is fetched as pending',
      onKeep((animal) => (animal.status === 'sold' ? { ...animal, status: 'pending' } : animal)),
    ],
    'keep-name-latin-only': [
      'names are stored in latin-1: other characters are fetched as question marks',
      onKeep((animal) => ({ ...animal, name: latinOnly(animal.name) })),
    ],
    'keep-name-20': [
      'a name is stored with at most 20 characters',
      onKeep((animal) => ({ ...animal, name: animal.name.slice(0, 20) })),
    ],
    'keep-name-250': [
      'a name is stored with at most 250 characters, and lists come from a copy without such animals',
      {
        store: {
          keep: (animal) => ({ ...animal, name: animal.name.slice(0, 250) }),
          list: (query, next, call) =>
            next(
              query,
              call.store.all().filter(({ name }) => name.length < 250),
            ),
        },
      },
      { seeds: [0, 2, 4, 5, 6, 7, 9], plan: 'pro' },
    ],
    'fetch-largest-last': [
      'the largest int64 as petId returns the last animal, which has another id',
      onRead((animal, id, call) => (id === 2n ** 63n - 1n ? call.store.all().at(-1) : animal)),
    ],
  }),
];
