import { group } from 'd3-array';
import { type PastRun, type RequirementCourse, violationsByRun } from '../history/course.ts';
import type { EntryStatus } from '../history/entry.ts';
import { capitalized, icon, STATUS_LABELS } from '../report/html/markup/labels.ts';
import { type Html, html, quoted, worded } from '../report/html/markup/markup.ts';
import { count, duration } from '../report/html/markup/quantities.ts';
import { footer, trustMark, verdictIcon } from './front-page.ts';
import { type BoardImplementation, badgeOf, type Summary, sectionStatuses } from './implementation.ts';
import { boardPage, day, trendLine } from './page.ts';

/** Latest runs that the strips, the trends and the table show. */
const STRIP_RUNS = 40;
const TREND_RUNS = 100;
const TABLE_RUNS = 30;

/** The sentence of a requirement, if the interface that judged a run is known. */
export type StatementOf = (run: PastRun, id: string) => string | undefined;

/** The page of an implementation: its trends, its requirements by section, and its runs. */
export function renderImplementation(
  implementation: BoardImplementation,
  summary: Summary,
  { title, madeAt, statementOf }: { title: string; madeAt: string; statementOf: StatementOf },
): string {
  const { course, slug } = implementation;
  const { run, badge, trust } = summary;
  const body = html`<main class="board">
<p class="back"><a href="../index.html">${quoted(title, 200)}</a></p>
<h1>${quoted(course.name, 300)}</h1>
<p class="verdict-line"><b>${verdictIcon(run.verdict)} ${capitalized(badge.words)}</b> since ${day(summary.since)}: ${quoted(run.because, 400)}</p>
<p class="remark"><code>${quoted(run.baseUrl, 300)}</code>${run.release !== undefined && html`, release ${quoted(run.release, 100)}`},
petspec ${quoted(run.petspec.version, 40)}, requirements of ${quoted(run.petspec.set, 40)}, ${trustMark(trust)}${
    trust?.target !== undefined && html` for <code>${quoted(trust.target, 300)}</code>`
  }</p>
<p><a href="../badges/${slug}.svg"><img src="../badges/${slug}.svg" alt="Badge: petspec, ${badge.words}" height="20"></a></p>
${trends(implementation)}
<h2>Requirements</h2>
<div class="sections">${[...group(course.requirements, ({ section }) => section)].map(([name, requirements]) => section(name, requirements, implementation, statementOf))}</div>
<h2>Runs</h2>
${runTable(implementation)}
</main>
${footer(madeAt, '../')}`;
  return boardPage(`${course.name}: ${title}`, '../', body);
}

function trends({ course }: BoardImplementation): Html {
  const runs = course.runs.slice(-TREND_RUNS);
  const violations = violationsByRun(course).slice(-TREND_RUNS);
  const latencies = runs.map(({ latency }) => latency?.median);
  const last = runs.at(-1)?.latency;
  return html`<ul class="trends">
<li><h2>Violated requirements</h2>${trendLine(violations, `${violations.at(-1) ?? 0} in the last run, at most ${Math.max(0, ...violations)}`, 320, 56)}
<p>${violations.at(-1) ?? 0} now, at most ${Math.max(0, ...violations)} in ${count(runs.length, 'run')}</p></li>
${
  last !== undefined &&
  html`<li><h2>Latency</h2>${trendLine(latencies, `median ${last.median} ms in the last run`, 320, 56)}
<p>median ${duration(last.median)}, 95% within ${duration(last.p95)}</p></li>`
}</ul>`;
}

function section(
  name: string,
  requirements: readonly RequirementCourse[],
  implementation: BoardImplementation,
  statementOf: StatementOf,
): Html {
  const status = sectionStatuses(requirements).get(name) ?? 'observed';
  const isBad = requirements.some(
    (requirement) => requirement.violatedSince !== undefined || requirement.status === 'advisory',
  );
  const violated = requirements.filter((requirement) => requirement.status === 'violated').length;
  const words =
    violated > 0
      ? `${violated} of ${requirements.length} violated`
      : count(requirements.length, 'requirement');
  return html`<details class="section"${isBad && html` open`}><summary>${icon(status)} <b>${quoted(name, 200)}</b> <span class="number">${words}</span></summary>
<ul class="requirements">${worstFirst(requirements).map((requirement) => requirementItem(requirement, implementation, statementOf))}</ul></details>
`;
}

function worstFirst(requirements: readonly RequirementCourse[]): RequirementCourse[] {
  const rank = ({ status, violatedSince }: RequirementCourse) =>
    status === 'violated' ? 0 : violatedSince !== undefined ? 1 : status === 'advisory' ? 2 : 3;
  return requirements.toSorted((left, right) => rank(left) - rank(right));
}

