import type { Change } from '../../changes/change.ts';
import { isObject } from '../../http/json.ts';
import { type Variant, variantOf } from '../variant.ts';

const OTHERS =
  'What the service does: other clients also add animals, and no sentence says which names they give';

/** A store so small that a page shows what others add. */
const SMALL = { animals: 50 };
const FIRST_OF_OTHERS = 600_000n;
const MOST_OF_OTHERS = 10;

/** Names that are nearly the same. A name without small letters is the same in capitals, so it gets a dot instead. */
const namesLike = (name: string) =>
  [`${name} 2`, name.slice(0, -1), name.toUpperCase(), `${name} `].map((alike) =>
    alike === name ? `${name}.` : alike,
  );

/** After each of some additions, whatever became of it, another client adds an animal. */
const addingAlike: Change = {
  around: async (call, next) => {
    const answer = await next(call);
    if (call.operation !== 'createPet' || !isObject(call.body)) return answer;
    const { name } = call.body;
    const seen = call.recall('names seen by others', () => new Set<string>());
    if (typeof name !== 'string' || seen.has(name) || seen.size >= MOST_OF_OTHERS) return answer;
    const alike = namesLike(name);
    const other = alike[seen.size % alike.length] ?? '';
    seen.add(name);
    call.store.put({ id: FIRST_OF_OTHERS + BigInt(seen.size), name: other, categoryId: 2n });
    return answer;
  },
};

/** Services whose other clients add animals that resemble those of a run. */
export const otherClientVariants: readonly Variant[] = [
  variantOf(
    'names-of-others-alike',
    'other clients add animals with nearly the names of the latest additions, also of refused ones',
    OTHERS,
    { settings: SMALL },
    addingAlike,
  ),
];
