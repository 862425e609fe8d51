import {
  interfaceName,
  isGood,
  isViolation,
  type NarrowedResult,
  type Report,
} from '../../../model/report/report.ts';
import type { Consequences } from '../../facts/consequences.ts';
import { recordingLines } from '../../facts/request-counts.ts';
import { isNarrowed, isNothingJudged, isPart, judgedOf, judgedWords } from '../../facts/verdict.ts';
import { baselineLines } from '../../text/verdict-lines.ts';
import { capitalized, countsByStatus, icon, type ShownStatus, STATUS_LABELS } from '../markup/labels.ts';
import { type Html, html, quoted, type TemplateValue, withOptions } from '../markup/markup.ts';
import { count, duration, moment } from '../markup/quantities.ts';
import { explained, renderGlossary } from './contents.ts';
import { renderIds } from './requirements.ts';
import { renderRootCause } from './root-cause.ts';

/** The verdict as the end of a sentence about the target. */
function sentenceOf(report: Report): Html {
  const { verdict, suite } = report;
  const interfaceWords =
    suite.interface === undefined
      ? html`the animal store service interface`
      : html`the interface ${quoted(suite.interface, 200)}`;
  if (verdict === 'non-conformant') return html`does not conform to ${interfaceWords}`;
  if (isNothingJudged(report))
    return html`was ${explained('incomplete', 'not judged')} against ${interfaceWords}`;
  if (verdict === 'incomplete')
    return html`was ${explained('incomplete', 'not judged completely')} against ${interfaceWords}`;
  return isPart(report)
    ? html`conforms to the part of ${interfaceWords} that was judged`
    : html`conforms to ${interfaceWords}`;
}

const MAX_HEADLINES = 6;

/** The anchors of the sections with findings of a status. Other statuses are in `requirements`. */
const SECTIONS: Partial<Record<ShownStatus, string>> = {
  violated: 'violations',
  advisory: 'advisories',
  observed: 'observations',
};

/** The head of the page: the verdict and its reason, the facts of the run, and requirements by status. */
export function renderVerdict(
  report: Report,
  anchors: ReadonlyMap<string, string>,
  consequences: Consequences,
): Html {
  const { verdict, because, target } = report;
  const sentence = sentenceOf(report);
  return html`<header class="verdict ${lookOf(report)}"><div class="inner">
    <p class="product">petspec <span>conformance report</span></p>
    <h1>${icon(statusOf(report))}<span>${capitalized(verdict)}</span>${isPart(report) && html` <span class="extent">${judgedWords(report)}</span>`}</h1>
    <p class="lede"><code>${quoted(target.baseUrl, 300)}</code> ${sentence}: ${withOptions(because, 600)}.</p>
    ${renderRootCause(report, consequences)}
    ${renderNarrowing(report)}
    ${renderNewer(report)}
    ${renderBaseline(report)}
    ${renderHeadlines(report, anchors, consequences)}
    ${renderFacts(report)}
  </div></header>
  ${renderTally(report)}
  ${renderGlossary()}`;
}

/** The status whose icon the verdict has. */
export function statusOf(report: Report): ShownStatus {
  if (report.verdict === 'non-conformant') return 'violated';
  if (report.verdict === 'incomplete') return 'not-tested';
  if (!isGood(report)) return 'advisory';
  return isNarrowed(report) ? 'unexercised' : 'met';
}

/** The class of the head. A narrowed conformant verdict must look less like a success than a complete one. */
function lookOf(report: Report): string {
  const status = statusOf(report);
  return status === 'unexercised' ? 'part' : status;
}

function renderHeadlines(
  report: Report,
  anchors: ReadonlyMap<string, string>,
  consequences: Consequences,
): Html | undefined {
  const violated = report.requirements.filter(
    (requirement) => isViolation(report, requirement) && !consequences.has(requirement),
  );
  if (violated.length === 0) return undefined;
  const items = violated
    .slice(0, MAX_HEADLINES)
    .map(
      ({ id, reason, waived }) =>
        html`<li><a href="#${anchors.get(id)}">${quoted(reason, 200)}</a> <code class="id">${quoted(id, 100)}</code>${waived && ' (waived)'}</li>`,
    );
  const omitted = violated.length - MAX_HEADLINES;
  return html`<ul class="headlines">${items}${omitted > 0 && html`<li><a href="#violations">and ${omitted} more</a></li>`}</ul>`;
}

function renderNarrowing({ narrowed, client, recording }: Report): Html | undefined {
  const options = narrowed.filter(({ requirements }) => requirements.length > 0);
  if (options.length === 0) return undefined;
  const items = options.map(
    (
      option,
    ) => html`<li>${count(option.requirements.length, 'requirement')} left out: <code>${withOptions(option.option, 100)}</code>
      ${renderIds(option.requirements)}</li>`,
  );
  const why = whyNarrowed(options, client ? 'client' : recording && 'recording');
  return html`<section class="narrowed" aria-label="What narrows this verdict"><p><b>This verdict is ${explained('narrowed', 'narrowed')}:</b> ${why}</p><ul>${items}</ul></section>`;
}

