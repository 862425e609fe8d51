import type { Change } from '../../changes/change.ts';
import { answering, onAnswer, withHeader, withObject, withoutHeader } from '../../changes/changes.ts';
import type { Where } from '../../changes/where.ts';
import { errorAnswer, withHeaderOf, withoutHeaderOf } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { type Variant, variantOf } from '../variant.ts';
import { FIRST, holding, LAST_SEEDED } from './listing.ts';

const DEFAULT = 'NewPet (request body for adding an animal): status, "No default value is given."';
const EXTRA =
  'NewPet (request body for adding an animal): whether fields that are not listed may be sent is not said';
const NAME = 'NewPet (request body for adding an animal): name is a string, of no stated length';
const CATEGORY =
  'Unspecified resources: "Category record and its fields: not shown beyond the `categoryId` reference."';
const RANGE =
  'POST /pets (createPet): 400 for "invalid values", and which category ids are valid is not shown';
const CREATED = 'POST /pets (createPet): 201 with a Pet; no response header is stated';

/** What cannot be told where the only category that petspec can guess is refused, and no animal is there. */
const NOTHING_ADDED = [
  'Pet',
  ...['id', 'name', 'categoryId', 'status'].map((field) => `Pet.${field}`),
  ...['201', 'body', 'echo', 'id'].map((part) => `createPet.${part}`),
  ...['name', 'categoryId', 'status'].map((field) => `NewPet.${field}`),
  'getPet.200',
];

const FIELDS = ['name', 'categoryId', 'status'];
const KNOWN = [1n, 2n, 3n, 7n, 9_007_199_254_740_993n];
const created: Where = { operation: 'createPet', status: 201 };

/** A body that is refused with 400 for a reason of the service's own. */
function refusing(
  problem: string,
  isRefused: (body: Record<string, unknown>, call: Call) => boolean,
): Change {
  return answering(
    { operation: 'createPet', when: (call) => isObject(call.body) && isRefused(call.body, call) },
    () => errorAnswer(400, 'invalid_request', problem),
  );
}

const isBeyond = (value: unknown, bound: bigint) =>
  typeof value === 'bigint' && (value > bound || value < -bound);
const isForeign = (value: unknown, known: readonly bigint[]) =>
  typeof value === 'bigint' && !known.includes(value);

/** Names that whoever tries a service gives, with all that a name may hold. */
const PLAIN = [
  'Rex',
  'Rex maximum',
  'Rex minimum',
  'Zoë "Łatka" O\'Neil <b>Tom & Jerry</b> &amp; 50% \\ / 🐈',
  'Мурка 猫咪 ネコ คน 고양이 +1 {x} $HOME',
  'قطة حתול Γάτα कुत्ता 🦊👩‍🚀 <script>alert(1)</script>',
];

/** Names that were added before; they are taken, as in a table with a unique index. */
const isTaken = (name: unknown, call: Call) =>
  call.store.all().some((animal) => animal.id > LAST_SEEDED && animal.name === name);

/** Unknown fields of a creation are kept: they come back then, and whenever the animal is read. */
const keepingFields: Change = {
  store: {
    create: (animal, { body }) => {
      if (!isObject(body)) return animal;
      const others = Object.entries(body).filter(([name]) => !FIELDS.includes(name));
      return { ...Object.fromEntries(others), ...animal };
    },
  },
};

const defaults = [
  ...(['available', 'pending', 'sold'] as const).map((status) =>
    variantOf(`status-default-${status}`, `an animal added without a status is ${status}`, DEFAULT, {
      store: { create: (animal) => ({ status, ...animal }) },
    }),
  ),
  variantOf(
    'status-filled-later',
    'an animal added without a status becomes available once it is stored',
    DEFAULT,
    {
      store: { keep: (animal) => ({ status: 'available', ...animal }) },
    },
  ),
];

