import type { Verdict } from '../model/report/report.ts';
import { capitalized, icon, type ShownStatus, STATUS_LABELS } from '../report/html/markup/labels.ts';
import { type Html, html, quoted } from '../report/html/markup/markup.ts';
import { count, moment } from '../report/html/markup/quantities.ts';
import type { Summary } from './implementation.ts';
import { boardPage, day, trendLine } from './page.ts';
import type { Trust } from './reports.ts';

/** Implementations per page. */
export const PAGE_ROWS = 50;

/** Sections that get a column. The others are only on the pages of the implementations. */
const MAX_SECTIONS = 16;

/** The longest name and the longest heading, in characters. */
const MAX_NAME = 80;
const MAX_HEADING = 48;

const VERDICT_ICONS: Readonly<Record<Verdict, ShownStatus>> = {
  conformant: 'met',
  'non-conformant': 'violated',
  incomplete: 'not-tested',
};

export function verdictIcon(verdict: Verdict): Html {
  return icon(VERDICT_ICONS[verdict]);
}

/** The sections that get a column: the ones that most implementations have, in their order of first appearance. */
export function columnsOf(summaries: readonly Summary[]): string[] {
  const counts = new Map<string, number>();
  for (const { sections } of summaries)
    for (const [name, status] of sections)
      if (status !== 'observed') counts.set(name, (counts.get(name) ?? 0) + 1);
  const order = [...counts.keys()];
  return [...counts]
    .sort(([, left], [, right]) => right - left)
    .slice(0, MAX_SECTIONS)
    .map(([name]) => name)
    .sort((left, right) => order.indexOf(left) - order.indexOf(right));
}

/** The file of a page of the list, counted from 0. */
export function listFile(page: number): string {
  return page === 0 ? 'index.html' : `page-${page + 1}.html`;
}

/**
 * A page of the list of implementations: a table of implementations by sections.
 * @param page counted from 0
 */
export function renderListPage(
  title: string,
  summaries: readonly Summary[],
  columns: readonly string[],
  page: number,
  madeAt: string,
): string {
  const rows = summaries.slice(page * PAGE_ROWS, (page + 1) * PAGE_ROWS);
  const body = html`<main class="board">
<h1>${quoted(title, 200)}</h1>
<p class="intro">${intro(summaries)}</p>
<search class="filter" hidden><label class="search"><span class="unseen">Search implementations</span>
  <input type="search" placeholder="Search" autocomplete="off"></label>
  <label>Verdict <select><option value="">any</option><option>conformant</option><option>non-conformant</option><option>incomplete</option></select></label>
  <p class="shown" role="status"></p></search>
<ul class="found" hidden></ul>
<div class="list">
<section class="scroll" aria-label="Implementations" tabindex="0"><table class="matrix">
<thead><tr><th scope="col">Implementation</th><th scope="col">Verdict</th><th scope="col">Violations</th>${columns.map(
    (name) => html`<th scope="col" class="turned"><span>${quoted(name, MAX_HEADING)}</span></th>`,
  )}</tr></thead>
<tbody>${rows.map((summary) => row(summary, columns))}</tbody>
</table></section>
${pages(Math.ceil(summaries.length / PAGE_ROWS), page)}
</div>
${legend()}
</main>
${footer(madeAt)}`;
  return boardPage(page === 0 ? title : `${title}, page ${page + 1}`, '', body);
}

function intro(summaries: readonly Summary[]): Html {
  const verdicts = ['conformant', 'non-conformant', 'incomplete'] as const;
  const counts = verdicts
    .map((verdict) => [verdict, summaries.filter(({ run }) => run.verdict === verdict).length] as const)
    .filter(([, number]) => number > 0)
    .map(([verdict, number]) => `${number.toLocaleString('en')} ${verdict}`);
  return html`${count(summaries.length, 'implementation')}: ${counts.join(', ')}. The last run of each.`;
}

function row(summary: Summary, columns: readonly string[]): Html {
  const { slug, name, run, badge, sections, violated, trend, trust, runs } = summary;
  const words = `${count(violated.length, 'violation')} in the last of ${count(runs, 'run')}`;
  return html`<tr><th scope="row"><a href="implementations/${slug}.html">${quoted(name, MAX_NAME)}</a>
<p>${run.release !== undefined && html`${quoted(run.release, 40)}, `}${day(run.startedAt)}</p></th>
<td class="verdict-cell ${VERDICT_ICONS[run.verdict]}"><b>${verdictIcon(run.verdict)} ${capitalized(badge.words)}</b>${trustMark(trust)}</td>
<td class="trend-cell">${trendLine(trend, words, 84, 24)} <span>${violated.length}</span></td>${columns.map(
    (column) => cell(column, sections.get(column)),
  )}</tr>
`;
}

const cells = new Map<string, Html>();

/** Many cells have the same content, so each is made once. */
function cell(column: string, status: ShownStatus | undefined): Html {
  const key = `${status} ${column}`;
  const markup = cells.get(key) ?? newCell(column, status);
  if (cells.size < 1_000) cells.set(key, markup);
  return markup;
}

function newCell(column: string, status: ShownStatus | undefined): Html {
  if (status === undefined) return html`<td class="cell"><span class="unseen">No result</span></td>`;
  const label = STATUS_LABELS[status];
  return html`<td class="cell ${status}" title="${column}: ${label}">${icon(status)}<span class="unseen">${label}</span></td>`;
}

/** How far a certificate can be trusted, in a few words. */
export function trustMark(trust: Trust | undefined): Html {
  if (!trust) return html`<small class="trust">no certificate</small>`;
  return html`<small class="trust ${trust.kind === 'signed' && 'good'}${trust.kind === 'refused' && 'bad'}">${trust.words}</small>`;
}

function pages(number: number, current: number): Html | false {
  if (number < 2) return false;
  const links = Array.from({ length: number }, (_, page) =>
    page === current
      ? html`<li><a href="${listFile(page)}" aria-current="page">${page + 1}</a></li>`
      : html`<li><a href="${listFile(page)}">${page + 1}</a></li>`,
  );
  return html`<nav aria-label="Pages"><ul class="pages">${links}</ul></nav>`;
}

function legend(): Html {
  const statuses = ['met', 'violated', 'advisory', 'not-tested'] as const;
  return html`<ul class="legend">${statuses.map(
    (status) => html`<li>${icon(status)} ${STATUS_LABELS[status]}</li>`,
  )}</ul>`;
}

export function footer(madeAt: string, root: '' | '../' = ''): Html {
  return html`<footer><p>Made by petspec on ${moment(madeAt) ?? ''}. <a href="${root}latest.json">latest.json</a>,
<a href="${root}runs.json">runs.json</a>, <a href="${root}feed.xml">Atom feed</a>.</p></footer>`;
}
