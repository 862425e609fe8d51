import { createHash } from 'node:crypto';

/** `npm run nightly` tries all of what `npm test` draws a few of. */
export const isNightly = process.env.PETSPEC_NIGHTLY !== undefined;

/**
 * As many of these as are asked for, drawn by their names, or all of them at night. Neither another order nor a new one changes
 * more than one of those that are drawn.
 * @param purpose draws others than for another purpose
 */
export function sampled<Item>(
  items: readonly Item[],
  count: number,
  nameOf: (item: Item) => string,
  purpose: string,
): readonly Item[] {
  return isNightly ? items : drawn(items, count, nameOf, purpose);
}

/** The same, whether it is night or not. */
export function drawn<Item>(
  items: readonly Item[],
  count: number,
  nameOf: (item: Item) => string,
  purpose: string,
): readonly Item[] {
  const rankOf = (item: Item) =>
    createHash('sha256')
      .update(`${purpose}\0${nameOf(item)}`)
      .digest('hex');
  const ranks = new Map(items.map((item) => [item, rankOf(item)] as const));
  const rank = (item: Item) => ranks.get(item) ?? '';
  const chosen = new Set([...items].sort((one, other) => (rank(one) < rank(other) ? -1 : 1)).slice(0, count));
  return items.filter((item) => chosen.has(item));
}
