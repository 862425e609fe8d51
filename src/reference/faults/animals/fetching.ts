import type { CallWhere } from '../../changes/change.ts';
import { answering, onAnswer, withHeader, withStatus } from '../../changes/changes.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isInt64, isObject } from '../../http/json.ts';
import type { Animal } from '../../store.ts';
import type { Fault } from '../fault.ts';
import { crash, keepingOther, latinOnly, page, throughDouble } from '../mistakes.ts';

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
  {
    id: 'fetch-500',
    summary: 'GET /pets/{petId} always returns 500',
    violates: ['getPet.200'],
    ...answering(getPet, crash),
  },
  {
    id: 'fetch-removed',
    summary: 'the operation was removed years before its removal date: 410',
    violates: ['getPet.200'],
    ...answering(getPet, gone),
  },
  {
    id: 'fetch-sold-403',
    summary: 'sold animals get 403',
    violates: ['getPet.200'],
    ...answering(
      fetching((animal) => animal?.status === 'sold'),
      () => errorAnswer(403, 'forbidden', 'this animal is sold'),
    ),
  },
  {
    id: 'fetch-created-404',
    summary: 'an addition gets 201, but the animal is not stored',
    violates: ['getPet.200'],
    store: { keep: () => undefined },
  },
  {
    id: 'fetch-beyond-2-53-404',
    summary: 'ids beyond 2^53 get 404',
    violates: ['getPet.200'],
    settings: { firstId: SAFE },
    ...answering(
      fetching((_, id) => id !== undefined && id > SAFE),
      notFound,
    ),
  },
  {
    id: 'fetch-no-status-500',
    summary: 'an animal without a status cannot be serialized: 500',
    violates: ['getPet.200'],
    ...answering(
      fetching((animal) => animal !== undefined && animal.status === undefined),
      crash,
    ),
  },
  {
    id: 'fetch-203',
    summary: 'a cache responds with 203',
    violates: ['getPet.200'],
    ...withStatus({ ...getPet, status: 200 }, 203),
  },
  {
    id: 'fetch-unknown-null',
    summary: 'an id that does not exist gets 200 with null',
    violates: ['getPet.404'],
    ...answering(
      fetching((animal, id) => !animal && id !== undefined),
      () => jsonAnswer(200, null),
    ),
  },
  {
    id: 'fetch-unknown-204',
    summary: 'an id that does not exist gets 204',
    violates: ['getPet.404'],
    ...onAnswer({ ...getPet, status: 404 }, (answer) => ({ ...answer, status: 204, body: undefined })),
  },
  {
    id: 'fetch-unknown-error-200',
    summary: 'an id that does not exist gets 200 with an Error in the body',
    violates: ['getPet.404'],
    ...onAnswer({ ...getPet, status: 404 }, (answer) => ({ ...answer, status: 200 })),
  },
  {
    id: 'fetch-unknown-500',
    summary: 'an id that does not exist crashes the lookup: 500',
    violates: ['getPet.404'],
    ...answering(
      fetching((animal, id) => !animal && id !== undefined),
      crash,
    ),
  },
  {
    id: 'fetch-unknown-latest',
    summary: 'for an id that does not exist, the last animal is returned',
    violates: ['getPet.404'],
    store: { read: (animal, _, call) => animal ?? call.store.all().at(-1) },
  },
  {
    id: 'fetch-32-bits',
    summary: 'the lookup keeps only the last 32 bits of an id',
    violates: ['getPet.404'],
    store: { read: (animal, id, call) => animal ?? call.store.get(BigInt.asUintN(32, id)) },
  },
  {
    id: 'fetch-unsafe-400',
    summary: 'ids beyond 2^53 are rejected with 400',
    violates: ['getPet.404'],
    ...answering(
      fetching((_, id) => id !== undefined && id > SAFE),
      () => errorAnswer(400, 'invalid_request', 'petId is too large'),
    ),
  },
  {
    id: 'fetch-unknown-302',
    summary: 'an id that does not exist is redirected to the list: 302',
    violates: ['getPet.404'],
    ...onAnswer({ ...getPet, status: 404 }, (answer) => ({
      status: 302,
      headers: [...answer.headers, ['Location', '/v1/pets']],
      body: undefined,
    })),
  },
  {
    id: 'fetch-text-500',
    summary: 'a petId that is not an integer crashes the operation: 500',
    violates: ['getPet.responses'],
    ...answering(
      fetching((_, id) => id === undefined),
      crash,
    ),
  },
  {
    id: 'fetch-text-502',
    summary: 'a petId that is not an integer crashes the process: the proxy returns 502',
    violates: ['getPet.responses'],
    ...answering(
      fetching((_, id) => id === undefined),
      () => page(502),
    ),
  },
  {
    id: 'fetch-largest-500',
    summary: 'the largest int64 overflows: 500',
    violates: ['getPet.responses'],
    ...answering(
      fetching((_, id) => id === 2n ** 63n - 1n),
      crash,
    ),
  },
  {
    id: 'fetch-sunset-month',
    summary: 'Sunset confuses day and month: 12 May 2030',
    violates: ['getPet.sunset'],
    ...withHeader(getPet, 'Sunset', 'Sun, 12 May 2030 00:00:00 GMT'),
  },
  {
    id: 'fetch-sunset-iso',
    summary: 'Sunset is an ISO 8601 date instead of an HTTP-date',
    violates: ['getPet.sunset'],
    ...withHeader(getPet, 'Sunset', '2030-12-05'),
  },
  {
    id: 'newest-fetched-as-earlier',
    summary: 'GET /pets/{petId} returns the animal before the newest one in place of the newest one',
    violates: ['getPet.stored'],
    isAfterRecovery: true,
    store: {
      read: (animal, id, { store }) => (animal && !store.get(id + 1n) ? store.get(id - 1n) : animal),
    },
  },
];

