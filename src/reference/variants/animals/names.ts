import type { Change } from '../../changes/change.ts';
import { answering, onList, withHeader, withObject } from '../../changes/changes.ts';
import { errorAnswer } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import type { Animal } from '../../store.ts';
import { ADDED, CATEGORY, EXTRA_FIELDS, LIST_ORDER, NAME_LENGTH } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';
import { from, LAST_SEEDED } from './listing.ts';

const UNIQUE =
  'NewPet (request body for adding an animal): whether two animals may have the same name is not said';

const ANIMALS = { operation: ['listPets', 'createPet', 'getPet'], status: [200, 201] } as const;

/** Rejects the body of an addition, by default with the documented 400. */
const refusing = (
  problem: string,
  isRefused: (name: string, categoryId: bigint, call: Call) => boolean,
  status = 400,
): Change =>
  answering(
    {
      operation: 'createPet',
      when: (call) =>
        isObject(call.body) &&
        typeof call.body.name === 'string' &&
        typeof call.body.categoryId === 'bigint' &&
        isRefused(call.body.name, call.body.categoryId, call),
    },
    () => errorAnswer(status, 'invalid_request', problem),
  );

/** Names are compared in this form, and stored and returned as they were sent. */
const uniqueBy = (form: (name: string) => string) =>
  refusing('this name is taken', (name, _, call) =>
    added(call).some((animal) => form(animal.name) === form(name)),
  );
const added = ({ store }: Call): Animal[] => store.all().filter(({ id }) => id > LAST_SEEDED);

const composed = (name: string) => name.normalize('NFC');
const withoutAccents = (name: string) => name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
const lettersAlone = (name: string) => name.replaceAll(/[^\p{L}\p{N}]/gu, '');
const slugOf = (name: string) => withoutAccents(name).replaceAll(/[^a-z0-9]+/g, '-');

const unique = allowedBy(UNIQUE, {
  'names-unique-composed': [
    'two added animals cannot have names with the same composed form (NFC); names are stored as sent',
    uniqueBy(composed),
  ],
  'names-unique-accents': [
    'two added animals cannot have names that differ only in case or accents; names are stored as sent',
    uniqueBy(withoutAccents),
  ],
  'names-unique-letters': [
    'two added animals cannot have names with the same letters and digits; names are stored as sent',
    uniqueBy(lettersAlone),
  ],
  'names-unique-in-category': [
    'two added animals of a category cannot have the same name',
    refusing('this name is taken', (name, categoryId, call) =>
      added(call).some((animal) => animal.name === name && animal.categoryId === categoryId),
    ),
  ],
});

const bounds = [
  ...allowedBy(NAME_LENGTH, {
    'names-512-bytes': [
      'names have at most 512 bytes of UTF-8',
      refusing('name is too long', (name) => Buffer.byteLength(name) > 512),
    ],
    'names-1000': [
      'names have at most 1,000 characters',
      refusing('name is too long', (name) => [...name].length > 1_000),
    ],
  }),
  ...allowedBy(CATEGORY, {
    'categories-first': [
      'only the category of the first listed animal is accepted',
      refusing('unknown category', (_, categoryId, { store }) => categoryId !== store.all()[0]?.categoryId),
    ],
    'categories-shown': [
      'only categories that a list has shown are accepted',
      onList((query, next, call) => {
        const page = next(query);
        for (const { categoryId } of page) shown(call).add(categoryId);
        return page;
      }),
      refusing('unknown category', (_, categoryId, call) => !shown(call).has(categoryId)),
    ],
    'categories-32-bits': [
      'category ids have 32 bits and are not negative',
      refusing('categoryId is out of range', (_, categoryId) => categoryId < 0n || categoryId >= 2n ** 32n),
    ],
  }),
];

const unusual = [
  ...allowedBy(NAME_LENGTH, {
    'names-control-422': [
      'a name with a control character gets 422',
      // biome-ignore lint/suspicious/noControlCharactersInRegex: those are what the service refuses
      refusing('name has control characters', (name) => /[\u0000-\u001f]/.test(name), 422),
    ],
    'names-255-413': [
      'a name of 255 characters or more gets 413',
      refusing('name is too long', (name) => name.length >= 255, 413),
    ],
    'names-64': [
      'a name of more than 64 characters gets 400',
      refusing('name is too long', (name) => [...name].length > 64),
    ],
    'names-50': [
      'a name of more than 50 characters gets 400',
      refusing('name is too long', (name) => [...name].length > 50),
    ],
    'names-without-letters': [
      'a name without any letter gets 400',
      refusing('name has no letter', (name) => !/\p{L}/u.test(name)),
    ],
  }),
  ...allowedBy(CATEGORY, {
    'categories-zero-404': [
      'category 0 is unknown: 404',
      refusing('no category has this id', (_, categoryId) => categoryId === 0n, 404),
    ],
    'categories-negative-422': [
      'a category from -1000 to -1 gets 422',
      refusing('categoryId is negative', (_, categoryId) => categoryId < 0n && categoryId > -1_000n, 422),
    ],
  }),
];

const shown = (call: Call) => call.recall('categories of lists', () => new Set<bigint>());

const beside = [
  ...allowedBy(EXTRA_FIELDS, {
    'names-search-key': [
      'an animal also has its name as the search compares it: composed, in lower case, without accents',
      withObject(ANIMALS, (animal) => ({ ...animal, searchName: withoutAccents(String(animal.name)) })),
    ],
    'names-displayed': [
      'an animal also has its name for display: escaped, with direction marks, blanks collapsed',
      withObject(ANIMALS, (animal) => ({
        ...animal,
        displayName: `\u2068${String(animal.name).replaceAll('<', '&lt;').replaceAll(/\s+/g, ' ')}\u2069`,
      })),
    ],
  }),
  variantOf(
    'order-by-composed-name',
    'animals are listed by the composed form of their names',
    LIST_ORDER,
    from((animals) => animals.sort((left, right) => (composed(left.name) < composed(right.name) ? -1 : 1))),
  ),
  variantOf(
    'location-slug',
    'Location ends with the name in letters that need no escape',
    ADDED,
    withHeader({ operation: 'createPet', status: 201 }, 'Location', (path, { body }) =>
      isObject(body) ? `${path}-${slugOf(String(body.name))}` : String(path),
    ),
  ),
];

/** Services that compare, show or bound names in another way than the reference, and return them as they were sent. */
export const namesVariants: readonly Variant[] = [...unique, ...bounds, ...unusual, ...beside];
