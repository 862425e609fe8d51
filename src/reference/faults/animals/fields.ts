import { withBody, withField, withObject, withoutField } from '../../changes/changes.ts';
import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import { type Fault, violating } from '../fault.ts';
import { ANIMALS, CREATED, FETCHED, LISTED } from '../requests.ts';

const listedAs = (
  body: BigIntJson,
  change: (element: BigIntJson, index: number) => BigIntJson,
): BigIntJson => (Array.isArray(body) ? body.map(change) : body);
const capital = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);
const text = (value: BigIntJson | undefined): string => String(value);

/** The fields of an animal in responses. */
export const fieldFaults: readonly Fault[] = [
  ...violating('Pet', {
    'pet-ids-alone': [
      'a list contains only ids',
      withBody(LISTED, (body) =>
        listedAs(body, (animal) => (isObject(animal) ? (animal.id ?? null) : animal)),
      ),
    ],
    'pet-null-last': [
      'a full page ends with null',
      withBody(LISTED, (body) => listedAs(body, (animal, index) => (index === 99 ? null : animal))),
    ],
    'pet-wrapped-created': [
      'an added animal is wrapped: {"pet": {...}}',
      withObject(CREATED, (pet) => ({ pet })),
    ],
    'pet-empty-created': ['the response to an addition has no body', withBody(CREATED, () => undefined)],
    'pet-array-fetched': [
      'a fetched animal is returned as a list of one',
      withBody(FETCHED, (animal) => [animal]),
    ],
    'pet-true-created': ['the body of the response to an addition is true', withBody(CREATED, () => true)],
    'pet-error-created': [
      'an addition gets 201 with an Error in the body',
      withBody(CREATED, () => ({ code: 'created', message: 'the animal was added', status: 201n })),
    ],
    'pet-capitals': [
      'all field names begin with a capital letter',
      withObject(ANIMALS, (animal) =>
        Object.fromEntries(Object.entries(animal).map(([name, value]) => [capital(name), value])),
      ),
    ],
  }),
  {
    id: 'pet-attributes-created',
    summary: 'an added animal has its fields inside attributes, except the id',
    violates: ['Pet.name', 'Pet.categoryId'],
    because: 'one cause, but it moves two required fields',
    ...withObject(CREATED, ({ id = null, ...attributes }) => ({ id, attributes })),
  },
  ...violating('Pet.id', {
    'pet-id-text': ['ids are strings', withField(ANIMALS, 'id', text)],
    'pet-id-text-created': ['the id of an added animal is a string', withField(CREATED, 'id', text)],
    'pet-id-text-beyond-2-53': [
      'ids that a double cannot represent are strings, the others numbers',
      {
        settings: { firstId: 2n ** 53n - 60n },
        ...withField(ANIMALS, 'id', (id) =>
          typeof id === 'bigint' && id > 2n ** 53n ? String(id) : (id ?? null),
        ),
      },
    ],
    'pet-id-missing-created': [
      'the response to an addition repeats the request, without an id',
      withoutField(CREATED, 'id'),
    ],
    'pet-id-renamed-listed': [
      'a list calls the id _id',
      withObject(LISTED, ({ id = null, ...rest }) => ({ _id: id, ...rest })),
    ],
    'pet-id-unsigned': [
      'ids are unsigned, and one is beyond int64',
      withField(FETCHED, 'id', (id) => (typeof id === 'bigint' ? id + 2n ** 63n : null)),
    ],
  }),
  ...violating('Pet.name', {
    'pet-name-null-listed': ['names are null in lists', withField(LISTED, 'name', null)],
    'pet-name-missing-fetched': [
      'a fetched animal has title instead of name',
      withObject(FETCHED, ({ name = '', ...rest }) => ({ ...rest, title: name })),
    ],
    'pet-name-object': [
      'a name is an object with a text per language',
      withObject(CREATED, ({ name = '', ...rest }) => ({ ...rest, name: { en: name } })),
    ],
    'pet-name-false-sold': [
      'the name of a sold animal is false',
      withObject(ANIMALS, (animal) => (animal.status === 'sold' ? { ...animal, name: false } : animal)),
    ],
  }),
  ...violating('Pet.categoryId', {
    'pet-category-text': ['categoryId is a string', withField(ANIMALS, 'categoryId', text)],
    'pet-category-text-large': [
      'a categoryId that a double cannot represent is a string',
      withField(ANIMALS, 'categoryId', (id) =>
        typeof id === 'bigint' && id > 2n ** 53n ? String(id) : (id ?? null),
      ),
    ],
    'pet-category-snake-case': [
      'lists have category_id instead of categoryId',
      withObject(LISTED, ({ categoryId = null, ...rest }) => ({ ...rest, category_id: categoryId })),
    ],
    'pet-category-object-fetched': [
      'a fetched animal has an object category with an id instead of categoryId',
      withObject(FETCHED, ({ categoryId = null, ...rest }) => ({ ...rest, category: { id: categoryId } })),
    ],
    'pet-category-null-created': [
      'categoryId is null in the response to an addition',
      withField(CREATED, 'categoryId', null),
    ],
  }),
  ...violating('Pet.status', {
    'pet-status-null': [
      'an animal without a status has the status null',
      withField(ANIMALS, 'status', (status = null) => status),
    ],
    'pet-status-null-created': [
      'the response to an addition without a status has the status null',
      withField(CREATED, 'status', (status = null) => status),
    ],
    'pet-status-empty-fetched': [
      'a fetched animal without a status has an empty string as status',
      withField(FETCHED, 'status', (status = '') => status),
    ],
    'pet-status-upper-case': [
      'statuses are in upper case: SOLD',
      withObject(ANIMALS, (animal) =>
        animal.status ? { ...animal, status: text(animal.status).toUpperCase() } : animal,
      ),
    ],
    'pet-status-number': [
      'the status of an added animal is its index in the enumeration',
      withObject(CREATED, (animal) => (animal.status ? { ...animal, status: 0n } : animal)),
    ],
    'pet-status-reserved': [
      'pending is called reserved in lists',
      withObject(LISTED, (animal) =>
        animal.status === 'pending' ? { ...animal, status: 'reserved' } : animal,
      ),
    ],
  }),
];
