import { group } from 'd3-array';
import type { Report, RequirementResult } from '../../../model/report/report.ts';
import { type Consequences, consequencesLast } from '../../facts/consequences.ts';
import { badge, countsByStatus, icon, STATUS_LABELS, shownStatus } from '../markup/labels.ts';
import { type Html, html, quoted, worded } from '../markup/markup.ts';
import { count } from '../markup/quantities.ts';
import { explained, requirementAnchors, sectionAnchor } from './contents.ts';
import { renderConsequences } from './root-cause.ts';

/** All requirements by section, each with its status and reason. */
export function renderRequirements(
  report: Report,
  anchors: ReadonlyMap<string, string>,
  consequences: Consequences,
): Html {
  const { requirements } = report;
  const sections = group(requirements, ({ section }) => section);
  const rows = requirementAnchors(requirements);
  return html`<section id="requirements" aria-labelledby="requirements-title">
    <h2 id="requirements-title">All requirements</h2>
    ${renderUntested(report, consequences)}
    ${renderFilter(requirements)}
    <div class="requirements">${[...sections].map(([section, sectionRequirements], index) => renderSection(sectionAnchor(index), section, sectionRequirements, { anchors, rows, consequences }))}</div>
    <p class="none no-match" hidden>Nothing matches. <button type="button" class="all">Show all</button></p>
  </section>`;
}

/** The filter is hidden until the script of the page runs, without which it does not work. */
function renderFilter(requirements: readonly RequirementResult[]): Html {
  const choices = presentIn(requirements).map(
    ({ status, number }) =>
      html`<label class="choice"><input type="radio" name="status" value="${status}"><span>${icon(status)} ${STATUS_LABELS[status]} ${number}</span></label>`,
  );
  return html`<search class="filter" hidden>
    <fieldset><legend class="unseen">Show requirements that are</legend>
      <label class="choice"><input type="radio" name="status" value="" checked><span>All ${requirements.length}</span></label>${choices}</fieldset>
    <label class="search"><span class="unseen">Search in requirements and requests</span><input type="search" name="text" placeholder="Search" autocomplete="off"></label>
    <button type="button" class="fold">Unfold all</button>
    <p class="shown unseen" role="status"></p>
  </search>`;
}

/** The anchors that rows link to. */
interface PageParts {
  /** Of the cards of findings, by requirement. */
  anchors: ReadonlyMap<string, string>;
  /** Of the rows, by requirement. */
  rows: ReadonlyMap<string, string>;
  consequences: Consequences;
}

function renderSection(
  anchor: string,
  section: string,
  requirements: readonly RequirementResult[],
  places: PageParts,
): Html {
  const counts = presentIn(requirements).map(
    ({ status, number }) => `${number} ${STATUS_LABELS[status].toLowerCase()}`,
  );
  const isOpen = requirements.some(
    (requirement) =>
      !places.consequences.has(requirement) &&
      ['violated', 'advisory', 'not-tested'].includes(shownStatus(requirement)),
  );
  return html`<details class="section" id="${anchor}"${isOpen && html` open`}>
    <summary><span class="section-name">${quoted(section, 200)}</span>
      <span class="strip" aria-hidden="true">${presentIn(requirements).map(({ status, number }) => Array.from({ length: number }, () => icon(status)))}</span>
      <span class="unseen">: ${counts.join(', ')}</span></summary>
    <ul class="rows">${consequencesLast(requirements).map((requirement) => renderRow(requirement, places))}</ul>
  </details>`;
}

function presentIn(requirements: readonly RequirementResult[]) {
  return countsByStatus(requirements).filter(({ number }) => number > 0);
}

