import { clip, shown } from '../../model/visible.ts';
import { prose, table } from '../formats/markdown-text.ts';
import { reasonOf, verdictWords } from '../verdict.ts';
import { type Comparison, cellOf, countsOf, groupsOf, violatedWords } from './compare.ts';

/** The longest text of a cell, in characters. */
const MAX_CELL = 300;

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
      ...results.map((each) => prose(clip(cellOf(each), MAX_CELL))),
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