const bodies = [
  variantOf(
    'unknown-fields-refused',
    'a body with a field that is not listed is refused',
    EXTRA,
    refusing('unknown field', (body) => Object.keys(body).some((name) => !FIELDS.includes(name))),
  ),
  variantOf('unknown-fields-kept', 'fields that are not listed are kept and returned', EXTRA, keepingFields),
  variantOf(
    'names-255',
    'names have at most 255 characters',
    NAME,
    refusing('name is too long', ({ name }) => typeof name === 'string' && name.length > 255),
  ),
  variantOf('names-normalised', 'names are kept in their composed form (NFC)', NAME, {
    store: { create: (animal) => ({ ...animal, name: animal.name.normalize('NFC') }) },
  }),
  variantOf('names-trimmed', 'blanks at the ends of a name are no part of it', NAME, {
    store: { create: (animal) => ({ ...animal, name: animal.name.trim() }) },
  }),
  variantOf('names-collapsed', 'several blanks in a row count as one', NAME, {
    store: { create: (animal) => ({ ...animal, name: animal.name.replace(/\s+/g, ' ') }) },
  }),
  variantOf(
    'names-unique',
    'no two animals that were added have one name',
    NAME,
    refusing('this name is taken', ({ name }, call) => isTaken(name, call)),
  ),
  variantOf(
    'names-unique-taken',
    'no two animals have one name, and those that were there have the plainest ones',
    NAME,
    holding((animal) => ({ ...animal, name: PLAIN[Number(animal.id - FIRST)] ?? animal.name })),
    refusing(
      'this name is taken',
      ({ name }, { store }) =>
        PLAIN.some((each) => each === name) || store.all().some((animal) => animal.name === name),
    ),
  ),
  variantOf(
    'int64-extremes-refused',
    'category ids beyond 2^62 are refused',
    RANGE,
    refusing('categoryId is out of range', ({ categoryId }) => isBeyond(categoryId, 2n ** 62n)),
  ),
  variantOf(
    'beyond-double-refused',
    'category ids beyond 2^53 are refused',
    RANGE,
    refusing('categoryId is not safe', ({ categoryId }) => isBeyond(categoryId, 2n ** 53n - 1n)),
  ),
  variantOf(
    'categories-known',
    'only the categories of the listing are accepted',
    CATEGORY,
    refusing('no such category', ({ categoryId }) => isForeign(categoryId, KNOWN)),
  ),
  variantOf(
    'categories-positive',
    'category ids are positive',
    CATEGORY,
    refusing('categoryId is positive', ({ categoryId }) => typeof categoryId === 'bigint' && categoryId < 1n),
  ),
  variantOf(
    'categories-known-empty',
    'the store is empty and knows the category 1 alone',
    CATEGORY,
    { settings: { animals: 0 } },
    refusing('no such category', ({ categoryId }) => isForeign(categoryId, [1n])),
  ),
  {
    ...variantOf(
      'categories-foreign-empty',
      'the store is empty and its only category is 4711',
      CATEGORY,
      { settings: { animals: 0 } },
      refusing('no such category', ({ categoryId }) => isForeign(categoryId, [4711n])),
    ),
    untested: NOTHING_ADDED,
  },
];

const responses = [
  variantOf('location-absent', '201 comes without Location', CREATED, withoutHeader(created, 'Location')),
  variantOf(
    'location-absolute',
    'Location is an absolute URI',
    CREATED,
    withHeader(created, 'Location', (path) => `https://example.com${path}`),
  ),
  variantOf(
    'content-location',
    '201 comes with Content-Location instead',
    CREATED,
    onAnswer(created, (answer) =>
      withoutHeaderOf(withHeaderOf(answer, 'Content-Location', '/v1/pets/new'), 'Location'),
    ),
  ),
  variantOf(
    'created-richer',
    'the animal that was added comes with more than a fetched one',
    CREATED,
    withObject(created, (animal) => ({ ...animal, createdBy: 'dashboard', warnings: [] })),
  ),
];

/** Services that add animals otherwise than the reference and conform. */
export const addingVariants: readonly Variant[] = [...defaults, ...bodies, ...responses];
