/** Interface: PetStatus. */
export const PET_STATUSES = ['available', 'pending', 'sold'] as const;

export type PetStatus = (typeof PET_STATUSES)[number];

/** Interface: NewPet. */
export type NewPet = { name: string; categoryId: bigint; status?: PetStatus };

/** Interface: Pet. */
export type Animal = { id: bigint } & NewPet;

/** The query of `GET /pets`. */
export interface ListQuery {
  limit: number;
  status?: PetStatus;
}

export type Store = ReturnType<typeof createStore>;

/** The animals of a running reference, oldest first: `count` seeded ones, with consecutive ids from `firstId`. */
export function createStore(count: number, firstId: bigint) {
  const animals = new Map<bigint, Animal>();
  for (const animal of seededAnimals(count, firstId)) animals.set(animal.id, animal);
  let next = firstId + BigInt(count);
  return {
    all: (): Animal[] => [...animals.values()],
    get: (id: bigint): Animal | undefined => animals.get(id),
    put: (animal: Animal): void => {
      animals.set(animal.id, animal);
    },
    /** The id for the next animal; different on every call. */
    nextId: (): bigint => next++,
  };
}

/** The first `limit` animals with the requested status. */
export function select(animals: readonly Animal[], { limit, status }: ListQuery): Animal[] {
  const found: Animal[] = [];
  for (const animal of animals) {
    if (found.length >= limit) break;
    if (status === undefined || animal.status === status) found.push(animal);
  }
  return found;
}

const NAMES = [
  'Luna',
  'Мурка',
  '小白',
  'Zoë',
  'ポチ',
  'لولو',
  '바둑이',
  'Ξάνθος',
  'रानी',
  'שוקו',
  'ไข่มุก',
  'Ñandú',
  "O'Malley",
  'Kiwi 🦜',
  'The "Duke"',
  'Jürgen',
  'Þór',
  'Đốm',
  'Max\\Moritz',
  'Rex',
];
/** One is beyond 2^53, where a double cannot represent every integer. */
const CATEGORIES = [1n, 2n, 3n, 7n, 9_007_199_254_740_993n];
/** Every tenth animal has no status: the field is optional. */
const STATUSES = [...PET_STATUSES, ...PET_STATUSES, ...PET_STATUSES, undefined];

function seeded(index: number, id: bigint): Animal {
  const name = NAMES[index % NAMES.length] ?? '';
  const categoryId = CATEGORIES[index % CATEGORIES.length] ?? 1n;
  // 7 and 10 have no common factor, so status and category mix.
  const status = STATUSES[(index * 7) % STATUSES.length];
  return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status };
}

let made: readonly Readonly<Animal>[] = [];

/**
 * `count` animals, the same every time, with consecutive ids from `firstId`. Nobody can change them, so one reference after
 * another has the same objects, whose JSON is written once.
 */
function seededAnimals(count: number, firstId: bigint): readonly Readonly<Animal>[] {
  if (made.length !== count || made[0]?.id !== firstId)
    made = Array.from({ length: count }, (_, index) => Object.freeze(seeded(index, firstId + BigInt(index))));
  return made;
}
