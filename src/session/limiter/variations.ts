import type { Exchange, Variation } from '../../model/exchange.ts';

/** How an exhaustion tries to get around the limit, in this order, with requests that it sends anyway. */
const VARIATIONS: readonly Variation[] = ['forwarded-for', 'spelling'];

/** The first requests of an exhaustion show how an unchanged request counts. */
export const PLAIN_FIRST = 2;

/** A varied request is sent while at least this many are left: the one that has to be refused is plain. */
const MIN_LEFT = 4;

/** Of several nodes, one may tell of more than are left, but not of so much more: then a count of its own shows. */
const MAX_SHARE = 1 / 3;

/**
 * How the next request of an exhaustion is varied; undefined if it is not. Each is sent once, between two plain requests.
 * @param sent requests of the exhaustion, in order
 * @param left requests that the limit still allows
 */
export function nextVariation(sent: readonly Exchange[], left: number, limit: number): Variation | undefined {
  if (sent.length < PLAIN_FIRST || sent.at(-1)?.variation || left > MAX_SHARE * limit) return undefined;
  const [next, ...others] = VARIATIONS.filter((each) => !sent.some(({ variation }) => variation === each));
  // Each of the others needs a plain request before it.
  return left - 2 * others.length >= MIN_LEFT ? next : undefined;
}
