import { interfaceName, isSeen, type Report, type RequirementResult } from '../../model/report/report.ts';
import { consequencesOf } from '../facts/consequences.ts';
import { requestsByKind, requestWords, thingWords } from '../facts/request-counts.ts';
import { asCounted, isNothingJudged, isPart, mustsJudged } from '../facts/verdict.ts';
import { renderLatencyChart } from './charts/latency-chart.ts';
import { renderWindowChart } from './charts/window-chart.ts';
import { renderExchangeTable } from './exchange/exchange.ts';
import { capitalized, STAGE_LABELS, verdictTitle } from './markup/labels.ts';
import { type Html, html, plain, quoted } from './markup/markup.ts';
import { REPORT_SCRIPT, REPORT_STYLE, renderPage } from './markup/page.ts';
import { count } from './markup/quantities.ts';
import { type ContentsEntry, renderContents, renderMatrix } from './sections/contents.ts';
import { renderCoverage } from './sections/coverage.ts';
import { findingAnchors, renderFinding } from './sections/finding.ts';
import { renderObservations, renderRequirements } from './sections/requirements.ts';
import { renderConsequences } from './sections/root-cause.ts';
import { renderVerdict } from './sections/verdict.ts';

/** With more violations than this, exchanges start folded, so that the page stays short. */
const MAX_OPEN = 3;

/**
 * The report as a self-contained page, which opens from disk, needs no network and is readable without scripts. Pure: the same
 * report makes the same page.
 */
export function renderHtml(given: Report): string {
  const report = {
    ...given,
    requirements: given.requirements.map((requirement) => asCounted(given, requirement)),
  };
  const violations = report.requirements.filter(({ status }) => status === 'violated');
  const advisories = report.requirements.filter(({ status }) => status === 'advisory');
  const exchanges = new Map(report.exchanges.map((exchange) => [exchange.id, exchange]));
  const cards = (results: readonly RequirementResult[], isOpen: boolean) =>
    results.map((result) =>
      renderFinding(result, {
        exchanges,
        isOpen,
        anchor: anchors.get(result.id) ?? '',
        isOfClient: report.client !== undefined,
        interface: report.suite.interface,
      }),
    );
  const anchors = findingAnchors(report.requirements);
  const consequences = consequencesOf(report);
  const split = (results: readonly RequirementResult[], isOpen: boolean): Cards => ({
    own: cards(
      results.filter((result) => !consequences.has(result)),
      isOpen,
    ),
    consequences: cards(
      results.filter((result) => consequences.has(result)),
      false,
    ),
  });
  const window = renderWindowChart(report.exchanges, report.requests.total, report.limiters);
  const body = html`<a class="skip" href="#violations">Skip to the findings</a>
    <main>
    ${renderVerdict(report, anchors, consequences)}
    ${violations.length === 0 && renderMatrix(report, true)}
    ${renderContents(contentsOf(report, { violations: violations.length, advisories: advisories.length, hasWindow: window !== undefined }))}
    ${renderViolations(report, split(violations, violations.length <= MAX_OPEN))}
    ${renderAdvisories(split(advisories, false))}
    ${violations.length > 0 && renderMatrix(report, false)}
    ${renderRequirements(report, anchors, consequences)}
    ${renderObservations(report, consequences)}
    ${renderCoverage(report)}
    ${renderCharts(report, window)}
    ${renderRequestCounts(report)}
    ${renderExchangeTable(report)}
    </main>
    ${renderFooter(report)}`;
  const title = `${verdictTitle(report)}: ${plain(report.target.baseUrl, 200)} · petspec`;
  return renderPage({ title, body, style: REPORT_STYLE, script: REPORT_SCRIPT });
}

function contentsOf(
  report: Report,
  { violations, advisories, hasWindow }: { violations: number; advisories: number; hasWindow: boolean },
): ContentsEntry[] {
  const observed = report.requirements.filter(isSeen).length;
  return [
    { anchor: 'violations', name: 'Violations', number: violations },
    ...(advisories > 0 ? [{ anchor: 'advisories', name: 'Advisories', number: advisories }] : []),
    { anchor: 'requirements', name: 'Requirements', number: report.requirements.length },
    { anchor: 'observations', name: 'Observed', number: observed },
    ...(report.coverage ? [{ anchor: 'coverage', name: 'Coverage' }] : []),
    ...(hasWindow ? [{ anchor: 'window-heading', name: 'Rate limit' }] : []),
    { anchor: 'requests', name: requestsTitle(report) },
    ...(report.exchanges.length > 0
      ? [{ anchor: 'exchanges', name: 'All requests', number: report.requests.total }]
      : []),
  ];
}

/** The findings of a section, apart from those that follow from the root cause. */
interface Cards {
  own: readonly Html[];
  consequences: readonly Html[];
}

function renderViolations(report: Report, { own, consequences }: Cards): Html {
  const number = own.length + consequences.length;
  const none = withoutViolations(report);
  return html`<section id="violations" aria-labelledby="violations-title">
    <h2 id="violations-title">${number === 0 ? none.title : count(number, 'violation')}</h2>
    ${report.strict && html`<p class="intro">This run is strict: advisories count as violations.</p>`}
    ${number > 0 ? own : html`<p class="none">${none.text}</p>`}
    ${renderConsequences(count(consequences.length, 'violation'), consequences)}
  </section>`;
}

