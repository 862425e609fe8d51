import { isGood, isViolation, type Report } from '../../../model/report/report.ts';
import type { Consequences } from '../../consequences.ts';
import { baselineLines } from '../../text/baseline-lines.ts';
import { isNarrowed, judgedOf, judgedWords } from '../../verdict.ts';
import { icon } from '../markup/icons.ts';
import {
  count,
  duration,
  moment,
  SHOWN,
  type Shown,
  STATUS_WORDS,
  shownStatus,
  VERDICT_STATUS,
  VERDICT_WORDS,
} from '../markup/labels.ts';
import { type Html, html, quoted } from '../markup/markup.ts';
import { renderRootCause } from './root-cause.ts';

const SENTENCES: Readonly<Record<Report['verdict'], string>> = {
  conformant: 'conforms to the animal store service interface',
  'non-conformant': 'does not conform to the animal store service interface',
  incomplete: 'was not judged completely against the animal store service interface',
};

/** What a conformant verdict says where options narrowed it. */
const PART = 'conforms to the part of the animal store service interface that was judged';

const MAX_HEADLINES = 6;

/** Where the findings of a status are. */
const SECTIONS: Readonly<Record<Shown, string>> = {
  violated: 'violations',
  advisory: 'advisories',
  'not-tested': 'requirements',
  unexercised: 'requirements',
  met: 'requirements',
  observed: 'observations',
};

/** The head of the page: the verdict, of what, why, when, and how many requirements stand how. */
export function renderVerdict(
  report: Report,
  anchors: ReadonlyMap<string, string>,
  consequences: Consequences,
): Html {
  const { verdict, because, target } = report;
  const isPart = isNarrowed(report);
  const sentence = isPart && verdict === 'conformant' ? PART : SENTENCES[verdict];
  return html`<header class="verdict ${lookOf(report)}"><div class="inner">
    <p class="product">petspec <span>conformance report</span></p>
    <h1>${icon(statusOf(report))}<span>${VERDICT_WORDS[verdict]}</span>${isPart && html` <span class="extent">${judgedWords(report)}</span>`}</h1>
    <p class="lede"><code>${quoted(target.baseUrl, 300)}</code> ${sentence}: ${quoted(because, 600)}.</p>
    ${renderRootCause(report, consequences)}
    ${renderNarrowing(report)}
    ${renderNewer(report)}
    ${renderBaseline(report)}
    ${renderHeadlines(report, anchors, consequences)}
    ${renderFacts(report)}
  </div></header>
  ${renderTally(report)}`;
}

/** The status whose shape the verdict has. */
function statusOf(report: Report): Shown {
  if (report.verdict !== 'conformant') return VERDICT_STATUS[report.verdict];
  if (!isGood(report)) return 'advisory';
  return isNarrowed(report) ? 'unexercised' : 'met';
}

/** The class of the head: a conformant verdict that covers a part alone has neither the size nor the ground of a whole one. */
function lookOf(report: Report): string {
  const status = statusOf(report);
  return status === 'unexercised' ? 'part' : status;
}

/** What is wrong, each in a line: enough for who looks no further. */
function renderHeadlines(
  report: Report,
  anchors: ReadonlyMap<string, string>,
  consequences: Consequences,
): Html | undefined {
  const violated = report.requirements.filter((each) => isViolation(report, each) && !consequences.has(each));
  if (violated.length === 0) return undefined;
  const items = violated
    .slice(0, MAX_HEADLINES)
    .map(
      ({ id, reason }) =>
        html`<li><a href="#${anchors.get(id)}">${quoted(reason, 200)}</a> <code class="id">${quoted(id, 100)}</code></li>`,
    );
  const left = violated.length - MAX_HEADLINES;
  return html`<ul class="headlines">${items}${left > 0 && html`<li><a href="#violations">and ${left} more</a></li>`}</ul>`;
}

