/**
 * Text that is shown as it is, whatever it holds, also in a table and at the beginning of a line: what CommonMark or
 * GitHub's flavour makes markup, HTML, mathematics or a link of is escaped. One line in, one line out.
 */
export function prose(text: string): string {
  return (
    text
      .replace(/[\\`*_{}[\]<>~&$]/g, '\\$&')
      // Addresses become links by themselves (GFM 6.9).
      .replaceAll('://', '\\://')
      .replace(/www\./gi, (address) => `${address.slice(0, -1)}\\.`)
      // Headings, lists and the underlines of headings are made by how a line begins.
      .replace(/^(\s*)([#+=-]|\d+(?=[.)](?:\s|$)))/, (_, blanks: string, mark: string) =>
        /\d/.test(mark) ? `${blanks}&#${mark.charCodeAt(0)};${mark.slice(1)}` : `${blanks}\\${mark}`,
      )
      // A bar that is escaped by a backslash still ends the cell of a table where another backslash stands before it.
      .replaceAll('|', '&#124;')
      // GitHub looks for mentions in the finished text: a word joiner, which takes no room, keeps it from finding one.
      .replaceAll('@', '@\u2060')
  );
}

/** A code span, not for tables: nothing in it means anything (CommonMark 6.1). */
export function code(text: string): string {
  if (text === '') return '';
  const ticks = '`'.repeat(longestRun(text) + 1);
  const pad = /^[` ]|[` ]$/.test(text) ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

/** A fenced block: nothing in it means anything, and it can be copied. */
export function fence(language: string, text: string): string {
  const ticks = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${ticks}${language}\n${text}\n${ticks}\n`;
}

/** @param lines Markdown, a line each */
export function bullets(lines: readonly string[]): string {
  return lines.map((line) => `- ${line}\n`).join('');
}

/** @param rows Markdown cells: prose */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |\n`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}
