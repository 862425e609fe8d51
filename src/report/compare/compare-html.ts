import { isProblem } from '../../model/finding.ts';
import { COMPARISON_SCRIPT, COMPARISON_STYLE } from '../html/markup/assets.ts';
import { badge, capitalized, icon, shownStatus, verdictTitle } from '../html/markup/labels.ts';
import { type Html, html, quoted } from '../html/markup/markup.ts';
import { moment } from '../html/markup/quantities.ts';
import { renderPage } from '../html/page.ts';
import { statusOf } from '../html/sections/verdict.ts';
import { reasonOf } from '../verdict.ts';
import { type Column, type Comparison, cellOf, groupsOf, type Row } from './compare.ts';

/** The longest text of a cell, in characters. */
const MAX_CELL = 600;

/** The longest name of a run, in characters. */
const MAX_NAME = 60;

/** A comparison as one self-contained page, which can be read without scripts. */
export function renderCompareHtml(comparison: Comparison): string {
  const { columns } = comparison;
  const body = html`<main>
<h1>Comparison of ${columns.length} runs</h1>
<ul class="runs">${columns.map(renderRun)}</ul>
<search class="filter" hidden><label class="search"><span class="unseen">Search in requirements</span>
  <input type="search" placeholder="Search" autocomplete="off"></label>
  <label><input type="checkbox" class="only-violated"> only requirements that a run violates</label>
  <p class="shown" role="status"></p></search>
${groupsOf(comparison).flatMap(({ title, kind, rows }) => renderGroup(title, kind, columns, rows))}
</main>`;
  return renderPage({
    title: `petspec: comparison of ${columns.length} runs`,
    body,
    style: COMPARISON_STYLE,
    script: COMPARISON_SCRIPT,
  });
}

function renderRun({ name, report, folder }: Column): Html {
  const { target, startedAt } = report;
  const shown = html`${quoted(name, 300)}`;
  return html`<li>${icon(statusOf(report))} <b>${folder === undefined ? shown : html`<a href="${encodeURIComponent(folder)}/report.html">${shown}</a>`}</b>
${verdictTitle(report)}: ${quoted(reasonOf(report), MAX_CELL)}
<p><code>${quoted(target.baseUrl, 300)}</code>, ${moment(startedAt) ?? quoted(startedAt, 60)}</p></li>`;
}

/** The rows of a group. What says little is folded: the rows without a violation beside those with one, and equal rows. */
function renderGroup(
  title: string,
  kind: Row['difference'],
  columns: readonly Column[],
  rows: readonly Row[],
): Html[] {
  if (kind !== 'status') return [renderTable(title, columns, rows, kind === 'same')];
  const bad = rows.filter(isViolatedSomewhere);
  const rest = rows.filter((row) => !isViolatedSomewhere(row));
  return [
    ...(bad.length > 0 ? [renderTable('Not met in some runs', columns, bad, false)] : []),
    ...(rest.length > 0 ? [renderTable('Not tested in some runs', columns, rest, bad.length > 0)] : []),
  ];
}

function isViolatedSomewhere({ results }: Row): boolean {
  return results.some((each) => each && isProblem(each));
}

function renderTable(
  title: string,
  columns: readonly Column[],
  rows: readonly Row[],
  isFolded: boolean,
): Html {
  const names = columns.map(({ name }) => html`<th scope="col">${quoted(name, MAX_NAME)}</th>`);
  const heading = html`<h2>${title} <span class="number">${rows.length}</span></h2>`;
  return html`<details class="group"${!isFolded && html` open`}><summary>${heading}</summary>
<section class="scroll" aria-label="${title}" tabindex="0"><table>
<thead><tr><th scope="col">Requirement</th>${names}</tr></thead>
<tbody>${rows.map((row) => renderRow(row, columns))}</tbody>
</table></section></details>`;
}

function renderRow(row: Row, columns: readonly Column[]): Html {
  const { id, statement, results } = row;
  const cells = results.map((result, index) => {
    const name = quoted(columns[index]?.name ?? '', MAX_NAME);
    const said =
      result && result.status !== 'observed'
        ? badge(shownStatus(result))
        : html`${quoted(capitalized(cellOf(result)), MAX_CELL)}`;
    return html`<td><span class="run">${name}</span> ${said}</td>`;
  });
  return html`<tr class="row${isViolatedSomewhere(row) && html` bad`}"><th scope="row"><code>${quoted(id, 200)}</code><p>${quoted(statement, MAX_CELL)}</p></th>${cells}</tr>`;
}
