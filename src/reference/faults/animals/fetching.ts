import type { Animal } from '../../animal.ts';
import { answering, onAnswer, withHeader, withStatus } from '../../changes/changes.ts';
import type { CallWhere } from '../../changes/where.ts';
import { errorAnswer, jsonAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { Fault } from '../fault.ts';
import { crash, page } from '../mistakes.ts';

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
