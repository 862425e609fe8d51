import type { Animal } from '../../animal.ts';
import { answering, onAnswer, withField, withStatus } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isInt64, isObject } from '../../http/json.ts';
import { crash, creating, creatingOther, naming, rounded, throughDouble } from '../building-blocks.ts';
import type { Fault } from '../fault.ts';

const INT64_MAX = 2n ** 63n - 1n;
const KNOWN = ['name', 'categoryId', 'status'];

const isField = ({ bodyProblem, body }: Call) => bodyProblem === undefined && !Array.isArray(body);
const counted = (call: Call, of: string) => {
  const counts = call.recall('counts', () => new Map<string, bigint>());
  const count = (counts.get(of) ?? 0n) + 1n;
  counts.set(of, count);
  return count;
};

const idsRead = (call: Call) => call.recall('ids read', () => new Map<number, bigint>());

/** POST /pets: how an addition is answered, and under which id. What becomes of the fields is in echo.ts. */
export const addingFaults: readonly Fault[] = [
  {
    id: 'create-500',
    summary: 'POST /pets always answers 500',
    violates: ['createPet.201'],
    ...answering({ operation: 'createPet' }, crash),
  },
  {
    id: 'create-200',
    summary: 'an addition is answered 200',
    violates: ['createPet.201'],
    ...withStatus({ operation: 'createPet', status: 201 }, 200),
  },
  {
    id: 'create-200-sold',
    summary: 'an animal that is added as sold is answered 200',
    violates: ['createPet.201'],
    ...withStatus({ ...creating(({ status }) => status === 'sold'), status: 201 }, 200),
  },
  {
    id: 'create-303',
    summary: 'an addition redirects to the animal: 303 with its Location, without a body',
    violates: ['createPet.201'],
    ...onAnswer({ operation: 'createPet', status: 201 }, (answer) => ({
      ...answer,
      status: 303,
      body: undefined,
    })),
  },
  {
    id: 'create-emoji-500',
    summary: 'a name with a character of four bytes does not fit the database: 500',
    violates: ['createPet.201'],
    ...answering(
      naming((name) => /[\u{10000}-\u{10ffff}]/u.test(name)),
      crash,
    ),
  },
  {
    id: 'create-apostrophe-400',
    summary: 'a name with an apostrophe is refused as an attack',
    violates: ['createPet.201'],
    ...answering(
      naming((name) => name.includes("'")),
      () => errorAnswer(400, 'invalid_request', 'name must not contain quotes'),
    ),
  },
  {
    id: 'create-status-required',
    summary: 'an animal without a status is refused',
    violates: ['createPet.201'],
    ...answering(
      creating((body) => !('status' in body)),
      () => errorAnswer(400, 'invalid_request', 'status is required'),
    ),
  },
  {
    id: 'create-422',
    summary: 'an invalid body is answered 422',
    violates: ['createPet.400'],
    ...withStatus({ operation: 'createPet', status: 400 }, 422),
  },
  {
    id: 'create-422-fields',
    summary: 'a field that is missing or wrong is answered 422; only what is no JSON gets 400',
    violates: ['createPet.400'],
    ...withStatus({ operation: 'createPet', status: 400, when: isField }, 422),
  },
  {
    id: 'create-malformed-500',
    summary: 'the error of the JSON parser is not caught: 500',
    violates: ['createPet.400'],
    ...answering(
      { operation: 'createPet', when: ({ bodyText, bodyProblem }) => !!bodyProblem && bodyText !== '' },
      crash,
    ),
  },
  {
    id: 'create-null-500',
    summary: 'fields are looked for in null, which has none: 500',
    violates: ['createPet.400'],
    ...answering({ operation: 'createPet', when: ({ body }) => body === null }, crash),
  },
  {
    id: 'create-empty-415',
    summary: 'an empty body is answered 415',
    violates: ['createPet.400'],
    ...withStatus({ operation: 'createPet', status: 400, when: ({ bodyText }) => bodyText === '' }, 415),
  },
  {
    id: 'create-category-missing-404',
    summary: 'without a categoryId the category is looked up, and not found: 404',
    violates: ['createPet.400'],
    ...withStatus({ ...creating((body) => !('categoryId' in body)), status: 400 }, 404),
  },
  {
    id: 'create-same-name-409',
    summary: 'a name that another animal has is refused with 409',
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
    summary: 'a category that no animal has is answered 404',
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
      () => errorAnswer(404, 'not_found', 'there is no such category'),
    ),
  },
  {
    id: 'create-largest-category-500',
    summary: 'the largest int64 as categoryId overflows: 500',
    violates: ['createPet.responses'],
    ...answering(
      creating(({ categoryId }) => categoryId === INT64_MAX),
      crash,
    ),
  },
  {
    id: 'create-long-name-500',
    summary: 'a name of more than 255 characters does not fit its column: 500',
    violates: ['createPet.responses'],
    ...answering(
      naming((name) => name.length > 255),
      crash,
    ),
  },
  {
    id: 'create-unknown-field-501',
    summary: 'a field that is not known is answered 501',
    violates: ['createPet.responses'],
    ...answering(
      creating((body) => Object.keys(body).some((name) => !KNOWN.includes(name))),
      () => errorAnswer(501, 'not_implemented', 'this field is not supported'),
    ),
  },
  {
    id: 'create-same-id',
    summary: 'every added animal is answered and kept under one id',
    violates: ['createPet.id'],
    ...creatingOther((animal) => ({ ...animal, id: 2000n })),
  },
  {
    id: 'create-id-taken',
    summary: 'ids count from the first one again: an added animal takes the place of a listed one',
    violates: ['createPet.id'],
    ...creatingOther((animal, call) => ({
      ...animal,
      id: (call.store.all()[0]?.id ?? 1n) - 1n + counted(call, 'all'),
    })),
  },
  {
    id: 'create-id-per-status',
    summary: 'animals of each status are numbered by themselves',
    violates: ['createPet.id'],
    ...creatingOther((animal, call) => ({ ...animal, id: 3000n + counted(call, animal.status ?? '') })),
  },
  {
    id: 'create-same-animal',
    summary: 'an animal that equals another one is not added again: the other one’s id is answered',
    violates: ['createPet.id'],
    ...creatingOther((animal, { store }) => {
      const equals = ({ name, categoryId, status }: Animal) =>
        name === animal.name && categoryId === animal.categoryId && status === animal.status;
      return store.all().find(equals) ?? animal;
    }),
  },
  {
    id: 'create-id-race',
    summary: 'the next id is read before the database is waited for: additions at one time get the same',
    violates: ['createPet.id'],
    handle: async (call, next) => {
      if (call.operation !== 'createPet') return next(call);
      idsRead(call).set(call.number, 2000n + BigInt(call.store.all().length));
      await call.pause(20);
      return next(call);
    },
    ...creatingOther((animal, call) => ({ ...animal, id: idsRead(call).get(call.number) ?? animal.id })),
  },
  {
    id: 'create-id-through-double',
    summary:
      'the id of an addition goes through a double when it is answered: neighbours beyond 2^53 get one',
    violates: ['createPet.id'],
    settings: { firstId: 2n ** 53n },
    ...withField({ operation: 'createPet', status: 201 }, 'id', rounded),
  },
  {
    id: 'create-snowflake-through-double',
    summary: 'ids are far apart and beyond 2^53; through a double the answer names none that exists',
    violates: ['getPet.200'],
    ...creatingOther((animal, call) => ({ ...animal, id: 2n ** 60n + 1n + 4096n * counted(call, 'all') })),
    ...withField({ operation: 'createPet', status: 201 }, 'id', rounded),
  },
  {
    id: 'create-category-through-double',
    summary: 'categoryId goes through a double: beyond 2^53 it comes back as its neighbour',
    violates: ['createPet.echo', 'Pet.categoryId'],
    because: 'the largest int64 becomes 2^63, which is none any more',
    ...creatingOther((animal) => ({ ...animal, categoryId: throughDouble(animal.categoryId) })),
  },
];
