import type { Json } from '../../model/json.ts';

// Schemas come from the user's document. Where one has the next one twice, as in `anyOf: [Next, Next]`, each level doubles
// what there is to look at, and so does each level of a value whose schema has itself twice.

/** Members that are looked at for one value, at most, and how many more for each value inside it. */
const MOST = 100_000;
const MOST_OF_EACH = 300;

/** Judging a value by a schema would look at more members than petspec does. */
export class TooManySteps extends Error {
  override name = 'TooManySteps';

  constructor() {
    super(`a value is looked at by more than ${MOST} members`);
  }
}

let taken = 0;
let allowed = MOST;
let judged: Json = null;

/** Counts from zero again, for another value. */
export function beginSteps(value: Json): void {
  taken = 0;
  allowed = MOST;
  judged = value;
}

/**
 * Counts the members of a schema that a value is about to be judged by.
 * @throws TooManySteps if they are too many
 */
export function countSteps(members: number): true {
  taken += members;
  if (taken <= allowed) return true;
  // Few values come so far, so the others need not be measured.
  if (allowed === MOST) allowed += MOST_OF_EACH * sizeOf(judged);
  if (taken > allowed) throw new TooManySteps();
  return true;
}

/** The values that a value consists of. */
function sizeOf(value: Json): number {
  let size = 0;
  const next: Json[] = [value];
  while (next.length > 0) {
    const each = next.pop();
    size += 1;
    if (typeof each === 'object' && each !== null) for (const one of Object.values(each)) next.push(one);
  }
  return size;
}
