import { group } from 'd3-array';
import {
  type Coverage,
  isCovered,
  type KeywordCoverage,
  type OperationCoverage,
  type ParameterCoverage,
  type ResponseCoverage,
  type Sensitivity,
} from '../../../model/report/coverage.ts';
import type { Report } from '../../../model/report/report.ts';
import { coverageWords, missingWords, statusName, undocumentedWords } from '../../text/coverage.ts';
import { type Html, html, quoted } from '../markup/markup.ts';
import { count } from '../markup/quantities.ts';

/** Bounds for large interfaces; report.json has more. */
const MAX_OPERATIONS = 60;
const MAX_PARAMETERS = 30;
const MAX_STATUSES = 20;
const MAX_NAMES = 200;
const MAX_PLACES = 200;
const MAX_UNDOCUMENTED = 30;

/** The coverage of the interface: operations by status and parameter, and schema keywords. */
export function renderCoverage({
  coverage,
  sensitivity,
}: Pick<Report, 'coverage' | 'sensitivity'>): Html | undefined {
  if (!coverage) return undefined;
  return html`<section id="coverage" aria-labelledby="coverage-title">
    <h2 id="coverage-title">What was covered</h2>
    <p class="sum">${coverageWords(coverage)}.</p>
    ${renderOperations(coverage)}
    ${renderOthers(coverage)}
    ${renderKeywords(coverage)}
    ${renderUndocumented(coverage)}
    ${sensitivity && renderSensitivity(sensitivity)}
  </section>`;
}

function renderUndocumented(coverage: Coverage): Html | undefined {
  const lines = undocumentedWords(coverage, MAX_UNDOCUMENTED);
  if (lines.length === 0) return undefined;
  return html`<h3>What is not documented</h3>
    <ul class="omitted">${lines.map((line) => html`<li>${quoted(line, 8_000)}</li>`)}</ul>`;
}

/** Bars for the share of known faults that the exchanges would have shown, in all and by section, and the missing probes. */
function renderSensitivity({ shown, faults, onlyInRuns = 0, sections, missing }: Sensitivity): Html {
  const bar = (name: string, noticed: number, total: number) =>
    html`<tr><th scope="row">${name}</th><td><meter min="0" max="${total}" value="${noticed}">${noticed} of ${total}</meter></td><td>${noticed} of ${total}</td></tr>`;
  return html`<details class="others"><summary>Known faults that this would have noticed: ${shown} of ${faults}</summary>
    <p class="intro">Mistakes that petspec has tried on its own reference, whose conditions these exchanges met. It says nothing of mistakes that nobody thought of.${onlyInRuns > 0 && ` ${onlyInRuns} of them show only in a run.`}</p>
    <table class="coverage">${bar('All', shown, faults)}${sections.map((section) => bar(section.section, section.shown, section.faults))}</table>
    ${missing.length > 0 && html`<p class="remark">Missing, by the number of further faults: ${missing.map(({ probe, faults: further }) => `${probe} (${further})`).join(', ')}.</p>`}</details>`;
}

function renderOperations({ byOperation, operations }: Coverage): Html | undefined {
  const requested = byOperation.filter(({ requests }) => requests > 0);
  const shownOperations = requested.slice(0, MAX_OPERATIONS);
  if (shownOperations.length === 0) return undefined;
  const statuses = statusesOf(shownOperations);
  const more = operations.covered - shownOperations.length;
  const heads = statuses.map((status) => html`<th scope="col">${statusName(status)}</th>`);
  return html`<p class="remark">Requests by operation and response, and those of them that had a parameter. A 0 is a documented response that did not come.</p>
    <section class="scroll" aria-label="Requests by operation, parameter and response" tabindex="0"><table class="coverage">
      <thead><tr><th scope="col">Operation</th><th scope="col">Requests</th>${heads}</tr></thead>
      ${shownOperations.map((operation) => renderOperation(operation, statuses))}
    </table></section>
    ${more > 0 && html`<p class="remark">${count(more, 'more operation')} requested; report.json lists them.</p>`}`;
}

