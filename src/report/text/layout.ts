import wrapAnsi from 'wrap-ansi';
import { clip, notACommand } from '../../model/visible.ts';

/** The longest paragraph, in characters. Nobody reads more on a terminal, and breaking long words is slow. */
const MAX_PARAGRAPH = 4_000;

/** The smallest width, in columns, at which wrapped text is readable. */
const MIN_WIDTH = 30;

/**
 * A paragraph with a hanging indent, wrapped to a width in columns (Infinity: not wrapped). Words longer than a line
 * are broken.
 * @param first the start of the first line: at most as wide as the indent; may be styled
 * @param indent the indent of the other lines, in columns
 */
export function paragraph(first: string, text: string, indent: number, width: number): string {
  const room = Math.max(width - indent, MIN_WIDTH);
  const kept = clip(text, MAX_PARAGRAPH);
  const lines = room === Number.POSITIVE_INFINITY ? [kept] : wrapAnsi(kept, room, { hard: true }).split('\n');
  return lines
    .map((line, index) => notACommand(`${index === 0 ? first : ' '.repeat(indent)}${line}`))
    .join('\n');
}
