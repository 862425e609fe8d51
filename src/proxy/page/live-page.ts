import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Finding } from '../../model/finding.ts';
import type { Coverage } from '../../model/report/coverage.ts';
import { counted } from '../../model/report/report.ts';
import { OMISSIONS, type OmissionKind } from '../../recording/recorded.ts';
import { badge, icon, STATUS_LABELS } from '../../report/html/markup/labels.ts';
import { type Html, html, quoted } from '../../report/html/markup/markup.ts';
import { LIVE_SCRIPT, LIVE_STYLE, renderPage } from '../../report/html/markup/page.ts';
import { renderCoverage } from '../../report/html/sections/coverage.ts';
import { type ListenPlace, listen } from '../http/listen.ts';
import type { LiveState } from '../judging/live-judge.ts';
import type { NewFinding } from '../judging/new-findings.ts';

/** The state that the page shows. */
export interface Live {
  /** The base URL at the target, and the base URL for clients. */
  target: string;
  proxy: string;
  /** ms since the epoch. */
  startedAt: number;
  state: LiveState;
  coverage: Coverage;
  /** The latest ways of violating, the newest first. */
  newFindings: readonly NewFinding[];
  /** How many ways were found so far. */
  ways: number;
}

/** The parts of the page that change, by their ids. */
function renderParts(live: Live): Record<'head' | 'findings' | 'traffic', Html> {
  return { head: renderHead(live), findings: renderNewFindings(live), traffic: renderTraffic(live) };
}

/** The page as a whole. Without scripts it shows the state at its loading. */
function renderLivePage(live: Live): string {
  const { head, findings, traffic } = renderParts(live);
  const body = html`<header id="head">${head}</header>
    <main>
    <section aria-labelledby="findings-title">
      <h2 id="findings-title">Ways of violating</h2>
      <p class="intro">What one exchange shows is here within two seconds. What only several show is looked for now and then; the head of this page says when it last was.</p>
      <div id="findings" aria-live="polite">${findings}</div>
    </section>
    <div id="traffic">${traffic}</div>
    </main>
    <footer><p><span class="connection" hidden>connecting</span>The reports are written when petspec proxy is ended.</p></footer>`;
  const title = `Live traffic: ${live.target} · petspec`;
  return renderPage({ title, body, style: LIVE_STYLE, script: LIVE_SCRIPT, isLive: true });
}

/** Without violations the page states no verdict: traffic may not exercise most of the interface. */
function renderHead({ target, proxy, startedAt, state, ways }: Live): Html {
  const { requests, judged, statuses, lookedAt } = state;
  const { violated = 0 } = statuses;
  const status = violated > 0 ? 'violated' : judged > 0 ? 'unexercised' : 'not-tested';
  const words =
    violated > 0
      ? `${counted(violated, 'requirement')} violated`
      : judged > 0
        ? 'No violation so far'
        : 'No traffic yet';
  return html`<div class="verdict ${status === 'unexercised' ? 'part' : status}"><div class="inner">
    <p class="product">petspec <span>live traffic</span></p>
    <h1>${icon(status)}<span>${words}</span></h1>
    <p class="lede"><code>${quoted(target, 300)}</code>, through <code>${quoted(proxy, 300)}</code></p>
    <dl class="facts">
      ${fact('Requests', requests.toLocaleString('en'))}
      ${fact('Judged', judged.toLocaleString('en'))}
      ${fact('Last judged together', lookedAt === undefined ? 'not yet' : timeOf(lookedAt))}
      ${fact('Ways of violating', ways.toLocaleString('en'))}
      ${fact('Since', new Date(startedAt).toISOString().slice(0, 19).replace('T', ' '))}
    </dl>
  </div></div>`;
}

/** The time of day in UTC, as on the whole page. */
function timeOf(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}

