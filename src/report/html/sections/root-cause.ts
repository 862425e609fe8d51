import type { HintResult, Report } from '../../../model/report/report.ts';
import { type Consequences, commandOf } from '../../facts/consequences.ts';
import { type Html, html, quoted } from '../markup/markup.ts';
import { count } from '../markup/quantities.ts';

/** The root cause of a report, its consequences and hints, for the head of the page. */
export function renderRootCause(report: Report, consequences: Consequences): Html | undefined {
  const { rootCause, hints = [] } = report;
  if (rootCause === undefined && hints.length === 0) return undefined;
  return html`<section class="root-cause" aria-label="${rootCause ? 'Root cause' : 'Hints'}">
    ${rootCause && renderCause(rootCause, consequences)}
    ${hints.map(renderHint)}
  </section>`;
}

function renderCause(
  { statement, firstLine, evidence }: NonNullable<Report['rootCause']>,
  consequences: Consequences,
): Html {
  const curl = commandOf(consequences);
  const exchanges = evidence
    .slice(0, 10)
    .map((id, index) => html`${index > 0 && ','} <a href="#x${id}">${id}</a>`);
  return html`<p class="cause"><b>Root cause:</b> ${quoted(statement, 600)}</p>
    ${firstLine !== undefined && html`<p class="first-line">First line: <code>${quoted(firstLine, 300)}</code></p>`}
    ${curl !== undefined && renderCommand(curl, 'root-cause-curl')}
    ${renderLinks(consequences)}
    <p class="remark">${evidence.length === 1 ? 'Exchange' : 'Exchanges'}${exchanges}</p>`;
}

function renderLinks({ violated, advisories, untested, observed }: Consequences): Html | undefined {
  const parts = [
    violated.length > 0 && html`<a href="#violations">${count(violated.length, 'violation')}</a>`,
    advisories.length > 0 &&
      html`<a href="#advisories">${count(advisories.length, 'advisory', 'advisories')}</a>`,
    untested.length > 0 &&
      html`<a href="#requirements">${count(untested.length, 'requirement')} not tested</a>`,
    observed.length > 0 && html`<a href="#observations">${count(observed.length, 'observation')}</a>`,
  ].filter((part) => part !== false);
  if (parts.length === 0) return undefined;
  return html`<p>Its consequences are folded below: ${parts.map((part, index) => html`${index > 0 && ', '}${part}`)}.</p>`;
}

function renderHint({ text, command }: HintResult, index: number): Html {
  return html`<div class="hint"><p><b>Hint:</b> ${quoted(text, 600)}</p>
    ${command !== undefined && renderCommand(command, `hint-${index + 1}`)}</div>`;
}

/** The button is hidden until the script of the page runs, without which it does not work. */
function renderCommand(command: string, key: string): Html {
  return html`<div class="command"><code id="${key}">${quoted(command, 6_000)}</code>
    <button type="button" class="copy" data-copies="${key}" hidden>Copy</button></div>`;
}

export function renderConsequences(words: string, parts: readonly Html[]): Html | undefined {
  if (parts.length === 0) return undefined;
  return html`<details class="follows"><summary>${words} because of the root cause</summary>${parts}</details>`;
}
