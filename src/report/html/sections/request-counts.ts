import type { Report } from '../../../model/report/report.ts';
import { requestsByKind, requestWords, thingWords } from '../../request-counts.ts';
import { STAGE_LABELS } from '../markup/labels.ts';
import { type Html, html, quoted } from '../markup/markup.ts';
import { count } from '../markup/quantities.ts';

const MAX_IDS = 100;

/** The heading of the section: only a run sends requests. */
export function requestsTitle({ client, recording }: Report): string {
  if (recording) return 'Recorded exchanges';
  return client ? 'Requests of the client' : 'Requests sent';
}

/** What the run cost its target: requests by purpose, and what it created. Of what others sent, how much it was. */
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
  const { interface: own } = suite;
  const left = requirements.find(({ id }) => id === 'open.left-over')?.observed;
  const remark = own === undefined ? 'The interface has no operation that deletes them.' : (left ?? '');
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
  const left = created.length - MAX_IDS;
  return html`<p class="remark">${quoted(asSentence(words), 600)} Their ids:</p>
    <ul class="chips">${ids}${left > 0 && html`<li>and ${count(left, 'more', 'more')}</li>`}</ul>`;
}

/** Words with a capital letter and a full stop. */
function asSentence(words: string): string {
  if (words === '') return '';
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith('.') ? '' : '.'}`;
}
