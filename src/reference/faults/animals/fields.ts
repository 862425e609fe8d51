import { withBody, withField, withObject, withoutField } from '../../changes/changes.ts';
import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';

const listed = { operation: 'listPets', status: 200 } as const;
const created = { operation: 'createPet', status: 201 } as const;
const fetched = { operation: 'getPet', status: 200 } as const;
/** Animals in any response. */
const animals = { operation: ['listPets', 'createPet', 'getPet'], status: [200, 201] } as const;

const each = (body: BigIntJson, change: (element: BigIntJson, index: number) => BigIntJson): BigIntJson =>
  Array.isArray(body) ? body.map(change) : body;
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const text = (value: BigIntJson | undefined): string => String(value);

/** The fields of an animal in responses. */
export const fieldFaults: readonly Fault[] = [
  {
    id: 'pet-ids-alone',
    summary: 'a list contains only ids',
    violates: ['Pet'],
    ...withBody(listed, (body) => each(body, (animal) => (isObject(animal) ? (animal.id ?? null) : animal))),
  },
  {
    id: 'pet-null-last',
    summary: 'a full page ends with null',
    violates: ['Pet'],
    ...withBody(listed, (body) => each(body, (animal, index) => (index === 99 ? null : animal))),
  },
  {
    id: 'pet-wrapped-created',
    summary: 'an added animal is wrapped: {"pet": {...}}',
    violates: ['Pet'],
    ...withObject(created, (pet) => ({ pet })),
  },
  {
    id: 'pet-empty-created',
    summary: 'the response to an addition has no body',
    violates: ['Pet'],
    ...withBody(created, () => undefined),
  },
  {
    id: 'pet-array-fetched',
    summary: 'a fetched animal is returned as a list of one',
    violates: ['Pet'],
    ...withBody(fetched, (animal) => [animal]),
  },
  {
    id: 'pet-true-created',
    summary: 'the body of the response to an addition is true',
    violates: ['Pet'],
    ...withBody(created, () => true),
  },
  {
    id: 'pet-error-created',
    summary: 'an addition gets 201 with an Error in the body',
    violates: ['Pet'],
    ...withBody(created, () => ({ code: 'created', message: 'the animal was added', status: 201n })),
  },
  {
    id: 'pet-capitals',
    summary: 'all field names begin with a capital letter',
    violates: ['Pet'],
    ...withObject(animals, (animal) =>
      Object.fromEntries(Object.entries(animal).map(([name, value]) => [capital(name), value])),
    ),
  },
  {
    id: 'pet-attributes-created',
    summary: 'an added animal has its fields inside attributes, except the id',
    violates: ['Pet.name', 'Pet.categoryId'],
    because: 'one cause, but it moves two required fields',
    ...withObject(created, ({ id = null, ...attributes }) => ({ id, attributes })),
  },
  {
    id: 'pet-id-text',
    summary: 'ids are strings',
    violates: ['Pet.id'],
    ...withField(animals, 'id', text),
  },
  {
    id: 'pet-id-text-created',
    summary: 'the id of an added animal is a string',
    violates: ['Pet.id'],
    ...withField(created, 'id', text),
  },
  {
    id: 'pet-id-text-beyond-2-53',
    summary: 'ids that a double cannot represent are strings, the others numbers',
    violates: ['Pet.id'],
    settings: { firstId: 2n ** 53n - 60n },
    ...withField(animals, 'id', (id) =>
      typeof id === 'bigint' && id > 2n ** 53n ? String(id) : (id ?? null),
    ),
  },
  {
    id: 'pet-id-missing-created',
    summary: 'the response to an addition repeats the request, without an id',
    violates: ['Pet.id'],
    ...withoutField(created, 'id'),
  },
  {
    id: 'pet-id-renamed-listed',
    summary: 'a list calls the id _id',
    violates: ['Pet.id'],
    ...withObject(listed, ({ id = null, ...rest }) => ({ _id: id, ...rest })),
  },
  {
    id: 'pet-id-unsigned',
    summary: 'ids are unsigned, and one is beyond int64',
    violates: ['Pet.id'],
    ...withField(fetched, 'id', (id) => (typeof id === 'bigint' ? id + 2n ** 63n : null)),
  },
  {
    id: 'pet-name-null-listed',
    summary: 'names are null in lists',
    violates: ['Pet.name'],
    ...withField(listed, 'name', null),
  },
  {
    id: 'pet-name-missing-fetched',
    summary: 'a fetched animal has title instead of name',
    violates: ['Pet.name'],
    ...withObject(fetched, ({ name = '', ...rest }) => ({ ...rest, title: name })),
  },
  {
    id: 'pet-name-object',
    summary: 'a name is an object with a text per language',
    violates: ['Pet.name'],
    ...withObject(created, ({ name = '', ...rest }) => ({ ...rest, name: { en: name } })),
  },
  {
    id: 'pet-name-false-sold',
    summary: 'the name of a sold animal is false',
    violates: ['Pet.name'],
    ...withObject(animals, (animal) => (animal.status === 'sold' ? { ...animal, name: false } : animal)),
  },
  {
    id: 'pet-category-text',
    summary: 'categoryId is a string',
    violates: ['Pet.categoryId'],
    ...withField(animals, 'categoryId', text),
  },
  {
    id: 'pet-category-text-large',
    summary: 'a categoryId that a double cannot represent is a string',
    violates: ['Pet.categoryId'],
    ...withField(animals, 'categoryId', (id) =>
      typeof id === 'bigint' && id > 2n ** 53n ? String(id) : (id ?? null),
    ),
  },
  {
    id: 'pet-category-snake-case',
    summary: 'lists have category_id instead of categoryId',
    violates: ['Pet.categoryId'],
    ...withObject(listed, ({ categoryId = null, ...rest }) => ({ ...rest, category_id: categoryId })),
  },
  {
    id: 'pet-category-object-fetched',
    summary: 'a fetched animal has an object category with an id instead of categoryId',
    violates: ['Pet.categoryId'],
    ...withObject(fetched, ({ categoryId = null, ...rest }) => ({ ...rest, category: { id: categoryId } })),
  },
  {
    id: 'pet-category-null-created',
    summary: 'categoryId is null in the response to an addition',
    violates: ['Pet.categoryId'],
    ...withField(created, 'categoryId', null),
  },
  {
    id: 'pet-status-null',
    summary: 'an animal without a status has the status null',
    violates: ['Pet.status'],
    ...withField(animals, 'status', (status = null) => status),
  },
  {
    id: 'pet-status-null-created',
    summary: 'the response to an addition without a status has the status null',
    violates: ['Pet.status'],
    ...withField(created, 'status', (status = null) => status),
  },
  {
    id: 'pet-status-empty-fetched',
    summary: 'a fetched animal without a status has an empty string as status',
    violates: ['Pet.status'],
    ...withField(fetched, 'status', (status = '') => status),
  },
  {
    id: 'pet-status-upper-case',
    summary: 'statuses are in upper case: SOLD',
    violates: ['Pet.status'],
    ...withObject(animals, (animal) =>
      animal.status ? { ...animal, status: text(animal.status).toUpperCase() } : animal,
    ),
  },
  {
    id: 'pet-status-number',
    summary: 'the status of an added animal is its index in the enumeration',
    violates: ['Pet.status'],
    ...withObject(created, (animal) => (animal.status ? { ...animal, status: 0n } : animal)),
  },
  {
    id: 'pet-status-reserved',
    summary: 'pending is called reserved in lists',
    violates: ['Pet.status'],
    ...withObject(listed, (animal) =>
      animal.status === 'pending' ? { ...animal, status: 'reserved' } : animal,
    ),
  },
];
