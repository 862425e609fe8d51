import type { Where } from '../../changes/change.ts';
import { combined, onAnswer, onKeep, withRequestBody } from '../../changes/changes.ts';
import type { Call } from '../../http/call.ts';
import type { BigIntJson, BigIntJsonObject } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import { PET_STATUSES } from '../../store.ts';
import { checkNewPet } from '../../validation.ts';
import { type Fault, violating } from '../fault.ts';
import { rejecting } from '../mistakes.ts';

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
  ...violating('authentication.key', {
    'refused-key-stored': [
      'the key is checked after the addition: without the right one it gets 401 and is stored',
      { settings: SMALL, ...storing({ status: 401 }) },
    ],
    'refused-key-stored-beyond-page': [
      'without the right key an addition gets 401 and is stored: only lists with a filter reach it',
      storing({ status: 401 }),
    ],
    'refused-scheme-stored': [
      'an addition with the scheme Basic gets 401 and is stored',
      { settings: SMALL, ...storing({ status: 401, when: hasScheme }) },
      { seeds: [0, 3, 6] },
    ],
  }),
  ...violating('createPet.400', {
    'refused-status-stored': [
      'a wrong status gets 400, and the animal is stored without a status',
      {
        settings: SMALL,
        ...storing({ status: 400 }, (body) => {
          if (!isObject(body)) return body;
          const { status: _, ...others } = body;
          return others;
        }),
      },
    ],
    'refused-category-stored': [
      'a body without categoryId gets 400 after its animal was stored with category 1',
      {
        settings: SMALL,
        ...storing({ status: 400 }, (body) =>
          isObject(body) && body.categoryId === undefined ? { categoryId: 1n, ...body } : undefined,
        ),
      },
    ],
  }),
  ...violating('createPet.id', {
    'added-twice': [
      'each addition is stored twice, with two ids',
      {
        settings: SMALL,
        ...onKeep((animal, call) => {
          call.store.put({ ...animal, id: call.store.nextId() });
          return animal;
        }),
      },
    ],
    'added-twice-sold': [
      'the addition of a sold animal is stored twice, with two ids',
      {
        settings: SMALL,
        ...onKeep((animal, call) => {
          if (animal.status === 'sold') call.store.put({ ...animal, id: call.store.nextId() });
          return animal;
        }),
      },
    ],
  }),
];

/** Changes bodies of POST /pets before they are validated. */
const reading = (change: (body: BigIntJsonObject) => BigIntJsonObject) =>
  withRequestBody({ operation: 'createPet' }, (body = null) => (isObject(body) ? change(body) : body));

/** Reads a body that is not a JSON object as another body. */
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
  ...violating('NewPet.name', {
    'create-name-default': [
      'an animal without a name is added as "unnamed"',
      reading((body) => ({ name: 'unnamed', ...body })),
    ],
    'create-name-number': [
      'a number is accepted as a name',
      reading((body) => (typeof body.name === 'bigint' ? { ...body, name: String(body.name) } : body)),
    ],
    'create-name-null': [
      'null is accepted as an empty name',
      reading((body) => (body.name === null ? { ...body, name: '' } : body)),
    ],
    'create-name-object': [
      'an object is converted to a string and accepted as a name',
      reading((body) => (isObject(body.name) ? { ...body, name: '[object Object]' } : body)),
    ],
  }),
  ...violating('NewPet.categoryId', {
    'create-category-default': [
      'an animal without a category is added with category 0',
      reading((body) => ({ categoryId: 0n, ...body })),
    ],
    'create-category-text': [
      'a numeric string is accepted as a categoryId',
      reading((body) =>
        typeof body.categoryId === 'string' && /^\d+$/.test(body.categoryId)
          ? { ...body, categoryId: BigInt(body.categoryId) }
          : body,
      ),
    ],
    'create-category-boolean': [
      'true is accepted as category 1, since Python treats it as an integer',
      reading((body) => (body.categoryId === true ? { ...body, categoryId: 1n } : body)),
    ],
    'create-names-unique-category-text': [
      'a numeric string is accepted as a categoryId, unless the name is already taken',
      combined(
        rejecting({ operation: 'createPet', when: isNameTaken }, 'this name is taken'),
        reading((body) =>
          typeof body.categoryId === 'string' && /^\d+$/.test(body.categoryId)
            ? { ...body, categoryId: BigInt(body.categoryId) }
            : body,
        ),
      ),
    ],
    'create-category-null': [
      'null is accepted as category 0',
      reading((body) => (body.categoryId === null ? { ...body, categoryId: 0n } : body)),
    ],
    'create-category-array': [
      'an array is accepted as a categoryId: its length is used',
      reading((body) =>
        Array.isArray(body.categoryId) ? { ...body, categoryId: BigInt(body.categoryId.length) } : body,
      ),
    ],
    'create-category-fraction': [
      'the fraction of a categoryId is cut off',
      reading((body) =>
        typeof body.categoryId === 'number'
          ? { ...body, categoryId: BigInt(Math.trunc(body.categoryId)) }
          : body,
      ),
    ],
    'create-category-wraps': [
      'a categoryId beyond int64 wraps around to a negative number',
      reading((body) =>
        typeof body.categoryId === 'bigint'
          ? { ...body, categoryId: BigInt.asIntN(64, body.categoryId) }
          : body,
      ),
    ],
  }),
  ...violating('NewPet.status', {
    'create-status-any-case': [
      'a status is accepted in any case',
      reading((body) => given({ ...body, status: lowerCase(body.status) })),
    ],
    'create-status-null': [
      'status null is accepted as no status',
      reading((body) => (body.status === null ? without(body) : body)),
    ],
    'create-status-ordinal': [
      'a number is accepted as the index of a status',
      reading((body) =>
        typeof body.status === 'bigint'
          ? given({ ...body, status: PET_STATUSES[Number(body.status)] ?? body.status })
          : body,
      ),
    ],
    'create-status-unchecked': [
      'status is not validated; an unknown one is dropped',
      reading((body) =>
        ['available', 'pending', 'sold'].some((status) => body.status === status) ? body : without(body),
      ),
    ],
  }),
  ...violating('createPet.body', {
    'create-empty-body': [
      'an empty body adds an animal with an empty name',
      taking(
        (text) => text === '',
        () => nameless,
      ),
    ],
    'create-malformed-body': [
      'malformed JSON is treated as an empty object, and required fields are not checked',
      taking(
        (text, body) => text !== '' && body === undefined,
        () => nameless,
      ),
    ],
    'create-array-body': [
      'an array is treated as a batch, and its first element is added',
      taking(
        (_, body) => Array.isArray(body),
        (body) => (Array.isArray(body) ? (body[0] ?? null) : null),
      ),
    ],
    'create-null-body': [
      'null is treated as an animal with empty fields, and required fields are not checked',
      taking(
        (_, body) => body === null,
        () => nameless,
      ),
    ],
  }),
];
