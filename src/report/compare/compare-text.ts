import { group, max } from 'd3-array';
import { isProblem, type Status } from '../../model/finding.ts';
import { counted } from '../../model/report/report.ts';
import { clip, notACommand, shown } from '../../model/visible.ts';
import { reasonOf, verdictWords } from '../facts/verdict.ts';
import { prose, table } from '../formats/markdown-text.ts';
import { paragraph, type TextLayout } from '../text/style.ts';
import {
  type Column,
  type Comparison,
  type ComparisonRow,
  cellOf,
  countsOf,
  groupsOf,
  violatedWords,
} from './compare.ts';

/** The longest text of a cell, in characters. */
const MAX_CELL = 300;

/** The widest table, in characters. */
const MAX_WIDTH = 160;

/** Lines for a requirement. The page shows more. */
const MAX_LINES = 12;

/** More requirements than this with the same results are only counted, unless they are violated. */
const MAX_ALIKE = 10;

const STATUS_WORDS: Readonly<Record<Status, string>> = {
  met: 'met',
  violated: 'violated',
  advisory: 'with an advisory',
  observed: 'left open',
  'not-tested': 'not tested',
};

/** A comparison as text: the runs, then the requirements that differ. Requirements with the same results are only counted. */
export function renderCompareText(comparison: Comparison, page: TextLayout): string {
  const safe = shown(comparison);
  const { style } = page;
  const parts = groupsOf(safe).map(({ title, kind, rows }) => {
    const heading = style(kind === 'regression' ? 'red' : 'bold', `${title} (${rows.length})`);
    return `${heading}\n${kind === 'same' ? uniform(rows, page) : differing(safe.columns, rows, page)}`;
  });
  return `${[legend(safe.columns, page), ...parts].join('\n')}`;
}

/** A table of the runs if it fits, else a paragraph per run. */
function legend(columns: readonly Column[], { width }: { width: number }): string {
  const rows = columns.map((column) => {
    const { letter, name, report } = column;
    const { violated, untested } = countsOf(column);
    return [
      letter,
      name,
      report.target.baseUrl,
      verdictWords(report),
      violatedWords(violated),
      `${untested}`,
    ];
  });
  const lines = tableOf([['', 'run', 'target', 'verdict', 'violated', 'not tested'], ...rows]);
  const isNarrow = lines.some((line) => line.length > Math.min(width, MAX_WIDTH));
  if (!isNarrow && columns.every(({ report }) => !report.stopped && !report.rootCause))
    return `${lines.join('\n')}\n`;
  return columns
    .map(({ letter, name, report }) => {
      const { target, startedAt } = report;
      const indent = letter.length + 2;
      return `${paragraph(`${letter}  `, `${target.baseUrl}, ${startedAt}: ${verdictWords(report)}, ${reasonOf(report)} (${name})`, indent, width)}\n`;
    })
    .join('');
}

/** The rows as lines, with aligned columns. */
function tableOf(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => max(rows, (row) => row[column]?.length) ?? 0) ?? [];
  return rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** A table if it fits, else a list: under each requirement, a line for each different result. */
function differing(
  columns: readonly Column[],
  rows: readonly ComparisonRow[],
  { width }: { width: number },
): string {
  const lines = linesOf(rows);
  const letters = columns.map(({ letter }) => letter);
  const asTable = tableOf([['', ...letters], ...lines.map(({ id, cells }) => [id, ...cells])]);
  if (asTable.every((line) => line.length + 2 <= Math.min(width, MAX_WIDTH)))
    return asTable.map((line) => `  ${line}\n`).join('');
  return lines
    .map(({ id, cells: texts }) => {
      // The columns with the same cell, in order of appearance.
      const columnsByCell = [...group(columns.keys(), (index) => texts[index] ?? '')];
      const cellLines = columnsByCell
        .slice(0, MAX_LINES)
        .map(([cell, members]) => paragraph('      ', `${lettersOf(columns, members)}  ${cell}`, 8, width));
      const more =
        columnsByCell.length > MAX_LINES
          ? [`      and ${counted(columnsByCell.length - MAX_LINES, 'other')}`]
          : [];
      return `${[notACommand(`  ${id}`), ...cellLines, ...more].join('\n')}\n`;
    })
    .join('');
}

/** The lines of a table. Many requirements with the same results share a line, such as the ones that a run left out. */
function linesOf(rows: readonly ComparisonRow[]): { id: string; cells: string[] }[] {
  const lines = rows.map(({ id, results }) => ({
    id,
    cells: results.map((result) => clip(cellOf(result), MAX_CELL)),
    isBad: results.some((result) => result && isProblem(result)),
  }));
  return [...group(lines, ({ id, cells, isBad }) => (isBad ? id : cells.join('\n'))).values()].flatMap(
    (sameResults) =>
      sameResults.length > MAX_ALIKE
        ? [{ id: `${sameResults.length} requirements`, cells: sameResults[0]?.cells ?? [] }]
        : sameResults,
  );
}

/** The letters of columns: `A`, or `A, C-F`. */
function lettersOf(columns: readonly Column[], members: readonly number[]): string {
  const spans: [from: number, to: number][] = [];
  for (const index of members) {
    const last = spans.at(-1);
    if (last && index === last[1] + 1) last[1] = index;
    else spans.push([index, index]);
  }
  const letter = (index: number) => columns[index]?.letter ?? '';
  return spans.map(([from, to]) => (from === to ? letter(from) : `${letter(from)}-${letter(to)}`)).join(', ');
}

/** How many requirements are the same in all runs, by status. Violated requirements are named. */
function uniform(rows: readonly ComparisonRow[], { width }: { width: number }): string {
  const byStatus = group(rows, ({ results }) => results[0]?.status ?? 'met');
  const parts = [...byStatus].map(([status, rowsOfStatus]) => {
    const words = `${rowsOfStatus.length} ${STATUS_WORDS[status]}`;
    return isProblem({ status }) ? `${words} (${rowsOfStatus.map(({ id }) => id).join(', ')})` : words;
  });
  return `${paragraph('  ', parts.join(', '), 4, width)}\n`;
}

/** A comparison as Markdown: the runs, then a table for each kind of difference. */
export function renderCompareMarkdown(comparison: Comparison): string {
  const safe = shown(comparison);
  const runs = safe.columns.map((column) => {
    const { letter, name, report } = column;
    const { violated, untested } = countsOf(column);
    return [
      `**${letter}** ${prose(clip(name, MAX_CELL))}`,
      `${prose(clip(report.target.baseUrl, MAX_CELL))}, ${prose(report.startedAt)}`,
      `${verdictWords(report)}, ${prose(clip(reasonOf(report), MAX_CELL))}`,
      prose(clip(violatedWords(violated), MAX_CELL)),
      String(untested),
    ];
  });
  const letters = safe.columns.map(({ letter }) => letter);
  const groups = groupsOf(safe).map(({ title, kind, rows }) => {
    const cells = rows.map(({ id, results }) => [
      prose(clip(id, MAX_CELL)),
      ...results.map((result) => prose(clip(cellOf(result), MAX_CELL))),
    ]);
    const body = table(['requirement', ...letters], cells);
    return kind === 'same' || kind === 'untested'
      ? `<details><summary>${title} (${rows.length})</summary>\n\n${body}\n</details>\n`
      : `### ${title} (${rows.length})\n\n${body}`;
  });
  return [
    '## petspec: comparison\n',
    table(['run', 'target', 'verdict', 'violated', 'not tested'], runs),
    ...groups,
  ].join('\n');
}
