import { max } from 'd3-array';

/**
 * Escapes a line for Markdown, also in a table and at the start of a line: everything that CommonMark or GitHub's flavor turns
 * into markup, HTML, mathematics or links.
 */
export function prose(text: string): string {
  return (
    text
      .replace(/[\\`*_{}[\]<>~&$]/g, '\\$&')
      // GFM turns addresses into links (6.9).
      .replaceAll('://', '\\://')
      .replace(/www\./gi, (address) => `${address.slice(0, -1)}\\.`)
      // The start of a line can make a heading, a list, or the line above a heading.
      .replace(/^(\s*)([#+=-]|\d+(?=[.)](?:\s|$)))/, (_, blanks: string, mark: string) =>
        /\d/.test(mark) ? `${blanks}&#${mark.charCodeAt(0)};${mark.slice(1)}` : `${blanks}\\${mark}`,
      )
      // A backslash does not escape a bar in a table if another backslash precedes it.
      .replaceAll('|', '&#124;')
      // GitHub looks for mentions in the rendered text. An invisible word joiner hides them.
      .replaceAll('@', '@\u2060')
  );
}

/** A code span (CommonMark 6.1). Not safe in tables. */
export function code(text: string): string {
  if (text === '') return '';
  const ticks = '`'.repeat(longestRun(text) + 1);
  const pad = /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** A fenced code block. */
export function fence(language: string, text: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}\n`;
}

/** @param lines items, as a line of Markdown each */
export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join('');
}

/** @param rows cells of escaped Markdown */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('');
}

function longestRun(text: string): number {
  return max(text.matchAll(/`+/g), ([run]) => run.length) ?? 0;
}