/** @param judged what was judged instead of a service */
function whyNarrowed(options: readonly NarrowedResult[], judged: 'client' | 'recording' | undefined): string {
  // Older reports have no kind.
  const isUnseen = options.some(({ kind = 'no-traffic' }) => kind === 'no-traffic');
  if (judged === undefined || !isUnseen) return 'options left requirements out.';
  return judged === 'client'
    ? 'the client did not put every requirement to the test.'
    : 'the recording does not put every requirement to the test.';
}

function renderBaseline({ baseline }: Report): Html | undefined {
  if (baseline === undefined) return undefined;
  const { head, known, wrong, unjudged } = baselineLines(baseline);
  const lines = [...wrong, ...known, ...unjudged];
  return html`<section class="narrowed" aria-label="How this compares with the baseline"><p><b>Violations:</b> ${quoted(head, 600)}.</p>
    <ul>${lines.map((line) => html`<li>${quoted(line, 600)}</li>`)}</ul></section>`;
}

function renderNewer({ suite, newer = [] }: Report): Html | undefined {
  if (newer.length === 0) return undefined;
  return html`<section class="narrowed" aria-label="What newer sets add"><p><b>Judged by requirement set ${quoted(suite.set.version, 60)}:</b> newer sets add ${count(newer.length, 'requirement')}.</p>
    <ul>${newer.map(({ id, since, statement }) => html`<li><code>${quoted(id, 100)}</code> (${quoted(since, 60)}) ${quoted(statement, 600)}</li>`)}</ul></section>`;
}

const MAX_RECORDING_LINES = 50;

function renderFacts(report: Report): Html {
  const { target, client, recording, startedAt, durationMs, virtualTime, suite } = report;
  const { apiUrl, plan, insecure } = target;
  const date = moment(startedAt);
  const judged = judgedOf(report);
  const fact = (name: string, value: TemplateValue) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  const facts = [
    client && fact('Scenarios', quoted(client.scenarios.map(({ id }) => id).join(', '), 600)),
    recording &&
      fact(
        'Recorded',
        html`${recordingLines(recording)
          .slice(0, MAX_RECORDING_LINES)
          .map((line, index) => html`${index > 0 && html`<br>`}${quoted(line, 300)}`)}`,
      ),
    !client &&
      suite.interface === undefined &&
      fact('Messages at', apiUrl === null ? 'no address' : html`<code>${quoted(apiUrl, 300)}</code>`),
    insecure && fact('Certificate', 'not verified (--insecure)'),
    !client && fact('Plan', quoted(plan ?? 'unknown', 60)),
    fact(
      'When',
      date
        ? html`<time datetime="${new Date(startedAt).toISOString()}">${date}</time>`
        : quoted(startedAt, 60),
    ),
    fact('Judged', html`${judged.requirements} of ${judged.of} of level must`),
    fact('Took', `${duration(durationMs)}${virtualTime ? ' in virtual time' : ''}`),
    fact(
      'Judged by',
      html`${quoted(suite.name, 60)} ${quoted(suite.version, 60)}, ${quoted(interfaceName(suite), 200)}`,
    ),
  ];
  return html`<dl class="facts">${facts}</dl>`;
}

function renderTally({ requirements }: Report): Html {
  const counts = countsByStatus(requirements);
  // Without findings, the section may be missing.
  const sectionOf = (status: ShownStatus, number: number) =>
    (number > 0 && SECTIONS[status]) || 'requirements';
  const items = counts.map(
    ({ status, number }) => html`<li class="${number === 0 ? 'nothing' : status}">
      <a class="figure-number" href="#${sectionOf(status, number)}">${number}<span class="unseen"> ${STATUS_LABELS[status].toLowerCase()}</span></a>
      <span class="word">${icon(status)} ${explained(status, STATUS_LABELS[status])}</span></li>`,
  );
  return html`<nav class="tally" aria-label="Requirements by status">
    ${renderBar(counts, requirements.length)}
    <ul>${items}</ul></nav>`;
}

/** The shares of the statuses as a bar, which is hidden from screen readers because the numbers below say the same. */
function renderBar(counts: ReturnType<typeof countsByStatus>, total: number): Html {
  let x = 0;
  const parts = counts.map(({ status, number }) => {
    const part = html`<rect class="${status}" x="${x}" y="0" width="${number}" height="1"/>`;
    x += number;
    return number > 0 && part;
  });
  return html`<svg class="shares" aria-hidden="true" focusable="false" preserveAspectRatio="none" viewBox="0 0 ${Math.max(1, total)} 1">${parts}</svg>`;
}
