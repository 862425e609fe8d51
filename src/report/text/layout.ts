import wrapAnsi from 'wrap-ansi';
import { clip, notACommand } from '../../model/visible.ts';

/** Characters of a paragraph: nobody reads more on a terminal, and breaking long words takes its time. */
const MAX_PARAGRAPH = 4_000;

/** Columns below which wrapping makes text harder to read, not easier. */
const MIN_WIDTH = 30;

/**
 * A paragraph with a hanging indentation, wrapped to a width in columns (infinite: not at all). Words longer than a
 * line are broken.
 * @param first what its first line begins with: as wide as the indentation at the most; may be styled
 * @param indent columns by which its further lines are indented
 */
export function paragraph(first: string, text: string, indent: number, width: number): string {
  const room = Math.max(width - indent, MIN_WIDTH);
  const kept = clip(text, MAX_PARAGRAPH);
  const lines = room === Number.POSITIVE_INFINITY ? [kept] : wrapAnsi(kept, room, { hard: true }).split('\n');
  return lines
    .map((line, index) => notACommand(`${index === 0 ? first : ' '.repeat(indent)}${line}`))
    .join('\n');
}
