import { COMPARISON_STYLE } from '../html/assets.ts';
import { badge } from '../html/markup/icons.ts';
import { shownStatus, verdictTitle } from '../html/markup/labels.ts';
import { type Html, html, quoted } from '../html/markup/markup.ts';
import { renderPage } from '../html/page.ts';
import { reasonOf } from '../verdict.ts';
import { type Column, type Comparison, cellOf, groupsOf, type Row } from './compare.ts';

/** The longest text of a cell, in characters. */
const MAX_CELL = 600;

/** A comparison as one self-contained page without scripts. */
export function renderCompareHtml(comparison: Comparison): string {
  const { columns } = comparison;
  const body = html`<main>
<h1>Comparison of ${columns.length} runs</h1>
<ul class="runs">${columns.map(renderRun)}</ul>
${groupsOf(comparison).map(({ title, rows }) => renderGroup(title, columns, rows))}
</main>`;
  return renderPage({
    title: `petspec: comparison of ${columns.length} runs`,
    body,
    style: COMPARISON_STYLE,
  });
}

function renderRun({ letter, name, report }: Column): Html {
  const { target, startedAt } = report;
  return html`<li><b>${letter}</b> <code>${quoted(target.baseUrl, 300)}</code> ${verdictTitle(report)}: ${quoted(reasonOf(report), MAX_CELL)}
<p>${quoted(startedAt, 60)}, ${quoted(name, 300)}</p></li>`;
}

function renderGroup(title: string, columns: readonly Column[], rows: readonly Row[]): Html {
  const letters = columns.map(({ letter }) => html`<th scope="col">${letter}</th>`);
  return html`<section><h2>${title} (${rows.length})</h2>
<section class="scroll" aria-label="${title}" tabindex="0"><table>
<thead><tr><th scope="col">Requirement</th>${letters}</tr></thead>
<tbody>${rows.map(renderRow)}</tbody>
</table></section></section>`;
}

function renderRow({ id, statement, results }: Row): Html {
  const cells = results.map((result) =>
    result && result.status !== 'observed'
      ? html`<td>${badge(shownStatus(result))}</td>`
      : html`<td>${quoted(cellOf(result), MAX_CELL)}</td>`,
  );
  return html`<tr><th scope="row"><code>${quoted(id, 200)}</code><p>${quoted(statement, MAX_CELL)}</p></th>${cells}</tr>`;
}
