import type { Line } from './json-lines.ts';

/** Consecutive lines, and how many were left out before them. */
export interface Run {
  skipped: number;
  lines: Line[];
}

export interface Excerpt {
  runs: Run[];
  /** Lines left out at the end. */
  skipped: number;
}

/**
 * The lines that are shown of a text with more than `max`: its start, and the lines around the first marked one, so that
 * the deviation is always visible.
 */
export function excerpt(lines: readonly Line[], max: number): Excerpt {
  if (lines.length <= max) return { runs: [{ skipped: 0, lines: [...lines] }], skipped: 0 };
  const mark = lines.findIndex(({ isMarked }) => isMarked);
  if (mark < max - 1)
    return { runs: [{ skipped: 0, lines: lines.slice(0, max) }], skipped: lines.length - max };
  const head = Math.min(3, Math.floor(max / 3));
  const from = mark - Math.floor((max - head) / 3);
  const to = Math.min(lines.length, from + max - head);
  return {
    runs: [
      { skipped: 0, lines: lines.slice(0, head) },
      { skipped: from - head, lines: lines.slice(from, to) },
    ],
    skipped: lines.length - to,
  };
}