function renderRow(result: RequirementResult, { anchors, rows }: PageParts): Html {
  const { id, level, operation, statement, reason, cause, observed } = result;
  const status = shownStatus(result);
  const anchor = anchors.get(id);
  const rowAnchor = rows.get(id) ?? '';
  const origin = cause === undefined ? undefined : (anchors.get(cause) ?? rows.get(cause));
  const why = reason === '' ? observed : reason;
  const isNamed = operation !== undefined && !id.startsWith(operation);
  return html`<li class="row" id="${rowAnchor}" data-status="${status}">
    ${badge(status)}
    <div><p class="statement">${anchor ? html`<a href="#${anchor}">${worded(statement)}</a>` : worded(statement)}</p>
      ${why && !anchor && html`<p class="why">${origin === undefined ? quoted(why) : html`<a href="#${origin}">${quoted(why)}</a>`}</p>`}</div>
    <p class="about"><a class="permalink" href="#${rowAnchor}"><code class="id">${quoted(id, 200)}</code></a> <span class="level">${level}</span>${isNamed && html` <span class="operation">${quoted(operation, 60)}</span>`}</p>
  </li>`;
}

/** The requirements that the run did not judge, by reason. */
function renderUntested({ requirements }: Report, consequences: Consequences): Html | undefined {
  const independent = requirements.filter(
    (requirement) => requirement.status === 'not-tested' && !consequences.has(requirement),
  );
  const byReason = group(consequencesLast([...consequences.untested, ...independent]), (requirement) =>
    consequences.has(requirement) ? 'because of the root cause' : requirement.reason,
  );
  if (byReason.size === 0) return undefined;
  const items = [...byReason].slice(0, 50).map(
    ([reason, untested]) => html`<li><b>${count(untested.length, 'requirement')}</b>: ${quoted(reason)}
      ${renderIds(untested.map(({ id }) => id))}</li>`,
  );
  return html`<section class="untested" aria-labelledby="untested-title"><h3 id="untested-title">${icon('not-tested')} Not tested, and why</h3><ul>${items}</ul></section>`;
}

export function renderIds(ids: readonly string[]): Html {
  return html`<details class="ids"><summary>Which</summary><p>${ids.map((id) => html`<code>${quoted(id, 100)}</code> `)}</p></details>`;
}

/** What the service does where the interface leaves it open, which is observed and never judged. */
export function renderObservations({ requirements }: Report, consequences: Consequences): Html {
  const open = requirements.filter(({ status }) => status === 'observed');
  const seen = open.filter((requirement) => requirement.exercised && !consequences.has(requirement));
  const unseen = open.filter(({ exercised }) => !exercised);
  return html`<section id="observations" aria-labelledby="observations-title">
    <h2 id="observations-title">What this service does where the interface leaves it open</h2>
    ${
      seen.length === 0
        ? html`<p class="none">Nothing ${consequences.observed.length > 0 && 'else '}was ${explained('observation', 'observed')} in this run.</p>`
        : html`<p class="intro">${explained('observation', 'Observed')}, never judged: all of this conforms. Clients should not rely on it.</p>
    <dl class="observations">${seen.map(renderObservation)}</dl>`
    }
    ${renderConsequences(
      count(consequences.observed.length, 'observation'),
      consequences.observed.length === 0
        ? []
        : [html`<dl class="observations">${consequences.observed.map(renderObservation)}</dl>`],
    )}
    ${
      unseen.length > 0 &&
      html`<details class="others"><summary>${count(unseen.length, 'more point')} that the interface leaves open, with nothing observed</summary>
      <dl class="observations">${unseen.map(renderObservation)}</dl></details>`
    }
  </section>`;
}

function renderObservation({ id, statement, observed, evidence }: RequirementResult): Html {
  const seenIn = evidence
    .slice(0, 3)
    .map((id, index) => html`${index > 0 && ','} <a href="#x${id}">${id}</a>`);
  return html`<div><dt>${worded(statement)}</dt>
    <dd><p class="seen">${quoted(observed ?? '')}</p>
      <p class="about"><code class="id">${quoted(id, 200)}</code>${evidence.length > 0 && html`<span class="where">${evidence.length === 1 ? 'exchange' : 'exchanges'}${seenIn}${evidence.length > 3 && ' …'}</span>`}</p></dd></div>`;
}
