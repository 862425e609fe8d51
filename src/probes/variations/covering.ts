import type { Steps } from '../../model/large/steps.ts';
import type { RequestVariation } from '../../model/probe.ts';
import type { Draw } from './random.ts';

/** A property of requests, and its possible variations; undefined is the plain form. */
export interface Factor {
  name: string;
  levels: readonly (RequestVariation | undefined)[];
}

/** Each row is the best of `CANDIDATES` drawn combinations, and the result the best of `ARRAYS` arrays. */
const CANDIDATES = 10;
const ARRAYS = 6;

/** The factors of a request. Pairs are counted by operation. */
export interface CoveringRow {
  operation: string;
  factors: readonly Factor[];
}

/**
 * Chooses a level of each factor for each request, so that the requests together have as many pairs of levels as possible: a
 * covering array of strength 2, if there are enough requests.
 */
export function* coveringPairs(rows: readonly CoveringRow[], draw: Draw): Steps<RequestVariation[][]> {
  const arrays: { chosen: RequestVariation[][]; pairs: number }[] = [];
  for (let array = 0; array < ARRAYS; array += 1) arrays.push(yield* arrayOf(rows, draw));
  return arrays.reduce((best, array) => (array.pairs > best.pairs ? array : best)).chosen;
}

/** Builds an array row by row, and counts its pairs. */
function* arrayOf(
  rows: readonly CoveringRow[],
  draw: Draw,
): Steps<{ chosen: RequestVariation[][]; pairs: number }> {
  const counts = new Map<string, number>();
  const chosen: RequestVariation[][] = [];
  for (const { operation, factors } of rows) {
    yield;
    const candidates = Array.from({ length: CANDIDATES }, () => {
      const drawn = factors.map(({ name, levels: choices }) => ({
        name,
        level: choices[draw(choices.length)],
      }));
      const levels = drawn.flatMap(({ level }) => level ?? []);
      const plain = drawn.filter(({ level }) => level === undefined);
      const pairs = [...pairsOf(operation, levels), ...plain.map(({ name }) => `${operation} no ${name}`)];
      // A pair that no request has yet counts most.
      const gain = pairs.reduce((sum, pair) => sum + 1 / (1 + 9 * (counts.get(pair) ?? 0)), 0);
      return { levels, pairs, gain };
    });
    const best = candidates.reduce((highest, candidate) =>
      candidate.gain > highest.gain ? candidate : highest,
    );
    for (const pair of best.pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    chosen.push(best.levels);
  }
  return { chosen, pairs: counts.size };
}

/** Each variation by itself, and each pair of variations. */
function pairsOf(operation: string, levels: readonly RequestVariation[]): string[] {
  return levels.flatMap(({ id }, index) =>
    levels.slice(index).map((level) => `${operation} ${id} ${level.id}`),
  );
}
