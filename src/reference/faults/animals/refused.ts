import type { Where } from '../../changes/change.ts';
import { answering, combined, onAnswer, withRequestBody } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { BigIntJson, BigIntJsonObject } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import { PET_STATUSES } from '../../store.ts';
import { checkNewPet } from '../../validation.ts';
import type { Fault } from '../fault.ts';

/** A store so small that a page shows what a refused request left in it. */
const SMALL = { animals: 50 };

/** Stores the animal of a body, if the body has one. */
function store({ store: animals }: Call, body: BigIntJson | undefined): void {
  const pet = checkNewPet(body);
  if ('value' in pet) animals.put({ id: animals.nextId(), ...pet.value });
}

/** Refuses an addition as usual, and stores the animal of its body all the same. */
const storing = (
  where: Where,
  change: (body: BigIntJson | undefined) => BigIntJson | undefined = (body) => body,
) =>
  onAnswer({ operation: 'createPet', ...where }, (answer, call) => {
    store(call, change(call.body));
    return answer;
  });

const hasScheme = ({ headers }: Call) => /^basic /i.test(headers.authorization ?? '');

/** POST /pets: what is refused is stored, or what is added once is stored twice. */
export const refusedFaults: readonly Fault[] = [
  {
    id: 'refused-key-stored',
    summary: 'the key is checked after the addition: without the right one it gets 401 and is stored',
    violates: ['authentication.key'],
    settings: SMALL,
    ...storing({ status: 401 }),
  },
  {
    id: 'refused-key-stored-beyond-page',
    summary: 'without the right key an addition gets 401 and is stored: only lists with a filter reach it',
    violates: ['authentication.key'],
    ...storing({ status: 401 }),
  },
  {
    id: 'refused-scheme-stored',
    summary: 'an addition with the scheme Basic gets 401 and is stored',
    violates: ['authentication.key'],
    settings: SMALL,
    seeds: [0, 3, 6],
    ...storing({ status: 401, when: hasScheme }),
  },
  {
    id: 'refused-status-stored',
    summary: 'a wrong status gets 400, and the animal is stored without a status',
    violates: ['createPet.400'],
    settings: SMALL,
    ...storing({ status: 400 }, (body) => {
      if (!isObject(body)) return body;
      const { status: _, ...others } = body;
      return others;
    }),
  },
  {
    id: 'refused-category-stored',
    summary: 'a body without categoryId gets 400 after its animal was stored with category 1',
    violates: ['createPet.400'],
    settings: SMALL,
    ...storing({ status: 400 }, (body) =>
      isObject(body) && body.categoryId === undefined ? { categoryId: 1n, ...body } : undefined,
    ),
  },
  {
    id: 'added-twice',
    summary: 'each addition is stored twice, with two ids',
    violates: ['createPet.id'],
    settings: SMALL,
    store: {
      keep: (animal, call) => {
        call.store.put({ ...animal, id: call.store.nextId() });
        return animal;
      },
    },
  },
  {
    id: 'added-twice-sold',
    summary: 'the addition of a sold animal is stored twice, with two ids',
    violates: ['createPet.id'],
    settings: SMALL,
    store: {
      keep: (animal, call) => {
        if (animal.status === 'sold') call.store.put({ ...animal, id: call.store.nextId() });
        return animal;
      },
    },
  },
];

/** Changes bodies of POST /pets before they are validated. */
const reading = (change: (body: BigIntJsonObject) => BigIntJsonObject) =>
  withRequestBody({ operation: 'createPet' }, (body = null) => (isObject(body) ? change(body) : body));

/** Turns a body that is not a JSON object into one. */
const taking = (
  when: (text: string | undefined, body: BigIntJson | undefined) => boolean,
  instead: (body: BigIntJson | undefined) => BigIntJson,
) =>
  withRequestBody({ operation: 'createPet' }, (body, { bodyText }) =>
    when(bodyText, body) ? instead(body) : (body ?? null),
  );

/** Whether another animal has the name, including animals from before the run. */
const isNameTaken = ({ body, store }: Call) =>
  isObject(body) && store.all().some(({ name }) => name === body.name);

const nameless = { name: '', categoryId: 1n };
const lowerCase = (value: BigIntJson | undefined) =>
  typeof value === 'string' ? value.toLowerCase() : value;