/** What the page says if there are no violations. How little was judged is what a reader must know first. */
function withoutViolations(report: Report): { title: string; text: string } {
  if (isNothingJudged(report))
    return {
      title: 'Nothing was judged',
      text: 'This run cannot tell whether anything violates the interface.',
    };
  if (!isPart(report)) return { title: 'No violations', text: 'Nothing in this run violates the interface.' };
  return {
    title: 'No violations in what was judged',
    text: `${mustsJudged(report)}. The others may be violated.`,
  };
}

function renderAdvisories({ own, consequences }: Cards): Html | undefined {
  const number = own.length + consequences.length;
  if (number === 0) return undefined;
  return html`<section id="advisories" aria-labelledby="advisories-title">
    <h2 id="advisories-title">${count(number, 'advisory', 'advisories')}</h2>
    <p class="intro">Good practice in HTTP and APIs. Advisories do not change the verdict.</p>
    ${own}
    ${renderConsequences(count(consequences.length, 'advisory', 'advisories'), consequences)}
  </section>`;
}

function renderCharts({ exchanges }: Report, window: Html | undefined): Html {
  const latency = renderLatencyChart(exchanges);
  return html`${window && html`<section aria-labelledby="window-heading"><h2 id="window-heading">The rate-limit window</h2>${window}</section>`}
    ${latency && html`<section aria-labelledby="latency-heading"><h2 id="latency-heading">Response times</h2>${latency}</section>`}`;
}

function renderFooter({ suite, schemaVersion }: Report): Html {
  return html`<footer><p>${quoted(suite.name, 60)} ${quoted(suite.version, 60)}, ${quoted(interfaceName(suite), 200)}
    (<code title="digest of the machine-readable interface">${quoted(suite.specDigest.slice(0, 12), 12)}</code>), report schema ${schemaVersion}.
    The same data: <code>report.json</code>.</p></footer>`;
}

const MAX_IDS = 100;

/** The heading of the section about requests. Only a run sends requests itself. */
export function requestsTitle({ client, recording }: Report): string {
  if (recording) return 'Recorded exchanges';
  return client ? 'Requests of the client' : 'Requests sent';
}

/** The requests of a run by purpose, and what it created. For a client or a recording, only their number. */
export function renderRequestCounts(report: Report): Html {
  const isRun = !report.client && !report.recording;
  return html`<section id="requests" aria-labelledby="requests-title">
    <h2 id="requests-title">${requestsTitle(report)}</h2>
    ${isRun ? renderRun(report) : html`<p class="sum">${requestWords(report)}</p>`}
  </section>`;
}

function renderRun(report: Report): Html {
  const { requests } = report;
  const { byPurpose } = requests;
  const purposes = Object.entries(byPurpose).slice(0, 30);
  const most = Math.max(1, ...purposes.map(([, number]) => number).filter(Number.isFinite));
  const rows = purposes.map(([purpose, number]) => renderPurpose(purpose, number, most));
  return html`<div class="request-counts">
      <div>
        <p class="sum">${requestsByKind(requests)}</p>
        <ul class="purposes">${rows}</ul>
      </div>
      ${thingWords(report).length > 0 && renderAdditions(report)}
    </div>`;
}

function renderAdditions(report: Report): Html {
  const { suite, requests, requirements } = report;
  const { created } = requests;
  const { interface: interfaceTitle } = suite;
  const leftOver = requirements.find(({ id }) => id === 'open.left-over')?.observed;
  const remark =
    interfaceTitle === undefined ? 'The interface has no operation that deletes them.' : (leftOver ?? '');
  return html`<div>
        <p class="sum">${quoted(thingWords(report).join(', '), 200)}.</p>
        ${created.length > 0 && renderCreated(created, remark)}
      </div>`;
}

function renderPurpose(purpose: string, number: number, most: number): Html {
  const words = Object.hasOwn(STAGE_LABELS, purpose) ? STAGE_LABELS[purpose] : undefined;
  return html`<li><span>${quoted(words ?? purpose, 60)}</span> <span class="number">${number}</span>
    <svg aria-hidden="true" focusable="false" preserveAspectRatio="none" viewBox="0 0 ${most} 1"><rect width="${number}" height="1"/></svg></li>`;
}

function renderCreated(created: readonly string[], words: string): Html {
  const ids = created.slice(0, MAX_IDS).map((id) => html`<li><code>${quoted(id, 60)}</code></li>`);
  const omitted = created.length - MAX_IDS;
  return html`<p class="remark">${quoted(asSentence(words), 600)} Their ids:</p>
    <ul class="chips">${ids}${omitted > 0 && html`<li>and ${count(omitted, 'more', 'more')}</li>`}</ul>`;
}

/** Words as a sentence, with a capital letter and a full stop. */
function asSentence(words: string): string {
  if (words === '') return '';
  return `${capitalized(words)}${words.endsWith('.') ? '' : '.'}`;
}