/** GET /pets/{petId}: another animal than the requested one, or a changed one. */
export const keepingFaults: readonly Fault[] = [
  {
    id: 'fetch-first',
    summary: 'GET /pets/{petId} always returns the first animal',
    violates: ['getPet.stored'],
    store: { read: (animal, _, call) => animal && call.store.all()[0] },
  },
  {
    id: 'fetch-neighbour',
    summary: 'ids beyond 2^53 are converted through a double: a neighboring animal is found',
    violates: ['getPet.stored'],
    settings: { firstId: 2n ** 53n },
    store: { read: (animal, id, call) => animal && call.store.get(throughDouble(id)) },
  },
  {
    id: 'fetch-stale',
    summary: 'a cache forgets the id: every fetch returns the animal of the first one',
    violates: ['getPet.stored'],
    store: {
      read: (animal, _, call) => animal && call.recall('fetched', () => animal),
    },
  },
  {
    id: 'fetch-own-id',
    summary: 'the animal has the right id and the fields of the first animal',
    violates: ['getPet.stored'],
    store: {
      read: (animal, id, call) => {
        const [first] = call.store.all();
        return animal && first && { ...first, id };
      },
    },
  },
  {
    id: 'fetch-available-pending',
    summary: 'GET /pets/{petId} shows available animals as pending',
    violates: ['getPet.stored'],
    store: {
      read: (animal) => (animal?.status === 'available' ? { ...animal, status: 'pending' } : animal),
    },
  },
  {
    id: 'keep-id-of-client',
    summary:
      'an addition with an id in its body gets a new id, and also replaces the animal with the sent one',
    violates: ['getPet.stored'],
    ...keepingOther((animal, { body, store }) => {
      if (isObject(body) && isInt64(body.id)) store.put({ ...animal, id: body.id });
      return animal;
    }),
  },
  {
    id: 'keep-category-through-double',
    summary: 'categoryId is stored as a double: beyond 2^53 it is fetched as another number',
    violates: ['getPet.stored', 'Pet.categoryId'],
    because: 'in lists, the largest int64 is one beyond int64',
    ...keepingOther((animal) => ({ ...animal, categoryId: throughDouble(animal.categoryId) })),
  },
  {
    id: 'keep-status-not',
    summary: 'status is returned on creation but not stored: the fetched animal has none',
    violates: ['getPet.stored'],
    ...keepingOther(({ status: _, ...animal }) => animal),
  },
  {
    id: 'keep-sold-as-pending',
    summary: 'an animal added as sold is fetched as pending',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => (animal.status === 'sold' ? { ...animal, status: 'pending' } : animal)),
  },
  {
    id: 'keep-name-latin-only',
    summary: 'names are stored in latin-1: other characters are fetched as question marks',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => ({ ...animal, name: latinOnly(animal.name) })),
  },
  {
    id: 'keep-name-20',
    summary: 'a name is stored with at most 20 characters',
    violates: ['getPet.stored'],
    ...keepingOther((animal) => ({ ...animal, name: animal.name.slice(0, 20) })),
  },
  {
    id: 'keep-name-250',
    summary: 'a name is stored with at most 250 characters, and lists come from a copy without such animals',
    violates: ['getPet.stored'],
    seeds: [0, 2, 4, 5, 6, 7, 9],
    plan: 'pro',
    store: {
      keep: (animal) => ({ ...animal, name: animal.name.slice(0, 250) }),
      list: (query, next, call) =>
        next(
          query,
          call.store.all().filter(({ name }) => name.length < 250),
        ),
    },
  },
  {
    id: 'fetch-largest-last',
    summary: 'the largest int64 as petId returns the last animal, which has another id',
    violates: ['getPet.stored'],
    store: {
      read: (animal, id, call) => (id === 2n ** 63n - 1n ? call.store.all().at(-1) : animal),
    },
  },
];
