import { badge } from '../html/markup/icons.ts';
import { shownStatus, verdictTitle } from '../html/markup/labels.ts';
import { type Html, html, quoted } from '../html/markup/markup.ts';
import { renderPage } from '../html/page.ts';
import { PAGE } from '../html/style/page.ts';
import { PALETTE } from '../html/style/palette.ts';
import { reasonOf } from '../verdict.ts';
import { type Column, type Comparison, cellOf, groupsOf, type Row } from './compare.ts';

/** The longest text of a cell, in characters. */
const MAX_CELL = 600;

const STYLE = `${PALETTE}${PAGE}
h1 { font-size: 2rem; line-height: 1.2; padding-top: 2rem; }
.runs { margin-top: 1.25rem; display: grid; gap: 0.6rem; }
.runs p { color: var(--quiet); font-size: 0.875rem; }
table { width: 100%; }
th, td { padding: 0.5rem 1rem 0.5rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; text-align: start; }
tbody th { font-weight: 400; min-width: min(18rem, 45vw); }
tbody th p { color: var(--quiet); font-size: 0.8125rem; }
td { min-width: 6.5rem; }
`;

/** A comparison as one self-contained page without scripts. */
export function renderCompareHtml(comparison: Comparison): string {
  const { columns } = comparison;
  const body = html`<main>
<h1>Comparison of ${columns.length} runs</h1>
<ul class="runs">${columns.map(renderRun)}</ul>
${groupsOf(comparison).map(({ title, rows }) => renderGroup(title, columns, rows))}
</main>`;
  return renderPage({ title: `petspec: comparison of ${columns.length} runs`, body, style: STYLE });
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
