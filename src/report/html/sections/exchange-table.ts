import { min } from 'd3-array';
import type { Exchange } from '../../../model/exchange.ts';
import type { Report } from '../../../model/report/report.ts';
import { exchangeLine, renderPair } from '../exchange/exchange.ts';
import { UNMARKED } from '../exchange/place.ts';
import { STAGE_LABELS } from '../markup/labels.ts';
import { type Html, html, quoted } from '../markup/markup.ts';
import { duration } from '../markup/quantities.ts';

/** How many exchanges the page lists. The ledger has all of them. */
const MAX_ROWS = 600;

/** How much of the page the requests and responses of the list may take, in characters. */
const MAX_PAIRS = 500_000;

/** Every exchange of the report in order, each folded. The charts and the evidence of findings link here. */
export function renderExchangeTable({ exchanges, requests }: Report): Html | undefined {
  const [first] = exchanges;
  if (!first) return undefined;
  const start = min(exchanges, ({ sentAt }) => sentAt) ?? first.sentAt;
  let left = MAX_PAIRS;
  const rows = exchanges.slice(0, MAX_ROWS).map((each) => {
    const pair = left > 0 && renderPair(each, UNMARKED, 3);
    left -= pair ? pair.length : 0;
    return renderRow(each, start, pair);
  });
  const kept = Math.min(exchanges.length, MAX_ROWS);
  return html`<section id="exchanges" aria-labelledby="exchanges-title">
    <h2 id="exchanges-title">All requests in order</h2>
    <details class="figures"><summary>${kept === requests.total ? html`All ${kept}` : html`${kept} of ${requests.total}`}</summary>
      <ol class="ledger">${rows}</ol></details>
  </section>`;
}

/** An exchange in a line, which opens to the request and the response. */
function renderRow(exchange: Exchange, start: number, pair: Html | false): Html {
  const { id, probe, sentAt, receivedAt, stage, key, rate } = exchange;
  const remaining =
    rate.remaining !== undefined &&
    html`, ${rate.remaining}${rate.limit !== undefined && html` of ${rate.limit}`} left`;
  const retry = rate.retryAfter !== undefined && html`, retry after ${rate.retryAfter} s`;
  return html`<li><details class="exchange" id="x${id}">
    <summary><span class="number">${id}</span> <span class="what">${exchangeLine(exchange)}
      <span class="about"><code>${quoted(probe, 200)}</code> · ${quoted(STAGE_LABELS[stage] ?? stage, 60)} · key ${quoted(key, 20)}
      · at ${((sentAt - start) / 1000).toFixed(3)} s, took ${duration(receivedAt - sentAt)}${remaining}${retry}</span></span></summary>
    ${pair || html`<p class="remark">The page has no room for it; the ledger has it.</p>`}
  </details></li>`;
}