function fact(name: string, value: string): Html {
  return html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

function renderNewFindings({ newFindings, ways }: Live): Html {
  if (newFindings.length === 0) return html`<p class="none">None so far.</p>`;
  const items = newFindings.map(
    ({ requirement, status, reason, expected, received, at, request }) => html`<li class="${status}">
      <p class="eyebrow">${badge(status)} <code class="id">${quoted(requirement, 200)}</code> <span class="when">${timeOf(at)}${request && html` · <code>${quoted(request, 200)}</code>`}</span></p>
      <p>${quoted(reason, 600)}</p>
      ${expected !== undefined && html`<p class="sides-line">expected ${quoted(expected, 300)}; received ${quoted(received ?? 'something else', 300)}</p>`}
    </li>`,
  );
  const unlisted = ways - newFindings.length;
  return html`<ul class="news">${items}</ul>${unlisted > 0 && html`<p class="remark">and ${unlisted} before them</p>`}`;
}

const SHOWN: readonly Finding['status'][] = ['violated', 'advisory', 'met', 'observed', 'not-tested'];

function renderTraffic({ state, coverage }: Live): Html {
  const tally = SHOWN.map((status) => {
    const number = state.statuses[status] ?? 0;
    return html`<li class="${status}${number === 0 && ' nothing'}"><span class="figure-number">${number}</span><span class="word">${STATUS_LABELS[status]}</span></li>`;
  });
  return html`<section class="tally" aria-labelledby="tally-title">
      <h2 id="tally-title">Requirements</h2><ul>${tally}</ul>
    </section>
    ${renderCoverage({ coverage })}
    <section aria-labelledby="kept-title"><h2 id="kept-title">Kept and left out</h2>
      <ul class="omitted">${keptLines(state).map((line) => html`<li>${quoted(line, 300)}</li>`)}</ul>
    </section>`;
}

/** Lines about the ledger, and about requests that were not judged. */
export function keptLines({ omissions, ledger }: LiveState): string[] {
  const kept = ledger
    ? [
        `${counted(ledger.kept, 'exchange')} in the ledger (${(ledger.bytes / 1024 / 1024).toFixed(1)} MiB)`,
        ...(ledger.notKept > 0
          ? [`the ledger is full: ${counted(ledger.notKept, 'exchange')} judged and not kept`]
          : []),
        ...(ledger.problem === undefined ? [] : [`the ledger cannot be written: ${ledger.problem}`]),
      ]
    : [];
  const omitted = Object.entries(omissions).map(
    ([kind, count]) => `${count}: ${OMISSIONS[kind as OmissionKind]}`,
  );
  return [...kept, ...omitted];
}

/** The page that shows live traffic. */
export interface LiveServer {
  origin: string;
  /** Sends the changed parts to all open pages. */
  tell(live: Live): void;
  close(): Promise<void>;
}

/** Open pages at the same time. */
const MAX_PAGES = 50;

/** Bytes that may wait for a slow page; with more, it gets no events. */
const MAX_WAITING = 4 * 1024 * 1024;

/**
 * Serves a page that changes by server-sent events (WHATWG HTML section 9.2).
 * @throws the error of the operating system, such as EADDRINUSE
 */
export async function serveLive(place: ListenPlace, first: Live): Promise<LiveServer> {
  const pages = new Set<ServerResponse>();
  let live = first;
  /** The parts that the open pages show, by id. */
  let shown: Record<string, string> = {};

  const follow = (method: string, response: ServerResponse) => {
    if (pages.size >= MAX_PAGES) return void response.writeHead(503, { 'retry-after': '60' }).end();
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/event-stream' });
    if (method === 'HEAD') return void response.end();
    // The other open pages show this state already.
    shown = textsOf(live);
    response.write(`retry: 2000\n\n${eventOf('parts', shown)}`);
    pages.add(response);
    response.on('close', () => pages.delete(response));
    response.on('error', () => {});
  };

  const handle = ({ method = 'GET', url = '/' }: IncomingMessage, response: ServerResponse) => {
    const path = url.split('?')[0];
    if (method !== 'GET' && method !== 'HEAD')
      return void response.writeHead(405, { allow: 'GET, HEAD' }).end();
    if (path === '/events') return follow(method, response);
    if (path !== '/') return void response.writeHead(404, HEADERS).end();
    response.writeHead(200, { ...HEADERS, 'content-type': 'text/html; charset=utf-8' });
    response.end(renderLivePage(live));
  };

  const { origin, close } = await listen(handle, { names: [], ...place });
  return {
    origin,
    tell(latest) {
      live = latest;
      if (pages.size === 0) return;
      const texts = textsOf(latest);
      const changed = Object.entries(texts).filter(([id, text]) => shown[id] !== text);
      shown = texts;
      if (changed.length === 0) return;
      const event = eventOf('parts', Object.fromEntries(changed));
      for (const page of pages) if (page.writableLength < MAX_WAITING) page.write(event);
    },
    async close() {
      for (const page of pages) page.end('event: end\ndata:\n\n');
      await close(500);
    },
  };
}

const HEADERS = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
};

function textsOf(live: Live): Record<string, string> {
  return Object.fromEntries(Object.entries(renderParts(live)).map(([id, part]) => [id, part.toString()]));
}

/** JSON is one line, so the data of the event is one line, too. */
function eventOf(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