function statusesOf(operations: readonly OperationCoverage[]): string[] {
  const statuses = new Set(operations.flatMap(({ responses }) => responses.map(({ status }) => status)));
  return [...statuses].sort().slice(0, MAX_STATUSES);
}

function renderOperation(operation: OperationCoverage, statuses: readonly string[]): Html {
  const { requests, responses, parameters } = operation;
  const byStatus = new Map(responses.map((response) => [response.status, response]));
  const cells = statuses.map((status) => renderResponse(byStatus.get(status)));
  return html`<tbody><tr class="whole"><th scope="row">${quoted(operation.operation, 100)}</th><td>${requests}</td>${cells}</tr>
    ${parameters.slice(0, MAX_PARAMETERS).map((parameter) => renderParameter(parameter, statuses))}</tbody>`;
}

function renderResponse(response: ResponseCoverage | undefined): Html {
  if (!response) return html`<td></td>`;
  const { exchanges, documented } = response;
  if (exchanges === 0) return html`<td class="not-tested">0</td>`;
  return documented
    ? html`<td class="met">${exchanges}</td>`
    : html`<td>${exchanges} <span class="about">not documented</span></td>`;
}

function renderParameter(
  { name, in: place, valid, invalid, byStatus }: ParameterCoverage,
  statuses: readonly string[],
): Html {
  const cells = statuses.map(
    (status) => html`<td>${Object.hasOwn(byStatus, status) && byStatus[status]}</td>`,
  );
  const sent =
    valid + invalid === 0
      ? html`<td class="not-tested">not sent</td>`
      : html`<td>${valid} valid${invalid > 0 && html`, ${invalid} invalid`}</td>`;
  const where = place === 'body' ? '' : ` in ${place}`;
  return html`<tr><th scope="row"><code>${quoted(name, 100)}</code><span class="about">${where}</span></th>${sent}${cells}</tr>`;
}

function renderOthers({ byOperation, operations }: Coverage): Html | undefined {
  const number = operations.of - operations.covered;
  const names = byOperation.filter(({ requests }) => requests === 0).slice(0, MAX_NAMES);
  if (number === 0) return undefined;
  const rest = number - names.length;
  return html`<details class="others"><summary>${count(number, 'operation')} not requested</summary>
    <ul class="chips">${names.map(({ operation }) => html`<li><code>${quoted(operation, 100)}</code></li>`)}${rest > 0 && html`<li>and ${count(rest, 'more', 'more')}</li>`}</ul></details>`;
}

function renderKeywords({ byKeyword, keywords }: Coverage): Html | undefined {
  const places = [...group(byKeyword, (keyword) => `${keyword.in} ${keyword.place}`).values()];
  if (places.length === 0) return undefined;
  const shownPlaces = places.slice(0, MAX_PLACES);
  const rest = keywords.of - shownPlaces.reduce((sum, placeKeywords) => sum + placeKeywords.length, 0);
  return html`<details class="others"><summary>Schema keywords: ${keywords.covered} of ${keywords.of} put to the test</summary>
    <p class="intro">Of a request: a valid and an invalid value were sent. Of a response: a value came that the keyword applies to.</p>
    <section class="scroll" aria-label="Schema keywords" tabindex="0"><table class="coverage keywords">
      <thead><tr><th scope="col">Place</th><th scope="col">In</th><th scope="col">Put to the test</th><th scope="col">Not put to the test</th></tr></thead>
      <tbody>${shownPlaces.map(renderPlace)}</tbody></table></section>
    ${rest > 0 && html`<p class="remark">${count(rest, 'more keyword')}; report.json lists them.</p>`}</details>`;
}

function renderPlace(placeKeywords: readonly KeywordCoverage[]): Html | undefined {
  const [first] = placeKeywords;
  if (!first) return undefined;
  const covered = placeKeywords.filter(isCovered).map(({ keyword }) => keyword);
  const missing = placeKeywords.flatMap((keyword) => {
    const words = missingWords(keyword);
    return words === undefined ? [] : [`${keyword.keyword} (${words})`];
  });
  return html`<tr><th scope="row"><code>${quoted(first.place, 100)}</code></th><td>${first.in}</td>
    <td>${covered.join(', ')}</td><td class="not-tested">${missing.join(', ')}</td></tr>`;
}
