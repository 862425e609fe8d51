import type { Line } from './json-lines.ts';

/** Lines, and in place of those that are left out their number. */
export type Excerpt = readonly (Line | number)[];

/**
 * The lines that are shown of a text with more than `max`: its start, and the lines around the first marked one, so that
 * the deviation is always visible.
 */
export function excerpt(lines: readonly Line[], max: number): Excerpt {
  if (lines.length <= max) return lines;
  const mark = lines.findIndex(({ isMarked }) => isMarked);
  if (mark < max - 1) return [...lines.slice(0, max), lines.length - max];
  const head = Math.min(3, Math.floor(max / 3));
  const from = mark - Math.floor((max - head) / 3);
  const to = Math.min(lines.length, from + max - head);
  return [...lines.slice(0, head), from - head, ...lines.slice(from, to), lines.length - to];
}
