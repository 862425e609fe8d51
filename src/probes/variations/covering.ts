import type { RequestVariation } from '../../model/probe.ts';
import type { Draw } from './random.ts';

/** Something that a request can have in several ways; undefined is the plain one. */
export interface Factor {
  name: string;
  levels: readonly (RequestVariation | undefined)[];
}

/** The best of so many drawn combinations is taken. */
const CANDIDATES = 40;

/** The factors of a request, and what else its pairs belong to: pairs are counted by operation. */
export interface Row {
  operation: string;
  factors: readonly Factor[];
}

/**
 * Chooses a level of each factor for each request, so that all requests together have as many pairs of levels as possible
 * (a covering array of strength 2, built row by row).
 */
export function coverPairs(rows: readonly Row[], draw: Draw): RequestVariation[][] {
  const counts = new Map<string, number>();
  return rows.map(({ operation, factors }) => {
    const candidates = Array.from({ length: CANDIDATES }, () => {
      const levels = factors.map(({ name, levels: all }) => ({ name, level: all[draw(all.length)] }));
      const pairs = pairsOf(levels).map((pair) => `${operation}: ${pair}`);
      // A pair counts most if no request has it yet.
      const gain = pairs.reduce((sum, pair) => sum + 1 / (1 + 9 * (counts.get(pair) ?? 0)), 0);
      return { levels, pairs, gain };
    });
    const best = candidates.reduce((one, other) => (other.gain > one.gain ? other : one));
    for (const pair of best.pairs) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    return best.levels.flatMap(({ level }) => level ?? []);
  });
}

/** Every pair of levels, and every level by itself. */
function pairsOf(levels: readonly { name: string; level: RequestVariation | undefined }[]): string[] {
  const names = levels.map(({ name, level }) => level?.id ?? `no ${name}`);
  return names.flatMap((one, index) => names.slice(index).map((other) => `${one} and ${other}`));
}
