import type { Change } from '../../changes/change.ts';
import { combined, onAnswer, onCall, withField } from '../../changes/changes.ts';
import type { Where } from '../../changes/where.ts';
import { withoutHeaderOf } from '../../http/answer.ts';
import { INT64_MAX, INT64_MIN, isInt64 } from '../../http/json.ts';
import { readInt64 } from '../../validation.ts';
import { type Variant, variantOf } from '../variant.ts';

const ID = 'Pet: id is an integer of format int64, "assigned by the service"; how it is chosen is not shown';

const animals: Where = { operation: ['listPets', 'createPet', 'getPet'], status: [200, 201] };

/** The same animals with other ids: `shown` and `own` are inverse to each other. */
export function numbered(shown: (id: bigint) => bigint, own: (id: bigint) => bigint): Change {
  return combined(
    onCall({ operation: 'getPet' }, (call) => {
      const asked = readInt64(call.params.petId);
      return asked === undefined ? call : { ...call, params: { petId: String(own(asked)) } };
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
const FIRST = 1001n;

/** Animals whose ids differ from the reference's and conform. */
export const idsVariants: readonly Variant[] = [
  variantOf('ids-from-0', 'ids start at 0', ID, { settings: { firstId: 0n } }),
  variantOf('ids-beyond-double', 'ids are beyond 2^53', ID, { settings: { firstId: 2n ** 53n + 1n } }),
  variantOf('ids-near-maximum', 'ids end near the largest int64', ID, {
    settings: { firstId: INT64_MAX - 200n },
  }),
  variantOf(
    'ids-from-maximum',
    'ids count down from the largest int64',
    ID,
    numbered(
      (id) => INT64_MAX - (id - FIRST),
      (id) => INT64_MAX - id + FIRST,
    ),
  ),
  variantOf(
    'ids-from-minimum',
    'ids start at the smallest int64',
    ID,
    numbered(
      (id) => wrapped(INT64_MIN + id - FIRST),
      (id) => wrapped(id - INT64_MIN + FIRST),
    ),
  ),
  variantOf(
    'ids-negative',
    'ids are negative',
    ID,
    numbered(
      (id) => -id,
      (id) => wrapped(-id),
    ),
  ),
  variantOf(
    'ids-random',
    'ids are spread over all of int64',
    ID,
    numbered(
      (id) => wrapped(id * FACTOR),
      (id) => wrapped(id * INVERSE),
    ),
  ),
  variantOf(
    'ids-in-steps',
    'ids leave gaps',
    ID,
    numbered(
      (id) => id * 1000n,
      (id) => (id % 1000n === 0n ? id / 1000n : -1n),
    ),
  ),
];
