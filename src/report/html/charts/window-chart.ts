import { greatest } from 'd3-array';
import type { Exchange } from '../../../model/exchange.ts';
import type { LimiterExclusion, LimiterResult } from '../../../model/report/limiter.ts';
import { counted } from '../../../model/report/report.ts';
import { clip } from '../../../model/visible.ts';
import { type Html, html } from '../markup/markup.ts';
import { count, duration } from '../markup/quantities.ts';
import { type Drawing, operationNames, px, renderChart } from './figure.ts';
import { spansOf, type TimeAxis, type TimeSpan, timeAxis } from './time-axis.ts';
import {
  drawWindow,
  type Frame,
  pathThrough,
  type Scales,
  scalesOf,
  splitAtPauses,
} from './window-drawing.ts';
import { type Point, risesOf, type WindowSeries, windowSeries } from './window-series.ts';

const FRAMES: readonly (Frame & Pick<Drawing, 'size'>)[] = [
  { size: 'wide', width: 960, height: 310, left: 44, right: 20, top: 40, bottom: 34 },
  { size: 'narrow', width: 360, height: 270, left: 34, right: 14, top: 38, bottom: 34 },
];

/**
 * The rate-limit window of a run as a chart, with how the nearest honest limiter would count. Undefined if no response has
 * rate-limit headers.
 * @param total requests of the run; the report may keep fewer exchanges
 */
export function renderWindowChart(
  exchanges: readonly Exchange[],
  total: number,
  limiters: readonly LimiterResult[] = [],
): Html | undefined {
  const series = windowSeries(exchanges);
  if (!series) return undefined;
  const model = windowModel(series, limiters);
  const drawings = FRAMES.map(({ size, ...frame }) => {
    const axis = timeAxis(exchanges, frame.left, frame.width - frame.right);
    return {
      size,
      width: frame.width,
      height: frame.height,
      content: html`${drawWindow(series, axis, frame)}${model && drawModel(model, series, axis, frame)}`,
    };
  });
  const pauses = spansOf(exchanges).filter(({ kind }) => kind !== 'busy');
  const described = describe(series, pauses);
  const description = model ? `${described} ${describeModel(model)}` : described;
  return renderChart({
    key: 'window',
    title: 'Requests remaining in the rate-limit window, over the run',
    description,
    caption: html`${model && modelLegend(model)}${description} ${legend(series)} ${pauses.length > 0 && 'Pauses are not drawn to scale. '}${exchanges.length < total && html`The report keeps ${exchanges.length} of ${count(total, 'exchange')}. `}`,
    drawings,
    table: html`<p class="remark"><a href="#exchanges">The same data as a table</a></p>`,
  });
}

function legend({ others }: WindowSeries): Html {
  if (others.length === 0) return html`Every dot is a response to a request with the key.`;
  return html`Dots are responses to requests with the key. Rings are responses of ${operationNames(others)}, which the limiter counts apart.`;
}

function describe(series: WindowSeries, pauses: readonly TimeSpan[]): string {
  const { line, limit } = series;
  const refused = line.find(({ kind }) => kind === 'refused');
  const recovered = line.find(({ kind }) => kind === 'recovered');
  const [first] = line;
  const before = refused ? line[line.indexOf(refused) - 1] : line.at(-1);
  const parts = [
    `Remaining goes from ${first?.remaining} to ${before?.remaining ?? first?.remaining}${limit === undefined ? '' : ` under a limit of ${limit}`}.`,
  ];
  const [rise, ...more] = risesOf(series);
  if (rise) {
    const moreRises = more.length === 0 ? '' : `, and ${count(more.length, 'time')} more`;
    parts.push(
      `In between it rises from ${rise.before.remaining} to ${rise.after.remaining}${moreRises}: a window ended, or the limit was refilled.`,
    );
  }
  if (refused) {
    const after = refused.retryAfter === undefined ? '' : ` and a Retry-After of ${refused.retryAfter} s`;
    parts.push(`Then a request is refused with 429${after}.`);
  } else parts.push('No request is refused.');
  if (recovered) {
    const waited = pauses.find(({ kind, to }) => kind === 'wait' && to > (refused?.at ?? 0));
    const wait = waited ? `After a wait of ${duration(waited.to - waited.from)} the` : 'The';
    parts.push(`${wait} next request is accepted, with ${recovered.remaining} remaining.`);
  }
  return parts.join(' ');
}

/** The longest name of a model, in characters, because a report may come from anybody. */
const MAX_NAME = 80;

/** How an honest limiter would count the observed requests. */
interface WindowModel {
  name: string;
  explained: boolean;
  /** The Remaining that it expects at each response that it explains, as points of the line. */
  line: readonly Point[];
  excludedBy?: LimiterExclusion | undefined;
  /** The first point that it cannot explain. Absent if that response is not on the line. */
  excluded?: Point | undefined;
}

