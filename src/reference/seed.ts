import type { Animal, PetStatus } from './animal.ts';

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
/** One lies beyond 2^53, where a double can no longer tell neighbours apart. */
const CATEGORIES = [1n, 2n, 3n, 7n, 9_007_199_254_740_993n];
/** Every tenth animal carries no status: the field is optional. */
const STATUSES: (PetStatus | undefined)[] = [
  'available',
  'pending',
  'sold',
  'available',
  'pending',
  'sold',
  'available',
  'pending',
  'sold',
  undefined,
];

function seeded(index: number, id: bigint): Animal {
  const name = NAMES[index % NAMES.length] ?? '';
  const categoryId = CATEGORIES[index % CATEGORIES.length] ?? 1n;
  // 7 has no factor in common with 10, so that status and category mix.
  const status = STATUSES[(index * 7) % STATUSES.length];
  return status === undefined ? { id, name, categoryId } : { id, name, categoryId, status };
}

/** The same animals every time: `count` of them, ids running on from `firstId`. */
export function seededAnimals(count: number, firstId: bigint): Animal[] {
  return Array.from({ length: count }, (_, index) => seeded(index, firstId + BigInt(index)));
}