function requirementItem(
  requirement: RequirementCourse,
  { course }: BoardImplementation,
  statementOf: StatementOf,
): Html {
  const { id, status, statuses, violatedSince, flickers, change } = requirement;
  const { runs } = course;
  const statement = statementOf(runs.at(-1) ?? runs[0], id);
  const notes = [
    ...(violatedSince === undefined ? [] : [`violated since ${whenOf(runs[violatedSince])}`]),
    ...(change === 'better' ? ['better than in the run before'] : []),
    ...(flickers === undefined ? [] : [`flickers: changed ${count(flickers, 'time')}`]),
  ];
  return html`<li class="${status ?? ''}">${head(id, status, statement)}${strip(statuses)}${notes.length > 0 && html`<p class="note">${notes.join('; ')}</p>`}</li>
`;
}

const heads = new Map<string, Html>();
const strips = new Map<string, Html>();
/** Entries of each cache. */
const MAX_CACHED = 5_000;

/** Implementations share requirements, so most heads are made once. */
function head(id: string, status: EntryStatus | undefined, statement: string | undefined): Html {
  const key = JSON.stringify([id, status, statement]);
  const markup =
    heads.get(key) ??
    html`<p>${status !== undefined && html`${icon(status)}<span class="unseen">${STATUS_LABELS[status]}</span>`} <code>${quoted(id, 200)}</code></p>${
      statement !== undefined && html`<p class="statement">${worded(statement)}</p>`
    }`;
  if (heads.size < MAX_CACHED) heads.set(key, markup);
  return markup;
}

/** The statuses of the latest runs, oldest first, as colored bars. */
function strip(statuses: RequirementCourse['statuses']): Html {
  const latest = statuses.slice(-STRIP_RUNS);
  const key = latest.join(' ');
  const svg = strips.get(key) ?? newStrip(latest);
  if (strips.size < MAX_CACHED) strips.set(key, svg);
  return svg;
}

function newStrip(statuses: RequirementCourse['statuses']): Html {
  // The latest run is always at the right end.
  const offset = STRIP_RUNS - statuses.length;
  const stretches: { status: EntryStatus | undefined; from: number; length: number }[] = [];
  for (const [from, status] of statuses.entries()) {
    const last = stretches.at(-1);
    if (last && last.status === status) last.length += 1;
    else stretches.push({ status, from, length: 1 });
  }
  const words = stretches.map(
    ({ status, length }) => `${status === undefined ? 'absent' : STATUS_LABELS[status]} (${length})`,
  );
  const bars = stretches
    .filter(({ status }) => status !== undefined)
    .map(
      ({ status, from, length }) =>
        html`<rect class="${status ?? ''}" x="${(offset + from) * 6}" width="${length * 6 - 1}" height="12"/>`,
    );
  return html`<svg class="strip" viewBox="0 0 ${STRIP_RUNS * 6} 12" width="${STRIP_RUNS * 6}" height="12" role="img" aria-label="Runs, the oldest first: ${words.join(', ')}">${bars}</svg>`;
}

function whenOf(run: PastRun | undefined): string {
  if (!run) return '';
  return run.release === undefined ? day(run.startedAt) : `${day(run.startedAt)} (release ${run.release})`;
}

function runTable({ course, reports }: BoardImplementation): Html {
  const violations = violationsByRun(course);
  const newest = course.runs.map((run, index) => ({ run, violated: violations[index] ?? 0 })).reverse();
  const rows = newest.filter(({ run }, index) => index < TABLE_RUNS || reports.has(run.report));
  const rest = newest.length - rows.length;
  return html`<section class="scroll" aria-label="Runs" tabindex="0"><table class="runs-table">
<thead><tr><th scope="col">Date</th><th scope="col">Release</th><th scope="col">Verdict</th><th scope="col">Violated</th><th scope="col">Latency</th><th scope="col">Seed</th><th scope="col">Report</th></tr></thead>
<tbody>${rows.map(({ run, violated }) => runRow(run, violated, reports))}</tbody></table></section>
${rest > 0 && html`<p class="remark">${count(rest, 'older run')} in <a href="../runs.json">runs.json</a>.</p>`}`;
}

function runRow(run: PastRun, violated: number, reports: BoardImplementation['reports']): Html {
  const { report, startedAt, release, verdict, latency, seed } = run;
  const boardReport = reports.get(report);
  return html`<tr><td>${day(startedAt)}</td><td>${release === undefined ? '' : quoted(release, 60)}</td>
<td>${verdictIcon(verdict)} ${capitalized(badgeOf(run).words)}</td><td>${violated}</td><td>${latency ? duration(latency.median) : ''}</td><td>${seed ?? ''}</td>
<td>${boardReport ? html`<a href="../reports/${report}.html">report</a> ${boardReport.trust !== undefined && trustMark(boardReport.trust)}` : html`<code title="SHA-256 of report.json">${report.slice(0, 12)}</code>`}</td></tr>
`;
}