const without = ({ status: _, ...rest }: BigIntJsonObject): BigIntJsonObject => rest;
const given = (fields: Record<string, BigIntJson | undefined>): BigIntJsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** POST /pets: invalid bodies that are accepted. */
export const validationFaults: readonly Fault[] = [
  {
    id: 'create-name-default',
    summary: 'an animal without a name is added as "unnamed"',
    violates: ['NewPet.name'],
    ...reading((body) => ({ name: 'unnamed', ...body })),
  },
  {
    id: 'create-name-number',
    summary: 'a number is accepted as a name',
    violates: ['NewPet.name'],
    ...reading((body) => (typeof body.name === 'bigint' ? { ...body, name: String(body.name) } : body)),
  },
  {
    id: 'create-name-null',
    summary: 'null is accepted as an empty name',
    violates: ['NewPet.name'],
    ...reading((body) => (body.name === null ? { ...body, name: '' } : body)),
  },
  {
    id: 'create-name-object',
    summary: 'an object is converted to a string and accepted as a name',
    violates: ['NewPet.name'],
    ...reading((body) => (isObject(body.name) ? { ...body, name: '[object Object]' } : body)),
  },
  {
    id: 'create-category-default',
    summary: 'an animal without a category is added with category 0',
    violates: ['NewPet.categoryId'],
    ...reading((body) => ({ categoryId: 0n, ...body })),
  },
  {
    id: 'create-category-text',
    summary: 'a numeric string is accepted as a categoryId',
    violates: ['NewPet.categoryId'],
    ...reading((body) =>
      typeof body.categoryId === 'string' && /^\d+$/.test(body.categoryId)
        ? { ...body, categoryId: BigInt(body.categoryId) }
        : body,
    ),
  },
  {
    id: 'create-category-boolean',
    summary: 'true is accepted as category 1, since Python treats it as an integer',
    violates: ['NewPet.categoryId'],
    ...reading((body) => (body.categoryId === true ? { ...body, categoryId: 1n } : body)),
  },
  {
    id: 'create-names-unique-category-text',
    summary: 'a numeric string is accepted as a categoryId, unless the name is already taken',
    violates: ['NewPet.categoryId'],
    ...combined(
      answering({ operation: 'createPet', when: isNameTaken }, () =>
        errorAnswer(400, 'invalid_request', 'this name is taken'),
      ),
      reading((body) =>
        typeof body.categoryId === 'string' && /^\d+$/.test(body.categoryId)
          ? { ...body, categoryId: BigInt(body.categoryId) }
          : body,
      ),
    ),
  },
  {
    id: 'create-category-null',
    summary: 'null is accepted as category 0',
    violates: ['NewPet.categoryId'],
    ...reading((body) => (body.categoryId === null ? { ...body, categoryId: 0n } : body)),
  },
  {
    id: 'create-category-array',
    summary: 'an array is accepted as a categoryId: its length is used',
    violates: ['NewPet.categoryId'],
    ...reading((body) =>
      Array.isArray(body.categoryId) ? { ...body, categoryId: BigInt(body.categoryId.length) } : body,
    ),
  },
  {
    id: 'create-category-fraction',
    summary: 'the fraction of a categoryId is cut off',
    violates: ['NewPet.categoryId'],
    ...reading((body) =>
      typeof body.categoryId === 'number'
        ? { ...body, categoryId: BigInt(Math.trunc(body.categoryId)) }
        : body,
    ),
  },
  {
    id: 'create-category-wraps',
    summary: 'a categoryId beyond int64 wraps around to a negative number',
    violates: ['NewPet.categoryId'],
    ...reading((body) =>
      typeof body.categoryId === 'bigint'
        ? { ...body, categoryId: BigInt.asIntN(64, body.categoryId) }
        : body,
    ),
  },
  {
    id: 'create-status-any-case',
    summary: 'a status is accepted in any case',
    violates: ['NewPet.status'],
    ...reading((body) => given({ ...body, status: lowerCase(body.status) })),
  },
  {
    id: 'create-status-null',
    summary: 'status null is accepted as no status',
    violates: ['NewPet.status'],
    ...reading((body) => (body.status === null ? without(body) : body)),
  },
  {
    id: 'create-status-ordinal',
    summary: 'a number is accepted as the index of a status',
    violates: ['NewPet.status'],
    ...reading((body) =>
      typeof body.status === 'bigint'
        ? given({ ...body, status: PET_STATUSES[Number(body.status)] ?? body.status })
        : body,
    ),
  },
  {
    id: 'create-status-unchecked',
    summary: 'status is not validated; an unknown one is dropped',
    violates: ['NewPet.status'],
    ...reading((body) =>
      ['available', 'pending', 'sold'].some((status) => body.status === status) ? body : without(body),
    ),
  },
  {
    id: 'create-empty-body',
    summary: 'an empty body adds an animal with an empty name',
    violates: ['createPet.body'],
    ...taking(
      (text) => text === '',
      () => nameless,
    ),
  },
  {
    id: 'create-malformed-body',
    summary: 'malformed JSON is treated as an empty object, and required fields are not checked',
    violates: ['createPet.body'],
    ...taking(
      (text, body) => text !== '' && body === undefined,
      () => nameless,
    ),
  },
  {
    id: 'create-array-body',
    summary: 'an array is treated as a batch, and its first element is added',
    violates: ['createPet.body'],
    ...taking(
      (_, body) => Array.isArray(body),
      (body) => (Array.isArray(body) ? (body[0] ?? null) : null),
    ),
  },
  {
    id: 'create-null-body',
    summary: 'null is treated as an animal with empty fields, and required fields are not checked',
    violates: ['createPet.body'],
    ...taking(
      (_, body) => body === null,
      () => nameless,
    ),
  },
];
