import { PET_STATUSES } from '../../animal.ts';
import { answering, combined, withRequestBody } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import type { Json, JsonObject } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';

/** Bodies of POST /pets are read like this before they are checked. */
const reading = (change: (body: JsonObject) => JsonObject) =>
  withRequestBody({ operation: 'createPet' }, (body = null) => (isObject(body) ? change(body) : body));

/** What is no JSON object becomes one. */
const taking = (
  when: (text: string | undefined, body: Json | undefined) => boolean,
  instead: (body: Json | undefined) => Json,
) =>
  withRequestBody({ operation: 'createPet' }, (body, { bodyText }) =>
    when(bodyText, body) ? instead(body) : (body ?? null),
  );

/** Whether another animal has the name, also one that was there at first. */
const isNameTaken = ({ body, store }: Call) =>
  isObject(body) && store.all().some(({ name }) => name === body.name);

const nameless = { name: '', categoryId: 1n };
const lowerCase = (value: Json | undefined) => (typeof value === 'string' ? value.toLowerCase() : value);
const without = ({ status: _, ...rest }: JsonObject): JsonObject => rest;
const given = (fields: Record<string, Json | undefined>): JsonObject =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );

/** POST /pets: wrong bodies that are accepted. */
export const validationFaults: readonly Fault[] = [
  {
    id: 'create-name-default',
    summary: 'an animal without a name is added as "unnamed"',
    violates: ['NewPet.name'],
    ...reading((body) => ({ name: 'unnamed', ...body })),
  },
  {
    id: 'create-name-number',
    summary: 'a number is taken for a name',
    violates: ['NewPet.name'],
    ...reading((body) => (typeof body.name === 'bigint' ? { ...body, name: String(body.name) } : body)),
  },
  {
    id: 'create-name-null',
    summary: 'null is taken for an empty name',
    violates: ['NewPet.name'],
    ...reading((body) => (body.name === null ? { ...body, name: '' } : body)),
  },
  {
    id: 'create-name-object',
    summary: 'an object is written out as a name',
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
    summary: 'digits in quotes are taken for a categoryId',
    violates: ['NewPet.categoryId'],
    ...reading((body) =>
      typeof body.categoryId === 'string' && /^\d+$/.test(body.categoryId)
        ? { ...body, categoryId: BigInt(body.categoryId) }
        : body,
    ),
  },
  {
    id: 'create-category-boolean',
    summary: 'true counts as an integer, as in Python: it is taken for category 1',
    violates: ['NewPet.categoryId'],
    ...reading((body) => (body.categoryId === true ? { ...body, categoryId: 1n } : body)),
  },
  {
    id: 'create-names-unique-category-text',
    summary: 'digits in quotes are taken for a categoryId, where the name is not refused for being taken',
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
    summary: 'null is taken for category 0',
    violates: ['NewPet.categoryId'],
    ...reading((body) => (body.categoryId === null ? { ...body, categoryId: 0n } : body)),
  },
  {
    id: 'create-category-array',
    summary: 'of an array as categoryId the length is taken',
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
    summary: 'a categoryId beyond int64 wraps around to the negative ones',
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
    summary: 'a status of null is taken for none',
    violates: ['NewPet.status'],
    ...reading((body) => (body.status === null ? without(body) : body)),
  },
  {
    id: 'create-status-ordinal',
    summary: 'a number is taken for the place of a status in its enumeration',
    violates: ['NewPet.status'],
    ...reading((body) =>
      typeof body.status === 'bigint'
        ? given({ ...body, status: PET_STATUSES[Number(body.status)] ?? body.status })
        : body,
    ),
  },
  {
    id: 'create-status-unchecked',
    summary: 'status is not checked at all; what is unknown is dropped',
    violates: ['NewPet.status'],
    ...reading((body) =>
      ['available', 'pending', 'sold'].some((status) => body.status === status) ? body : without(body),
    ),
  },
  {
    id: 'create-empty-body',
    summary: 'an empty body adds a nameless animal',
    violates: ['createPet.body'],
    ...taking(
      (text) => text === '',
      () => nameless,
    ),
  },
  {
    id: 'create-malformed-body',
    summary: 'what the JSON parser cannot read counts as an empty object, and nobody asks for its fields',
    violates: ['createPet.body'],
    ...taking(
      (text, body) => text !== '' && body === undefined,
      () => nameless,
    ),
  },
  {
    id: 'create-array-body',
    summary: 'an array is taken for a batch, of which the first is added',
    violates: ['createPet.body'],
    ...taking(
      (_, body) => Array.isArray(body),
      (body) => (Array.isArray(body) ? (body[0] ?? null) : null),
    ),
  },
  {
    id: 'create-null-body',
    summary: 'null is read into an animal whose fields are all empty, and nobody asks for them',
    violates: ['createPet.body'],
    ...taking(
      (_, body) => body === null,
      () => nameless,
    ),
  },
];
