import type { Report, RequirementResult } from '../../../model/report/report.ts';
import type { Consequences } from '../../consequences.ts';
import { type Html, html, quoted, worded } from '../markup/markup.ts';
import { count } from '../markup/quantities.ts';
import { explained } from './glossary.ts';
import { renderConsequences } from './root-cause.ts';

/** What the service does where the interface leaves it open: observed, never judged. */
export function renderObservations({ requirements }: Report, consequences: Consequences): Html {
  const open = requirements.filter(({ status }) => status === 'observed');
  const seen = open.filter((each) => each.exercised && !consequences.has(each));
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
    .map((each, index) => html`${index > 0 && ','} <a href="#x${each}">${each}</a>`);
  return html`<div><dt>${worded(statement)}</dt>
    <dd><p class="seen">${quoted(observed ?? '')}</p>
      <p class="about"><code class="id">${quoted(id, 200)}</code>${evidence.length > 0 && html`<span class="where">${evidence.length === 1 ? 'exchange' : 'exchanges'}${seenIn}${evidence.length > 3 && ' …'}</span>`}</p></dd></div>`;
}
