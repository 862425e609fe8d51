import { isProblem } from '../../model/finding.ts';
import { reasonOf } from '../facts/verdict.ts';
import { badge, capitalized, icon, shownStatus, verdictTitle } from '../html/markup/labels.ts';
import { type Html, html, pathed, quoted, withOptions } from '../html/markup/markup.ts';
import { COMPARISON_SCRIPT, COMPARISON_STYLE, renderPage } from '../html/markup/page.ts';
import { moment } from '../html/markup/quantities.ts';
import { statusOf } from '../html/sections/verdict.ts';
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
const MAX_CELL = 600;

/** The longest name of a run, in characters. */
const MAX_NAME = 60;

/** A comparison as a self-contained page that is readable without scripts. */
export function renderCompareHtml(comparison: Comparison): string {
  const { columns } = comparison;
  const groups = groupsOf(comparison);
  const isBad = groups.some(({ kind }) => kind === 'regression' || kind === 'problem');
  const isFolded = (kind: ComparisonRow['difference']) => kind === 'same' || (kind === 'untested' && isBad);
  const body = html`<main>
<h1>Comparison of ${columns.length} runs</h1>
<div class="scroll" role="group" aria-label="Runs" tabindex="0"><table class="runs">
<thead><tr><th scope="col">Run</th><th scope="col">Verdict</th><th scope="col">Violated</th><th scope="col">Not tested</th></tr></thead>
<tbody>${columns.map(renderRun)}</tbody>
</table></div>
<search class="filter" hidden><label class="search"><span class="unseen">Search in requirements</span>
  <input type="search" placeholder="Search" autocomplete="off"></label>
  <label><input type="checkbox" class="only-violated"> only requirements that a run violates</label>
  <p class="shown" role="status"></p></search>
${groups.map(({ title, kind, rows }) => renderTable(title, columns, rows, isFolded(kind)))}
</main>`;
  return renderPage({
    title: `petspec: comparison of ${columns.length} runs`,
    body,
    style: COMPARISON_STYLE,
    script: COMPARISON_SCRIPT,
  });
}

function renderRun(column: Column): Html {
  const { name, report, folder } = column;
  const { target, startedAt } = report;
  const { violated, untested } = countsOf(column);
  const shownName = html`${quoted(name, 300)}`;
  return html`<tr><th scope="row">${folder === undefined ? shownName : html`<a href="${encodeURIComponent(folder)}/report.html">${shownName}</a>`}
<p><code>${quoted(target.baseUrl, 300)}</code>, ${moment(startedAt) ?? quoted(startedAt, 60)}</p></th>
<td>${icon(statusOf(report))} <b>${verdictTitle(report)}</b><p>${withOptions(reasonOf(report), MAX_CELL)}</p></td>
<td class="ids"><span class="run">Violated</span> ${quoted(violatedWords(violated), MAX_CELL)}</td>
<td><span class="run">Not tested</span> ${untested}</td></tr>`;
}

function isViolatedSomewhere({ results }: ComparisonRow): boolean {
  return results.some((result) => result && isProblem(result));
}

function renderTable(
  title: string,
  columns: readonly Column[],
  rows: readonly ComparisonRow[],
  isFolded: boolean,
): Html {
  const names = columns.map(({ name }) => html`<th scope="col">${pathed(name, MAX_NAME)}</th>`);
  const heading = html`<h2>${title} <span class="number">${rows.length}</span></h2>`;
  return html`<details class="group"${!isFolded && html` open`}><summary>${heading}</summary>
<section class="scroll" aria-label="${title}" tabindex="0"><table>
<thead><tr><th scope="col">Requirement</th>${names}</tr></thead>
<tbody>${rows.map((row) => renderRow(row, columns))}</tbody>
</table></section></details>`;
}

function renderRow(row: ComparisonRow, columns: readonly Column[]): Html {
  const { id, statement, results } = row;
  const cells = results.map((result, index) => {
    const name = quoted(columns[index]?.name ?? '', MAX_NAME);
    const content =
      result && result.status !== 'observed'
        ? badge(shownStatus(result))
        : html`${quoted(capitalized(cellOf(result)), MAX_CELL)}`;
    return html`<td><span class="run">${name}</span> ${content}</td>`;
  });
  return html`<tr class="row${isViolatedSomewhere(row) && html` bad`}"><th scope="row"><code>${quoted(id, 200)}</code><p>${quoted(statement, MAX_CELL)}</p></th>${cells}</tr>`;
}