function renderNarrowing({ narrowed }: Report): Html | undefined {
  if (narrowed.length === 0) return undefined;
  const items = narrowed.map(
    ({
      option,
      requirements,
    }) => html`<li><code>${quoted(option, 100)}</code> left out ${count(requirements.length, 'requirement')}
      <details class="ids"><summary>Which</summary><p>${requirements.map((id) => html`<code>${quoted(id, 100)}</code> `)}</p></details></li>`,
  );
  return html`<section class="narrowed" aria-label="What narrows this verdict"><p><b>This verdict is narrowed:</b> the run was not asked to test everything.</p><ul>${items}</ul></section>`;
}

/** How the violations compare with those that are known. */
function renderBaseline({ baseline }: Report): Html | undefined {
  if (baseline === undefined) return undefined;
  const { head, known, wrong, unjudged } = baselineLines(baseline);
  const rest = unjudged.length === 0 ? [] : [`not judged in this run: ${unjudged.join(', ')}`];
  const lines = [...wrong, ...known.map((each) => `known: ${each}`), ...rest];
  return html`<section class="narrowed" aria-label="How this compares with the baseline"><p><b>Violations:</b> ${quoted(head, 600)}.</p>
    <ul>${lines.map((line) => html`<li>${quoted(line, 600)}</li>`)}</ul></section>`;
}

/** What a newer set of requirements would look at as well. */
function renderNewer({ suite, newer = [] }: Report): Html | undefined {
  if (newer.length === 0) return undefined;
  return html`<section class="narrowed" aria-label="What a newer set adds"><p><b>Judged by the requirements of ${quoted(suite.set.version, 60)}:</b> a newer set adds ${count(newer.length, 'requirement')}.</p>
    <ul>${newer.map(({ id, since, statement }) => html`<li><code>${quoted(id, 100)}</code> (${quoted(since, 60)}) ${quoted(statement, 600)}</li>`)}</ul></section>`;
}

function renderFacts(report: Report): Html {
  const { target, startedAt, durationMs, suite } = report;
  const date = moment(startedAt);
  const judged = judgedOf(report);
  const facts: [name: string, value: Html][] = [
    [
      'Messages at',
      target.apiUrl === null ? html`no address given` : html`<code>${quoted(target.apiUrl, 300)}</code>`,
    ],
    ...(target.insecure ? [['Certificate', html`not verified (--insecure)`] as [string, Html]] : []),
    ['Plan', html`${quoted(target.plan ?? 'unknown', 60)}`],
    [
      'When',
      date === undefined
        ? html`${quoted(startedAt, 60)}`
        : html`<time datetime="${new Date(startedAt).toISOString()}">${date}</time>`,
    ],
    ['Judged', html`${judged.requirements} of ${judged.of} must`],
    ['Took', html`${duration(durationMs)}`],
    [
      'Judged by',
      html`${quoted(suite.name, 60)} ${quoted(suite.version, 60)}, interface ${quoted(suite.specVersion, 60)}`,
    ],
  ];
  return html`<dl class="facts">${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

function renderTally({ requirements }: Report): Html {
  const counts = SHOWN.map((status) => ({
    status,
    number: requirements.filter((each) => shownStatus(each) === status).length,
  }));
  const items = counts.map(
    ({
      status,
      number,
    }) => html`<li class="${number === 0 ? 'nothing' : status}"><a href="#${SECTIONS[status]}">
      <span class="figure-number">${number}</span> <span class="word">${icon(status)} ${STATUS_WORDS[status]}</span></a></li>`,
  );
  return html`<nav class="tally" aria-label="Requirements by status">
    ${renderBar(counts, requirements.length)}
    <ul>${items}</ul></nav>`;
}

/** The shares of the statuses; the numbers beside it say the same. */
function renderBar(counts: readonly { status: Shown; number: number }[], total: number): Html {
  let x = 0;
  const parts = counts.map(({ status, number }) => {
    const part = html`<rect class="${status}" x="${x}" y="0" width="${number}" height="1"/>`;
    x += number;
    return number > 0 && part;
  });
  return html`<svg class="shares" aria-hidden="true" focusable="false" preserveAspectRatio="none" viewBox="0 0 ${Math.max(1, total)} 1">${parts}</svg>`;
}
