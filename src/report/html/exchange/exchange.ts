import { STATUS_CODES } from 'node:http';
import { min } from 'd3-array';
import { type Exchange, type Failure, type HeaderLine, headerValues } from '../../../model/exchange.ts';
import type { Report } from '../../../model/report/report.ts';
import { STAGE_LABELS } from '../markup/labels.ts';
import { type Html, html, quoted } from '../markup/markup.ts';
import { count, duration } from '../markup/quantities.ts';
import { type FindingPlace, type Marks, renderBody, UNMARKED } from './body.ts';

const MAX_HEADERS = 40;
const MAX_VALUE = 600;
const MAX_URL = 800;

export function exchangeLine({ method, url, response, failure }: Exchange): Html {
  const outcome = response
    ? html`<b class="status">${response.status}</b> ${STATUS_CODES[response.status]}`
    : html`<b class="status">no response</b> ${failure?.kind}`;
  return html`<span class="request"><b>${quoted(method, 40)}</b> ${quoted(pathOf(url), MAX_URL)}</span>
    <span class="outcome"><span class="to" aria-hidden="true">→</span> ${outcome}</span>`;
}

/** A folded request and its response, side by side, with the place of a finding marked. */
export function renderExchange(exchange: Exchange, marks: Marks, isOpen: boolean): Html {
  const { id } = exchange;
  return html`<details class="exchange"${isOpen && html` open`}>
    <summary><span class="number">Exchange ${id}</span> ${exchangeLine(exchange)}
      <span class="took">${duration(exchange.receivedAt - exchange.sentAt)}</span></summary>
    ${renderPair(exchange, marks)}
  </details>`;
}

/** A request and its response, as they were sent. @param level of their headings */
export function renderPair(exchange: Exchange, marks: Marks, level: 3 | 4 = 4): Html {
  const { response, failure } = exchange;
  const heading = (words: string) => (level === 3 ? html`<h3>${words}</h3>` : html`<h4>${words}</h4>`);
  return html`<div class="pair">
      <div class="wire">${heading('Request')}${renderRequest(exchange, marks.request)}</div>
      <div class="wire">${heading('Response')}${response ? renderResponse(response, marks.response) : renderFailure(failure)}</div>
    </div>`;
}

function renderRequest(
  { method, url, requestHeaders, requestBody = '' }: Exchange,
  place: FindingPlace,
): Html {
  const start = html`<b>${quoted(method, 40)}</b> ${quoted(url, MAX_URL)}`;
  return html`<pre class="code">${startLine(start, place.kind === 'request-line')}${headerLines(requestHeaders, place)}</pre>
    ${renderBody({ body: requestBody }, place)}`;
}

function renderResponse(response: NonNullable<Exchange['response']>, place: FindingPlace): Html {
  const status = html`<b>${response.status}</b> ${STATUS_CODES[response.status]}`;
  const start = startLine(status, place.kind === 'status');
  const undecodable =
    response.undecodable !== undefined &&
    html`<p class="remark"><mark>Not text</mark>: ${quoted(response.undecodable)}</p>`;
  return html`<pre class="code">${start}${headerLines(response.headers, place)}</pre>
    ${undecodable}${renderBody(response, place)}`;
}

function headerLines(headers: readonly HeaderLine[], place: FindingPlace): Html[] {
  const markedNames = place.kind === 'headers' ? place.names : [];
  const lowerCaseNames = new Set(markedNames.map((name) => name.toLowerCase()));
  const lines = headers.slice(0, MAX_HEADERS).map(([name, value]) => {
    const isMarked = lowerCaseNames.has(name.toLowerCase());
    const text = html`<span class="name">${quoted(name, MAX_VALUE)}</span>: ${quoted(value, MAX_VALUE)}`;
    return line(isMarked ? html`<mark>${text}</mark>` : text, isMarked);
  });
  const absent = markedNames.filter((name) => headerValues(headers, name).length === 0);
  for (const name of absent)
    lines.push(line(html`<mark><span class="name">${quoted(name, 100)}</span>: <i>absent</i></mark>`, true));
  const omitted = headers.length - MAX_HEADERS;
  if (omitted > 0)
    lines.push(html`<span class="line skipped">⋮ ${count(omitted, 'header line')} left out\n</span>`);
  return lines;
}

function renderFailure(failure: Failure | undefined): Html {
  if (!failure) return html`<p class="none">no response</p>`;
  const phase = failure.phase === 'headers' ? 'before the response' : 'during the body';
  return html`<p><mark>No complete response</mark>: ${failure.kind}, ${phase}.</p>
    <p class="remark">${quoted(failure.message)}</p>`;
}

function startLine(text: Html, isMarked: boolean): Html {
  return line(isMarked ? html`<mark>${text}</mark>` : text, isMarked);
}

function line(inner: Html, isMarked = false): Html {
  return html`<span class="${isMarked ? 'line deviates' : 'line'}">${inner}\n</span>`;
}

/** An address without scheme and host, which all requests share. */
function pathOf(url: string): string {
  return url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '') || '/';
}

/** Exchanges in the list of the page. The ledger has all of them. */
const MAX_ROWS = 600;

/** Characters of markup for the requests and responses in the list. */
const MAX_PAIRS = 500_000;

/** The exchanges of the report in order, folded. The charts and the evidence of findings link here. */
export function renderExchangeTable({ exchanges, requests }: Report): Html | undefined {
  const [first] = exchanges;
  if (!first) return undefined;
  const start = min(exchanges, ({ sentAt }) => sentAt) ?? first.sentAt;
  let room = MAX_PAIRS;
  const rows = exchanges.slice(0, MAX_ROWS).map((exchange) => {
    const pair = room > 0 && renderPair(exchange, UNMARKED, 3);
    room -= pair ? pair.length : 0;
    return renderRow(exchange, start, pair);
  });
  const kept = Math.min(exchanges.length, MAX_ROWS);
  return html`<section id="exchanges" aria-labelledby="exchanges-title">
    <h2 id="exchanges-title">All requests in order</h2>
    <details class="figures"><summary>${kept === requests.total ? html`All ${kept}` : html`${kept} of ${requests.total}`}</summary>
      <ol class="ledger">${rows}</ol></details>
  </section>`;
}

/** An exchange in a line, which unfolds to the request and the response. */
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
