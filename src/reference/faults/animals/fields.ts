import { withBody, withField, withObject, withoutField } from '../../changes/changes.ts';
import type { Json } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';

const listed = { operation: 'listPets', status: 200 } as const;
const created = { operation: 'createPet', status: 201 } as const;
const fetched = { operation: 'getPet', status: 200 } as const;
/** Animals wherever they come from. */
const animals = { operation: ['listPets', 'createPet', 'getPet'], status: [200, 201] } as const;

const each = (body: Json, change: (element: Json, index: number) => Json): Json =>
  Array.isArray(body) ? body.map(change) : body;
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const text = (value: Json | undefined): string => String(value);

/** The fields of an animal, as responses carry them. */
export const fieldFaults: readonly Fault[] = [
  {
    id: 'pet-ids-alone',
    summary: 'a list holds ids alone',
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
    summary: 'an addition is answered without a body',
    violates: ['Pet'],
    ...withBody(created, () => undefined),
  },
  {
    id: 'pet-array-fetched',
    summary: 'a fetched animal comes as a list of one',
    violates: ['Pet'],
    ...withBody(fetched, (animal) => [animal]),
  },
  {
    id: 'pet-true-created',
    summary: 'an addition is answered with true',
    violates: ['Pet'],
    ...withBody(created, () => true),
  },
  {
    id: 'pet-error-created',
    summary: 'an addition is answered 201, with an Error in the body',
    violates: ['Pet'],
    ...withBody(created, () => ({ code: 'created', message: 'the animal was added', status: 201n })),
  },
  {
    id: 'pet-capitals',
    summary: 'the names of all fields begin with a capital letter',
    violates: ['Pet'],
    ...withObject(animals, (animal) =>
      Object.fromEntries(Object.entries(animal).map(([name, value]) => [capital(name), value])),
    ),
  },
  {
    id: 'pet-attributes-created',
    summary: 'an added animal has its fields below attributes, and its id above',
    violates: ['Pet.name', 'Pet.categoryId'],
    because: 'both required fields lie deeper, though one change moves them',
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
    summary: 'ids that a double cannot hold are strings, the others numbers',
    violates: ['Pet.id'],
    settings: { firstId: 2n ** 53n - 60n },
    ...withField(animals, 'id', (id) =>
      typeof id === 'bigint' && id > 2n ** 53n ? String(id) : (id ?? null),
    ),
  },
  {
    id: 'pet-id-missing-created',
    summary: 'an added animal is answered as it was sent, without its id',
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
    summary: 'ids are unsigned: one is beyond int64',
    violates: ['Pet.id'],
    ...withField(fetched, 'id', (id) => (typeof id === 'bigint' ? id + 2n ** 63n : null)),
  },
  {
    id: 'pet-name-null-listed',
    summary: 'names are not read for lists: they are null',
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
    summary: 'a name is an object by language',
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
    summary: 'a categoryId that a double cannot hold is a string',
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
    summary: 'a fetched animal has a category with an id instead of a categoryId',
    violates: ['Pet.categoryId'],
    ...withObject(fetched, ({ categoryId = null, ...rest }) => ({ ...rest, category: { id: categoryId } })),
  },
  {
    id: 'pet-category-null-created',
    summary: 'categoryId is null in the answer to an addition',
    violates: ['Pet.categoryId'],
    ...withField(created, 'categoryId', null),
  },
  {
    id: 'pet-status-null',
    summary: 'the status of an animal that has none is null',
    violates: ['Pet.status'],
    ...withField(animals, 'status', (status = null) => status),
  },
  {
    id: 'pet-status-null-created',
    summary: 'an animal that is added without a status is answered with null',
    violates: ['Pet.status'],
    ...withField(created, 'status', (status = null) => status),
  },
  {
    id: 'pet-status-empty-fetched',
    summary: 'a fetched animal without a status has an empty one',
    violates: ['Pet.status'],
    ...withField(fetched, 'status', (status = '') => status),
  },
  {
    id: 'pet-status-upper-case',
    summary: 'statuses are the names of constants: SOLD',
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
