import { group, quantileSorted } from 'd3-array';
import { scaleLinear, scaleLog } from 'd3-scale';
import type { Exchange } from '../../../model/exchange.ts';
import { type Html, html, plain, quoted } from '../markup/markup.ts';
import { count, duration } from '../markup/quantities.ts';
import { type Drawing, operationNames, px, renderChart } from './figure.ts';

/** The response times of one operation, in ms. */
export interface Latency {
  operation: string;
  /** Ascending. */
  times: readonly number[];
  median: number;
  p95: number;
  longest: number;
  /** Requests without a response. */
  unanswered: number;
}

const SIZES: readonly { size: Drawing['size']; width: number; left: number; right: number }[] = [
  { size: 'wide', width: 960, left: 170, right: 150 },
  { size: 'narrow', width: 360, left: 14, right: 20 },
];
const ROW = 44;
const TOP = 8;
/** The axis is logarithmic if the longest time is this many times the shortest median. */
const LOG_FROM = 40;
/** Rows of the chart. */
const MAX_ROWS = 20;

/** The response times of each operation, in order of their first requests. */
export function latencies(exchanges: readonly Exchange[]): Latency[] {
  const byOperation = group(exchanges, ({ operation }) => operation);
  return [...byOperation].flatMap(([operation, requests]) => {
    const times = requests
      .filter(({ response }) => response !== undefined)
      .map(({ sentAt, receivedAt }) => receivedAt - sentAt)
      .filter((time) => Number.isFinite(time) && time >= 0)
      .sort((left, right) => left - right);
    const median = quantileSorted(times, 0.5);
    const p95 = quantileSorted(times, 0.95);
    const longest = times.at(-1);
    if (median === undefined || p95 === undefined || longest === undefined) return [];
    return [{ operation, times, median, p95, longest, unanswered: requests.length - times.length }];
  });
}

/** A sentence about the requests without a response, which have no dot. */
function renderUnanswered(exchanges: readonly Exchange[]): Html | undefined {
  const lost = exchanges.filter(({ response }) => response === undefined);
  if (lost.length === 0) return undefined;
  return html`<b>${count(lost.length, 'request')} had no response</b>: ${operationNames(lost)}.`;
}

/** Response times by operation as a chart; undefined without responses. */
export function renderLatencyChart(exchanges: readonly Exchange[]): Html | undefined {
  const latencyRows = latencies(exchanges);
  const rows = latencyRows.slice(0, MAX_ROWS);
  if (rows.length === 0) return undefined;
  const longest = Math.max(...rows.map((row) => row.longest));
  const isLog = longest > LOG_FROM * Math.min(...rows.map((row) => Math.max(1, row.median)));
  const drawings = SIZES.map((size) => draw(rows, longest, isLog, size));
  return renderChart({
    key: 'latency',
    title: 'Time to the complete response, by operation',
    description: rows
      .map(
        (row) =>
          `${plain(row.operation, 100)}: median ${duration(row.median)}, longest ${duration(row.longest)}.`,
      )
      .join(' '),
    caption: html`A dot is a response, the bar is the median.${isLog && ' The axis is logarithmic.'} The interface does not
      limit response times, so they are not judged. ${rows.length < latencyRows.length && `Only the first ${rows.length} of ${latencyRows.length} operations are shown. `}${renderUnanswered(exchanges)}`,
    drawings,
    table: renderTable(rows),
  });
}

function draw(
  rows: readonly Latency[],
  longest: number,
  isLog: boolean,
  { size, width, left, right }: (typeof SIZES)[number],
): Drawing {
  const height = TOP + rows.length * ROW + 30;
  const range = [left, width - right];
  const scale = isLog
    ? scaleLog()
        .domain([1, Math.max(10, longest)])
        .range(range)
        .clamp(true)
    : scaleLinear()
        .domain([0, Math.max(1, longest)])
        .range(range)
        .nice();
  const bottom = TOP + rows.length * ROW;
  const tickCount = Math.floor((width - left - right) / 90);
  // A logarithmic axis only has room for the powers of ten.
  const ticks = scale.ticks(tickCount).filter((tick) => !isLog || /^1/.test(String(tick)));
  const grid = ticks.map(
    (tick) => html`<path class="grid" d="M${px(scale(tick))} ${TOP}V${bottom}"/>
      <text class="tick" x="${px(scale(tick))}" y="${bottom + 18}" text-anchor="middle">${duration(tick)}</text>`,
  );
  const isNarrow = size === 'narrow';
  const content = html`${grid}${rows.map((row, index) => drawRow(row, TOP + index * ROW, isNarrow, width, (time) => scale(time)))}`;
  return { size, width, height, content };
}

function drawRow(
  row: Latency,
  top: number,
  isNarrow: boolean,
  width: number,
  x: (time: number) => number,
): Html {
  const y = top + (isNarrow ? 30 : ROW / 2);
  const text = `median ${duration(row.median)}`;
  const name = plain(row.operation, 24);
  const dots = row.times.map((time) => html`<circle class="dot" cx="${px(x(time))}" cy="${y}" r="3.2"/>`);
  return html`<path class="range" d="M${px(x(row.times[0] ?? 0))} ${y}H${px(x(row.longest))}"/>${dots}
    <path class="median" d="M${px(x(row.median))} ${y - 9}v18"/>
    ${
      isNarrow
        ? html`<text class="row-name" x="14" y="${top + 13}">${name}</text>`
        : html`<text class="row-name" x="0" y="${y + 4}">${name}</text>`
    }
    <text class="row-value" x="${width - (isNarrow ? 20 : 0)}" y="${isNarrow ? top + 13 : y + 4}" text-anchor="end">${text}</text>`;
}

function renderTable(rows: readonly Latency[]): Html {
  const body = rows.map(
    (row) => html`<tr><th scope="row"><code>${quoted(row.operation, 100)}</code></th>
      <td>${row.times.length}</td><td>${duration(row.median)}</td><td>${duration(row.p95)}</td><td>${duration(row.longest)}</td><td>${row.unanswered}</td></tr>`,
  );
  return html`<details class="figures"><summary>The same data as a table</summary>
    <section class="scroll" aria-label="Latency by operation" tabindex="0"><table>
      <thead><tr><th scope="col">Operation</th><th scope="col">Responses</th><th scope="col">Median</th><th scope="col">95th percentile</th><th scope="col">Longest</th><th scope="col">No response</th></tr></thead>
      <tbody>${body}</tbody></table></section>
    <p class="remark">${count(rows.length, 'operation')}.</p></details>`;
}
