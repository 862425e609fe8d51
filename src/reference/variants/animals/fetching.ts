import type { Change, Where } from '../../changes/change.ts';
import { answering, combined, onAnswer, onCall, withField, withObject } from '../../changes/changes.ts';
import { errorAnswer, withoutHeaderOf } from '../../http/answer.ts';
import type { BigIntJson } from '../../http/json.ts';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../http/json.ts';
import { readInt64 } from '../../validation.ts';
import { EXTRA_FIELDS } from '../freedoms.ts';
import { allowedBy, type Variant, variantOf } from '../variant.ts';
import { FIRST, holding } from './listing.ts';

const PATH = 'GET /pets/{petId}: petId is an integer; the response to anything else is not shown';
const RECORD = 'Unspecified resources: "Category record and its fields: not shown"';
const VALUES = 'Pet: name is a string and categoryId an int64, without other bounds';

const animals: Where = { operation: ['listPets', 'createPet', 'getPet'], status: [200, 201] };

const isInteger = (text: string | undefined) => readInt64(text) !== undefined;
const paths = [
  ...[400, 422, 403].map((status) =>
    variantOf(
      `pet-id-non-integer-${status}`,
      `a petId that is not an integer gets ${status}`,
      PATH,
      answering({ operation: 'getPet', when: ({ params }) => !isInteger(params.petId) }, () =>
        errorAnswer(status, 'bad_id', 'petId is an integer'),
      ),
    ),
  ),
  ...allowedBy(PATH, {
    'pet-id-largest-400': [
      'the largest int64 as petId is rejected',
      answering({ operation: 'getPet', when: ({ params }) => params.petId === String(INT64_MAX) }, () =>
        errorAnswer(400, 'bad_id', 'petId is out of range'),
      ),
    ],
    'pet-id-non-integer-unrouted': [
      'a petId that is not an integer is an unknown path',
      onAnswer(
        { operation: 'getPet', key: 'valid', when: ({ params }) => !isInteger(params.petId) },
        (answer) => ({
          ...answer,
          status: 404,
          headers: answer.headers.filter(([name]) => name !== 'Content-Type'),
          body: 'Cannot GET this',
        }),
      ),
    ],
    'pet-id-non-integer-204': [
      'a petId that is not an integer gets 204',
      answering({ operation: 'getPet', when: ({ params }) => !isInteger(params.petId) }, () => ({
        status: 204,
        headers: [],
        body: undefined,
      })),
    ],
  }),
];

const nested = (depth: number): BigIntJson => (depth === 0 ? [] : [nested(depth - 1)]);

const ODD_NAMES = ['', ' ', '\u0000\u0007', '\u2028\u202e', '\ud83d', 'x'.repeat(10_000), 'null', '<i>'];
const ODD_CATEGORIES = [0n, -1n, INT64_MAX, INT64_MIN];

const fields = [
  ...allowedBy(EXTRA_FIELDS, {
    'extra-fields': [
      'an animal has additional fields',
      withObject(animals, (animal) => ({
        tags: ['new', null],
        photoUrl: null,
        ...animal,
        weight: 4.25,
        createdAt: '2026-11-21T09:30:00Z',
        price: { amount: '12.50', currency: 'EUR' },
      })),
    ],
    'extra-fields-odd': [
      'an animal has fields with names and values that break careless parsers',
      withObject(animals, (animal) => ({
        ...animal,
        '': '',
        constructor: 'x',
        toString: 1n,
        'a/b~c.d': [],
        length: 10n ** 300n,
        deep: nested(200),
      })),
    ],
    'fetched-richer': [
      'a fetched animal has more fields than a listed one',
      withObject({ operation: 'getPet', status: 200 }, (animal) => ({
        ...animal,
        description: 'A friend.',
        vaccinated: true,
      })),
    ],
    'extra-fields-heavy': [
      'an animal has a picture of 20 kilobytes',
      withObject(animals, (animal) => ({ ...animal, picture: 'QUJD'.repeat(5_000) })),
    ],
  }),
  variantOf(
    'category-embedded',
    'an animal also has its category as an object',
    RECORD,
    withObject(animals, (animal) => ({
      ...animal,
      category: { id: animal.categoryId ?? null, status: 'open', name: 1n },
    })),
  ),
  variantOf(
    'animals-odd',
    'the animals of the store have unusual names and categories',
    VALUES,
    holding((animal) => {
      const index = Number(animal.id - FIRST);
      const name = ODD_NAMES[index % ODD_NAMES.length];
      const categoryId = ODD_CATEGORIES[index % ODD_CATEGORIES.length];
      if (index === 0 || name === undefined || categoryId === undefined) return animal;
      return { ...animal, name, categoryId };
    }),
  ),
  ...[0n, -5n, INT64_MAX, INT64_MIN].map((categoryId) =>
    variantOf(
      `first-category-${categoryId}`,
      `the first animal of the store has the category ${categoryId}`,
      VALUES,
      holding((animal) => (animal.id === FIRST ? { ...animal, categoryId } : animal)),
    ),
  ),
];

/** Services whose animals differ from the reference's and conform. */
export const fetchingVariants: readonly Variant[] = [...paths, ...fields];

const ID = 'Pet: id is an integer of format int64, "assigned by the service"; how it is chosen is not shown';

/** The same animals with other ids: `shown` and `stored` are inverse to each other. */
export function numbered(shown: (id: bigint) => bigint, stored: (id: bigint) => bigint): Change {
  return combined(
    onCall({ operation: 'getPet' }, (call) => {
      const asked = readInt64(call.params.petId);
      return asked === undefined ? call : { ...call, params: { petId: String(stored(asked)) } };
    }),
    withField(animals, 'id', (id) => (isInt64(id) ? shown(id) : (id ?? null))),
    onAnswer({ operation: 'createPet' }, (answer) => withoutHeaderOf(answer, 'Location')),
  );
}

/** Wraps around at the bounds of int64, so that a multiplication by an odd number can be undone. */
const wrapped = (id: bigint) => BigInt.asIntN(64, id);
const FACTOR = 0x9e37_79b9_7f4a_7c15n;
/** FACTOR times this is 1, modulo 2^64. */
const INVERSE = 0xf1de_83e1_9937_733dn;

/** Animals whose ids differ from the reference's and conform. */
export const idsVariants: readonly Variant[] = allowedBy(ID, {
  'ids-from-0': ['ids start at 0', { settings: { firstId: 0n } }],
  'ids-beyond-double': ['ids are beyond 2^53', { settings: { firstId: 2n ** 53n + 1n } }],
  'ids-near-maximum': ['ids end near the largest int64', { settings: { firstId: INT64_MAX - 200n } }],
  'ids-from-maximum': [
    'ids count down from the largest int64',
    numbered(
      (id) => INT64_MAX - (id - FIRST),
      (id) => INT64_MAX - id + FIRST,
    ),
  ],
  'ids-from-minimum': [
    'ids start at the smallest int64',
    numbered(
      (id) => wrapped(INT64_MIN + id - FIRST),
      (id) => wrapped(id - INT64_MIN + FIRST),
    ),
  ],
  'ids-negative': [
    'ids are negative',
    numbered(
      (id) => -id,
      (id) => wrapped(-id),
    ),
  ],
  'ids-random': [
    'ids are spread over all of int64',
    numbered(
      (id) => wrapped(id * FACTOR),
      (id) => wrapped(id * INVERSE),
    ),
  ],
  'ids-in-steps': [
    'ids leave gaps',
    numbered(
      (id) => id * 1000n,
      (id) => (id % 1000n === 0n ? id / 1000n : -1n),
    ),
  ],
});
