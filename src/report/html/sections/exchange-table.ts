import type { Exchange } from '../../../model/exchange.ts';
import type { Report } from '../../../model/report/report.ts';
import { STAGE_LABELS } from '../markup/labels.ts';
import { type Html, html, quoted } from '../markup/markup.ts';
import { duration } from '../markup/quantities.ts';

/** How many exchanges the table shows. The ledger has all of them. */
const MAX_ROWS = 600;

/** Every exchange of the report in order. The charts and the evidence of findings link here. */
export function renderExchangeTable({ exchanges, requests }: Report): Html | undefined {
  const [first] = exchanges;
  if (!first) return undefined;
  const start = Math.min(...exchanges.map(({ sentAt }) => sentAt));
  const rows = exchanges.slice(0, MAX_ROWS).map((each) => renderRow(each, start));
  const kept = Math.min(exchanges.length, MAX_ROWS);
  return html`<section id="exchanges" aria-labelledby="exchanges-title">
    <h2 id="exchanges-title">All requests in order</h2>
    <details class="figures"><summary>${kept === requests.total ? html`All ${kept}` : html`${kept} of ${requests.total}`} as a table</summary>
      <section class="scroll" aria-label="Requests in order" tabindex="0"><table class="ledger">
        <thead><tr><th scope="col">No.</th><th scope="col">At</th><th scope="col">Purpose</th><th scope="col">Key</th><th scope="col">Request</th>
          <th scope="col">Status</th><th scope="col">Took</th><th scope="col">Remaining</th></tr></thead>
        <tbody>${rows}</tbody></table></section></details>
  </section>`;
}

function renderRow(exchange: Exchange, start: number): Html {
  const { id, sentAt, receivedAt, stage, key, method, url, response, failure, rate } = exchange;
  const retry = rate.retryAfter !== undefined && html`, retry after ${rate.retryAfter} s`;
  return html`<tr id="x${id}"><th scope="row">${id}</th><td>${((sentAt - start) / 1000).toFixed(3)} s</td><td>${quoted(STAGE_LABELS[stage] ?? stage, 60)}</td><td>${quoted(key, 20)}</td>
    <td class="address"><b>${quoted(method, 40)}</b> ${quoted(url, 300)}</td><td>${response ? response.status : failure?.kind}</td>
    <td>${duration(receivedAt - sentAt)}</td><td>${rate.remaining}${rate.limit !== undefined && html` of ${rate.limit}`}${retry}</td></tr>`;
}
