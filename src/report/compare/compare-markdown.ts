import { clip, shown } from '../../model/visible.ts';
import { bullets, code, prose, table } from '../formats/markdown-text.ts';
import { reasonOf, verdictWords } from '../verdict.ts';
import { type Comparison, cellOf, groupsOf } from './compare.ts';

/** The longest text of a cell, in characters. */
const MAX_CELL = 300;

/** A comparison as Markdown: the runs, then a table for each kind of difference. */
export function renderCompareMarkdown(comparison: Comparison): string {
  const safe = shown(comparison);
  const runs = safe.columns.map(({ letter, name, report }) => {
    const { target, startedAt } = report;
    return `**${letter}** ${code(clip(target.baseUrl, MAX_CELL))}, ${prose(startedAt)}: ${verdictWords(report)}, ${prose(clip(reasonOf(report), MAX_CELL))} (${prose(clip(name, MAX_CELL))})`;
  });
  const letters = safe.columns.map(({ letter }) => letter);
  const groups = groupsOf(safe).map(({ title, kind, rows }) => {
    const cells = rows.map(({ id, results }) => [
      prose(clip(id, MAX_CELL)),
      ...results.map((each) => prose(clip(cellOf(each), MAX_CELL))),
    ]);
    const body = table(['requirement', ...letters], cells);
    return kind === 'same'
      ? `<details><summary>${title} (${rows.length})</summary>\n\n${body}\n</details>\n`
      : `### ${title} (${rows.length})\n\n${body}`;
  });
  return ['## petspec: comparison\n', bullets(runs), ...groups].join('\n');
}
