import type { Change, Where } from '../../changes/change.ts';
import {
  answering,
  onAnswer,
  onCall,
  onCreate,
  onKeep,
  withHeader,
  withObject,
  withoutHeader,
} from '../../changes/changes.ts';
import { errorAnswer, withHeaderOf, withoutHeaderOf } from '../../http/answer.ts';
import type { Call } from '../../http/call.ts';
import { isObject } from '../../http/json.ts';
import { ADDED, CATEGORY, NAME_LENGTH } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';
import { FIRST, holding, LAST_SEEDED } from './listing.ts';

const DEFAULT = 'NewPet (request body for adding an animal): status, "No default value is given."';
const EXTRA = 'NewPet (request body for adding an animal): whether unlisted fields may be sent is not said';
const RANGE =
  'POST /pets (createPet): 400 for "invalid values", and which category ids are valid is not shown';

/** Not testable if the store is empty and rejects the only category that petspec can guess. */
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

/** Rejects a body with 400 for a reason that the interface does not list. */
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

/** Names that a test of the service is likely to use, with all kinds of characters. */
const PLAIN = [
  'Rex',
  'Rex maximum',
  'Rex minimum',
  'Zoë "Łatka" O\'Neil <b>Tom & Jerry</b> &amp; 50% \\ / 🐈',
  'Мурка 猫咪 ネコ คน 고양이 +1 {x} $HOME',
  'قطة حתול Γάτα कुत्ता 🦊👩‍🚀 <script>alert(1)</script>',
];

/** Whether an added animal has the name, as in a table with a unique index. */
const isTaken = (name: unknown, call: Call) =>
  call.store.all().some((animal) => animal.id > LAST_SEEDED && animal.name === name);

/** Stores unknown fields of an addition and returns them with the animal. */
const keepingFields: Change = onCreate((animal, { body }) => {
  if (!isObject(body)) return animal;
  const others = Object.entries(body).filter(([name]) => !FIELDS.includes(name));
  return { ...Object.fromEntries(others), ...animal };
});

const defaults = [
  ...(['available', 'pending', 'sold'] as const).map((status) =>
    variantOf(
      `status-default-${status}`,
      `an animal added without a status is ${status}`,
      DEFAULT,
      onCreate((animal) => ({ status, ...animal })),
    ),
  ),
  variantOf(
    'status-filled-later',
    'an animal added without a status becomes available once it is stored',
    DEFAULT,
    onKeep((animal) => ({ status: 'available', ...animal })),
  ),
];

const bodies = [
  variantOf(
    'bytes-replaced',
    'bytes that are not UTF-8 are read as replacement characters',
    'POST /pets (createPet): 400 for "invalid values", and how they are noticed is not said',
    onCall({ operation: 'createPet' }, (call) =>
      call.bodyText === undefined ? { ...call, bodyText: call.bodyBytes.toString('utf8') } : call,
    ),
  ),
  ...allowedBy(EXTRA, {
    'unknown-fields-refused': [
      'a body with an unlisted field is rejected',
      refusing('unknown field', (body) => Object.keys(body).some((name) => !FIELDS.includes(name))),
    ],
    'id-refused': [
      'a body with an id is rejected',
      refusing('the service assigns the id', (body) => 'id' in body),
    ],
    'unknown-fields-kept': ['unlisted fields are stored and returned', keepingFields],
  }),
  ...allowedBy(NAME_LENGTH, {
    'names-255': [
      'names have at most 255 characters',
      refusing('name is too long', ({ name }) => typeof name === 'string' && name.length > 255),
    ],
    'names-not-empty': [
      'names have at least one character',
      refusing('name is empty', ({ name }) => name === ''),
    ],
    'names-22': [
      'names have at most 22 characters',
      refusing('name is too long', ({ name }) => typeof name === 'string' && [...name].length > 22),
    ],
    'names-32-bytes': [
      'names have at most 32 bytes of UTF-8',
      refusing('name is too long', ({ name }) => typeof name === 'string' && Buffer.byteLength(name) > 32),
    ],
    'names-normalised': [
      'names are stored in composed form (NFC)',
      onCreate((animal) => ({ ...animal, name: animal.name.normalize('NFC') })),
    ],
    'names-trimmed': [
      'spaces at both ends of a name are trimmed',
      onCreate((animal) => ({ ...animal, name: animal.name.trim() })),
    ],
    'names-collapsed': [
      'several spaces in a row are collapsed into one',
      onCreate((animal) => ({ ...animal, name: animal.name.replace(/\s+/g, ' ') })),
    ],
    'names-unique': [
      'two added animals cannot have the same name',
      refusing('this name is taken', ({ name }, call) => isTaken(name, call)),
    ],
    'names-unique-taken': [
      'two animals cannot have the same name, and existing animals have the most obvious names',
      holding((animal) => ({ ...animal, name: PLAIN[Number(animal.id - FIRST)] ?? animal.name })),
      refusing(
        'this name is taken',
        ({ name }, { store }) =>
          PLAIN.some((plain) => plain === name) || store.all().some((animal) => animal.name === name),
      ),
    ],
  }),
  ...allowedBy(RANGE, {
    'int64-extremes-refused': [
      'category ids beyond 2^62 are rejected',
      refusing('categoryId is out of range', ({ categoryId }) => isBeyond(categoryId, 2n ** 62n)),
    ],
    'beyond-double-refused': [
      'category ids beyond 2^53 are rejected',
      refusing('categoryId is not safe', ({ categoryId }) => isBeyond(categoryId, 2n ** 53n - 1n)),
    ],
  }),
  ...allowedBy(CATEGORY, {
    'categories-known': [
      'only categories of listed animals are accepted',
      refusing('unknown category', ({ categoryId }) => isForeign(categoryId, KNOWN)),
    ],
    'categories-positive': [
      'category ids must be positive',
      refusing(
        'categoryId is positive',
        ({ categoryId }) => typeof categoryId === 'bigint' && categoryId < 1n,
      ),
    ],
    'categories-known-empty': [
      'the store is empty, and its only category is 1',
      { settings: { animals: 0 } },
      refusing('unknown category', ({ categoryId }) => isForeign(categoryId, [1n])),
    ],
  }),
  {
    ...variantOf(
      'categories-foreign-empty',
      'the store is empty, and its only category is 4711',
      CATEGORY,
      { settings: { animals: 0 } },
      refusing('unknown category', ({ categoryId }) => isForeign(categoryId, [4711n])),
    ),
    untested: NOTHING_ADDED,
  },
];

const responses = allowedBy(ADDED, {
  'location-absent': ['201s have no Location', withoutHeader(created, 'Location')],
  'location-absolute': [
    'Location is an absolute URI',
    withHeader(created, 'Location', (path) => `https://example.com${path}`),
  ],
  'content-location': [
    '201s have Content-Location instead of Location',
    onAnswer(created, (answer) =>
      withoutHeaderOf(withHeaderOf(answer, 'Content-Location', '/v1/pets/new'), 'Location'),
    ),
  ],
  'created-richer': [
    'an added animal has more fields than a fetched one',
    withObject(created, (animal) => ({ ...animal, createdBy: 'dashboard', warnings: [] })),
  ],
});

/** Services that add animals in another way than the reference and conform. */
export const addingVariants: readonly Variant[] = [...defaults, ...bodies, ...responses];
