import type { Steps } from '../../model/large/steps.ts';
import type { RequestVariation } from '../../model/probe.ts';
import type { Draw } from './random.ts';

/** Something that a request can have in several ways; undefined is the plain one. */
export interface Factor {
  name: string;
  levels: readonly (RequestVariation | undefined)[];
}

/** Each row is the best of so many drawn combinations, and the whole the best of so many arrays. */
const CANDIDATES = 10;
const ARRAYS = 6;

/** The factors of a request, and what else its pairs belong to: pairs are counted by operation. */
export interface CoveringRow {
  operation: string;
  factors: readonly Factor[];
}

/**
 * Chooses a level of each factor for each request, so that all requests together have as many pairs of levels as possible:
 * a covering array of strength 2, as far as the requests are enough for one.
 */
export function* coveringPairs(rows: readonly CoveringRow[], draw: Draw): Steps<RequestVariation[][]> {
  const arrays: { chosen: RequestVariation[][]; pairs: number }[] = [];
  for (let array = 0; array < ARRAYS; array += 1) arrays.push(yield* arrayOf(rows, draw));
  return arrays.reduce((one, other) => (other.pairs > one.pairs ? other : one)).chosen;
}

/** An array that is built row by row, and how many pairs it has. */
function* arrayOf(
  rows: readonly CoveringRow[],
  draw: Draw,
): Steps<{ chosen: RequestVariation[][]; pairs: number }> {
  const counts = new Map<string, number>();
  const chosen: RequestVariation[][] = [];
  for (const { operation, factors } of rows) {
    yield;
    const candidates = Array.from({ length: CANDIDATES }, () => {
      const drawn = factors.map(({ name, levels: all }) => ({ name, level: all[draw(all.length)] }));
      const levels = drawn.flatMap(({ level }) => level ?? []);
      const plain = drawn.filter(({ level }) => level === undefined);
      const pairs = [...pairsOf(operation, levels), ...plain.map(({ name }) => `${operation} no ${name}`)];
      // A pair counts most if no request has it yet.
      const gain = pairs.reduce((sum, pair) => sum + 1 / (1 + 9 * (counts.get(pair) ?? 0)), 0);
      return { levels, pairs, gain };
    });
    const best = candidates.reduce((one, other) => (other.gain > one.gain ? other : one));
    for (const pair of best.pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    chosen.push(best.levels);
  }
  return { chosen, pairs: counts.size };
}

/** Every pair of variations, and every variation by itself. */
function pairsOf(operation: string, levels: readonly RequestVariation[]): string[] {
  return levels.flatMap(({ id }, index) =>
    levels.slice(index).map((other) => `${operation} ${id} ${other.id}`),
  );
}
