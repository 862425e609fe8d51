import {
  answering,
  combined,
  onAnswer,
  onCreate,
  onList,
  withField,
  withStatus,
} from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isInt64, isObject } from '../../http/json.ts';
import type { Animal } from '../../store.ts';
import { type Fault, violating } from '../fault.ts';
import { crashing, rejecting, rounded, throughDouble } from '../mistakes.ts';
import { creating, naming } from '../requests.ts';

const INT64_MAX = 2n ** 63n - 1n;
const KNOWN = ['name', 'categoryId', 'status'];

const isField = ({ bodyProblem, body }: Call) => bodyProblem === undefined && !Array.isArray(body);
const counted = (call: Call, of: string) => {
  const counts = call.recall('counts', () => new Map<string, bigint>());
  const count = (counts.get(of) ?? 0n) + 1n;
  counts.set(of, count);
  return count;
};

/** The added animals in the order of their addition, also those that share an id. */
const rowsOf = (call: Call) => call.recall('rows', (): Animal[] => []);

const idsRead = (call: Call) => call.recall('ids read', () => new Map<number, bigint>());

/** POST /pets: the status of the response and the id. Faults of the other fields are in echo.ts. */
export const addingFaults: readonly Fault[] = [
  ...violating('createPet.201', {
    'create-500': ['POST /pets always returns 500', crashing({ operation: 'createPet' })],
    'create-200': ['an addition gets 200', withStatus({ operation: 'createPet', status: 201 }, 200)],
    'create-200-sold': [
      'the addition of a sold animal gets 200',
      withStatus({ ...creating(({ status }) => status === 'sold'), status: 201 }, 200),
    ],
    'create-303': [
      'an addition gets 303 with the Location of the animal and no body',
      onAnswer({ operation: 'createPet', status: 201 }, (answer) => ({
        ...answer,
        status: 303,
        body: undefined,
      })),
    ],
    'create-emoji-500': [
      'the database cannot store four-byte characters in a name: 500',
      crashing(naming((name) => /[\u{10000}-\u{10ffff}]/u.test(name))),
      // With other seeds, a long text that the service need not accept is the first with such a character.
      { seeds: [0, 1, 2, 3, 5, 6, 7] },
    ],
    'create-apostrophe-400': [
      'a name with an apostrophe is rejected as an attack',
      rejecting(
        naming((name) => name.includes("'")),
        'name must not contain quotes',
      ),
    ],
    'create-accents-400': [
      'a name with letters beyond ASCII is rejected, as one of more than 50 characters is',
      rejecting(
        naming((name) => /\P{ASCII}/u.test(name) || [...name].length > 50),
        'the name has characters that are not allowed',
      ),
    ],
    'create-status-required': [
      'an animal without a status is rejected',
      rejecting(
        creating((body) => !('status' in body)),
        'status is required',
      ),
    ],
  }),
  ...violating('createPet.400', {
    'create-422': ['an invalid body gets 422', withStatus({ operation: 'createPet', status: 400 }, 422)],
    'create-422-fields': [
      'a missing or invalid field gets 422; only malformed JSON gets 400',
      withStatus({ operation: 'createPet', status: 400, when: isField }, 422),
    ],
    'create-malformed-500': [
      'an error of the JSON parser is not caught: 500',
      crashing({
        operation: 'createPet',
        when: ({ bodyText, bodyProblem }) => !!bodyProblem && bodyText !== '',
      }),
    ],
    'create-null-500': [
      'reading a field of null crashes: 500',
      crashing({ operation: 'createPet', when: ({ body }) => body === null }),
    ],
    'create-empty-415': [
      'an empty body gets 415',
      withStatus({ operation: 'createPet', status: 400, when: ({ bodyText }) => bodyText === '' }, 415),
    ],
    'create-category-missing-404': [
      'a missing categoryId is looked up and not found: 404',
      withStatus({ ...creating((body) => !('categoryId' in body)), status: 400 }, 404),
    ],
  }),
  {
    id: 'create-same-name-409',
    summary: 'a name that another animal has is rejected with 409',
    violates: ['createPet.201'],
    handle: async (call, next) => {
      const isTaken = call.store.all().some(({ name }) => isObject(call.body) && name === call.body.name);
      const answer = await next(call);
      return isTaken && answer.status === 201
        ? errorAnswer(409, 'conflict', 'there is an animal of this name')
        : answer;
    },
  },
  {
    id: 'create-category-unknown-404',
    summary: 'a category that no animal has gets 404',
    violates: ['createPet.400'],
    ...answering(
      {
        operation: 'createPet',
        when: ({ body, store }) =>
          isObject(body) &&
          typeof body.categoryId === 'bigint' &&
          isInt64(body.categoryId) &&
          !store.all().some((animal) => animal.categoryId === body.categoryId),
      },
      () => errorAnswer(404, 'not_found', 'unknown category'),
    ),
  },
  ...violating('createPet.responses', {
    'create-largest-category-500': [
      'the largest int64 as categoryId overflows: 500',
      crashing(creating(({ categoryId }) => categoryId === INT64_MAX)),
    ],
    'create-long-name-500': [
      'a name longer than 255 characters does not fit its column: 500',
      crashing(naming((name) => name.length > 255)),
      { seeds: [0, 2, 4, 5, 7] },
    ],
    'create-unknown-field-501': [
      'an unknown field gets 501',
      answering(
        creating((body) => Object.keys(body).some((name) => !KNOWN.includes(name))),
        () => errorAnswer(501, 'not_implemented', 'this field is not supported'),
      ),
    ],
  }),
  ...violating('createPet.id', {
    'create-same-id': [
      'every added animal gets the same id',
      onCreate((animal) => ({ ...animal, id: 2000n })),
    ],
    'create-id-taken': [
      'new ids start at the first existing one: an added animal overwrites a listed one',
      onCreate((animal, call) => ({
        ...animal,
        id: (call.store.all()[0]?.id ?? 1n) - 1n + counted(call, 'all'),
      })),
    ],
    'create-id-per-status': [
      'ids are numbered per status, so animals with different statuses share ids',
      onCreate((animal, call) => ({ ...animal, id: 3000n + counted(call, animal.status ?? '') })),
    ],
    'create-id-kept-twice': [
      'no index keeps ids unique: every second addition gets the id of the one before, and lists show both',
      combined(
        onCreate((animal, call) => {
          const row = rowsOf(call).length % 2 === 1 ? { ...animal, id: animal.id - 1n } : animal;
          rowsOf(call).push(row);
          return row;
        }),
        onList((query, next, call) => {
          const rows = rowsOf(call);
          const others = call.store.all().filter(({ id }) => rows.every((row) => row.id !== id));
          return next(query, [...others, ...rows]);
        }),
      ),
    ],
    'create-id-of-client': [
      'an id in the body is taken over: an added animal overwrites another one',
      onCreate((animal, { body }) =>
        isObject(body) && typeof body.id === 'bigint' ? { ...animal, id: body.id } : animal,
      ),
    ],
    'create-same-animal': [
      'an animal equal to an existing one is not added; the existing id is returned',
      onCreate((animal, { store }) => {
        const equals = ({ name, categoryId, status }: Animal) =>
          name === animal.name && categoryId === animal.categoryId && status === animal.status;
        return store.all().find(equals) ?? animal;
      }),
    ],
    'create-id-race': [
      'the next id is read before a pause: simultaneous additions get the same id',
      {
        handle: async (call, next) => {
          if (call.operation !== 'createPet') return next(call);
          idsRead(call).set(call.number, 2000n + BigInt(call.store.all().length));
          await call.pause(20);
          return next(call);
        },
        ...onCreate((animal, call) => ({ ...animal, id: idsRead(call).get(call.number) ?? animal.id })),
      },
      { isRace: true },
    ],
    'create-id-through-double': [
      'the returned id is converted through a double: neighboring ids beyond 2^53 become one',
      {
        settings: { firstId: 2n ** 53n },
        ...withField({ operation: 'createPet', status: 201 }, 'id', rounded),
      },
    ],
  }),
  {
    id: 'create-snowflake-through-double',
    summary: 'ids are sparse and beyond 2^53; converted through a double, the returned id does not exist',
    violates: ['getPet.200'],
    ...onCreate((animal, call) => ({ ...animal, id: 2n ** 60n + 1n + 4096n * counted(call, 'all') })),
    ...withField({ operation: 'createPet', status: 201 }, 'id', rounded),
  },
  {
    id: 'create-category-through-double',
    summary: 'categoryId is converted through a double: beyond 2^53 it comes back as a neighboring number',
    violates: ['createPet.echo', 'Pet.categoryId'],
    because: 'the largest int64 becomes 2^63, which is not an int64',
    ...onCreate((animal) => ({ ...animal, categoryId: throughDouble(animal.categoryId) })),
  },
];