/** The limiter that counts the points of the line; undefined if the report has none. */
export function windowModel(
  { line, limit }: WindowSeries,
  limiters: readonly LimiterResult[],
): WindowModel | undefined {
  const ids = new Set(line.map(({ id }) => id));
  const isOnLine = ({ exchange }: { exchange: number }) => ids.has(exchange);
  const candidates = limiters.filter((limiter) => limiter.limit === limit && limiter.expected.some(isOnLine));
  const limiter = greatest(candidates, ({ expected }) => expected.filter(isOnLine).length);
  if (!limiter) return undefined;
  const { model, explained, expected, excludedBy } = limiter;
  const ranges = new Map(expected.map((range) => [range.exchange, range]));
  const excluded = line.find(({ id }) => id === excludedBy?.exchange);
  return {
    name: clip(model, MAX_NAME),
    explained,
    line: line.flatMap((point) => {
      const range = ranges.get(point.id);
      return range ? [{ ...point, remaining: nearest(point.remaining, range) }] : [];
    }),
    excludedBy,
    excluded,
  };
}

/** The number of a range that is nearest to a value. */
function nearest(value: number, { from, to }: { from: number; to: number }): number {
  return Math.min(to, Math.max(from, value));
}

/** Whether the model explains the run, and if not, which response contradicts it, in words. */
function describeModel({ name, explained, excludedBy, excluded, line }: WindowModel): string {
  if (explained) return `An honest limiter counts like this: ${name}.`;
  if (!excludedBy)
    return `Whether an honest limiter counts like this took too long to decide. The nearest: ${name}.`;
  const nothing = `No honest limiter counts like this. The nearest (${name}) explains ${counted(line.length, 'response')} of the line.`;
  return `${nothing} ${wouldSay(excludedBy, excluded)}`;
}

function wouldSay({ kind, from, to, exchange }: LimiterExclusion, excluded: Point | undefined): string {
  const where = `At exchange ${exchange} it would`;
  switch (kind) {
    case 'let-through':
      return `${where} refuse the request with 429.`;
    case 'refused':
      return `${where} accept the request instead of refusing it with 429.`;
    case 'reset':
      return `${where} state another Reset.`;
    case 'remaining':
      return `${where} say ${range(from, to)} remaining${excluded ? `, not ${excluded.remaining}` : ''}.`;
    default:
      return `${where} respond differently.`;
  }
}

/** The label at the response that contradicts the model: what the model expects. */
function expectedLabel({ kind, from, to }: LimiterExclusion): string {
  switch (kind) {
    case 'let-through':
      return 'expected 429';
    case 'refused':
      return 'expected no 429';
    case 'reset':
      return 'expected another Reset';
    case 'remaining':
      return `expected ${range(from, to)}`;
    default:
      return 'not expected';
  }
}

function range(from: number, to: number): string {
  return from === to ? String(from) : `${from} to ${to}`;
}

/** The model as SVG on top of the window: a dashed line, and a mark at the response that contradicts it. */
function drawModel(model: WindowModel, series: WindowSeries, axis: TimeAxis, frame: Frame): Html {
  const scales = scalesOf(series, axis, frame);
  return html`${splitAtPauses(model.line, axis).map((part) => html`<path class="model" d="${pathThrough(part, scales)}"/>`)}
    ${model.excluded && drawExclusion(model, model.excluded, scales, frame)}`;
}

/** A diamond at the value that the model expects, a bar from there to the observed value, and a label. */
function drawExclusion({ excludedBy }: WindowModel, point: Point, { x, y }: Scales, frame: Frame): Html {
  if (!excludedBy) return html``;
  const expected = excludedBy.kind === 'remaining' ? nearest(point.remaining, excludedBy) : point.remaining;
  const [left, top, observed] = [px(x(point)), px(y(expected)), px(y(point.remaining))];
  const isRightHalf = left > frame.width / 2;
  // The label of a recovery is below its point.
  const below = point.kind === 'recovered' ? 36 : 24;
  const isHigh = top < frame.top + 40;
  return html`<path class="excluded-bar" d="M${left} ${observed}V${top}"/>
    <path class="excluded" d="M${left} ${px(top - 7)}l7 7-7 7-7-7z"/>
    <text class="event" x="${left + (isRightHalf ? -12 : 12)}" y="${px(isHigh ? top + below : top - 26)}" text-anchor="${isRightHalf ? 'end' : 'start'}">${expectedLabel(excludedBy)}</text>`;
}

function modelLegend({ name, excluded }: WindowModel): Html {
  return html`<ul class="legend">
    <li><svg class="chart-key" viewBox="0 0 30 12" aria-hidden="true"><path class="line" d="M0 6H30"/><circle class="dot" cx="15" cy="6" r="2.6"/></svg> observed</li>
    <li><svg class="chart-key" viewBox="0 0 30 12" aria-hidden="true"><path class="model" d="M0 6H30"/></svg> model: ${name}</li>
    ${excluded && html`<li><svg class="chart-key" viewBox="0 0 30 18" aria-hidden="true"><path class="excluded" d="M15 2l7 7-7 7-7-7z"/></svg> where it cannot follow</li>`}
    </ul>`;
}
