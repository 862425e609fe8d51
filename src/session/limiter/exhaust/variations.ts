import type { Exchange, Variation } from '../../../model/exchange.ts';

/** How an exhaustion tries to get around the limit, in this order, with requests that it sends anyway. */
const VARIATIONS: readonly Variation[] = ['forwarded-for', 'spelling'];

/** The first requests of an exhaustion show how an unchanged request counts. */
export const PLAIN_FIRST = 2;

/** A varied request is sent while at least this many are left: the one that has to be refused is plain. */
const MIN_LEFT = 2;

/** What a service may refuse is sent only where there is as much room: other requests show more. */
const MIN_LENIENT_LEFT = 12;

/** Of several nodes, one may tell of more than are left, but not of so much more: then a count of its own shows. */
const MAX_SHARE = 1 / 3;

/**
 * How the next request of an exhaustion is varied; undefined if it is not. Each is sent once, between two plain requests.
 * @param sent requests of the exhaustion, in order
 * @param left requests that the limit still allows
 * @param lenient what is sent after them as far as the limit has room, in this order
 */
export function nextVariation(
  sent: readonly Exchange[],
  left: number,
  limit: number,
  lenient: readonly Variation[] = [],
): Variation | undefined {
  if (sent.length < PLAIN_FIRST || sent.at(-1)?.variation || left > MAX_SHARE * limit) return undefined;
  const isUnsent = (each: Variation) => !sent.some(({ variation }) => variation === each);
  const [next, ...others] = VARIATIONS.filter(isUnsent);
  if (next === undefined) return left >= MIN_LENIENT_LEFT ? lenient.find(isUnsent) : undefined;
  // Each of the others needs a plain request before it.
  return left - 2 * others.length >= MIN_LEFT ? next : undefined;
}
