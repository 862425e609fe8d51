import { extent, group, pairs } from 'd3-array';
import { scaleLinear } from 'd3-scale';
import { area, curveStepAfter, line } from 'd3-shape';
import { type Html, html } from '../markup/markup.ts';
import { pathData, px } from './figure.ts';
import type { TimeAxis, TimeStretch } from './time-axis.ts';
import { type Point, risesOf, type WindowSeries } from './window-series.ts';

export interface Frame {
  width: number;
  height: number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** Whether a drawing has room for long labels. */
const isWide = ({ width }: Frame) => width > 600;

export interface Scales {
  x: (point: Point) => number;
  y: (remaining: number) => number;
}

/** The window as SVG: axes, pauses, Remaining as a line, the refusal and the recovery. */
export function drawWindow(series: WindowSeries, axis: TimeAxis, frame: Frame): Html {
  const { line: points, others, limit } = series;
  const scale = remainingScale(series, frame);
  const scales = scalesOf(series, axis, frame);
  const ticks = scale.ticks(4).map((value) => ({ y: scale(value), label: scale.tickFormat(4)(value) }));
  return html`${axis.stretches.map((stretch) => drawPause(stretch, frame))}
    <text class="note" x="${frame.left}" y="${frame.top - 14}">requests remaining</text>
    ${ticks.map(({ y, label }) => horizontal(y, label, frame))}
    ${axis.ticks.map(({ x, label, anchor }) => html`<text class="tick" x="${px(x)}" y="${px(frame.height - frame.bottom + 18)}" text-anchor="${anchor}">${label}</text>`)}
    ${limit !== undefined && drawLimit(limit, scales, frame)}
    ${splitAtPauses(points, axis).map((part) => drawPart(part, scales, frame))}
    ${bridges(points, axis).map((bridge) => html`<path class="bridge" d="${pathThrough(bridge, scales)}"/>`)}
    ${others.map((point) => drawDot(point, 'dot other', scales))}
    ${points.filter(({ kind }) => kind === 'counted').map((point) => drawDot(point, 'dot', scales))}
    ${risesOf(series).map(({ after }) => drawRise(after, scales, frame))}
    ${points.filter(({ kind }) => kind !== 'counted').map((point) => drawEvent(point, scales, frame))}`;
}

export function scalesOf(series: WindowSeries, axis: TimeAxis, frame: Frame): Scales {
  const scale = remainingScale(series, frame);
  return { x: ({ at }) => axis.x(at), y: (remaining) => scale(remaining) };
}

function remainingScale({ line: points, others, limit }: WindowSeries, frame: Frame) {
  const [least = 0, most = 0] = extent([...points, ...others], ({ remaining }) => remaining);
  return scaleLinear()
    .domain([Math.min(0, least), Math.max(1, limit ?? 0, most)])
    .range([frame.height - frame.bottom, frame.top]);
}

function drawPause({ kind, label, x0, x1 }: TimeStretch, frame: Frame): Html | undefined {
  if (kind === 'busy') return undefined;
  const y = frame.top;
  const height = frame.height - frame.bottom - frame.top;
  const middle = (x0 + x1) / 2;
  const base = px(frame.height - frame.bottom);
  return html`<rect class="pause" x="${px(x0)}" y="${px(y)}" width="${px(x1 - x0)}" height="${px(height)}"/>
    <path class="break" d="M${px(x0)} ${base}H${px(x1)}"/>
    <text class="pause-label" x="${px(middle)}" y="${base + 18}" text-anchor="middle">${label}</text>`;
}

function horizontal(y: number, label: string, frame: Frame): Html {
  return html`<path class="grid" d="M${px(frame.left)} ${px(y)}H${px(frame.width - frame.right)}"/>
    <text class="tick" x="${px(frame.left - 8)}" y="${px(y + 4)}" text-anchor="end">${label}</text>`;
}

function drawLimit(limit: number, { y }: Scales, frame: Frame): Html {
  return html`<path class="limit" d="M${px(frame.left)} ${px(y(limit))}H${px(frame.width - frame.right)}"/>
    <text class="note" x="${px(frame.width - frame.right)}" y="${px(y(limit) - 7)}" text-anchor="end">limit ${limit}</text>`;
}

/** The points in groups: before, between and after the pauses. */
export function splitAtPauses(points: readonly Point[], axis: TimeAxis): Point[][] {
  const pauses = axis.stretches.filter(({ kind }) => kind !== 'busy');
  return [...group(points, ({ at }) => pauses.filter(({ to }) => at >= to).length).values()];
}

/** The points on both sides of each pause, during which the count is unknown. */
function bridges(points: readonly Point[], axis: TimeAxis): Point[][] {
  return pairs(splitAtPauses(points, axis), (before, after) => [...before.slice(-1), ...after.slice(0, 1)]);
}

/** Points without a pause between them, as a line and the area below it. */
function drawPart(points: Point[], { x, y }: Scales, frame: Frame): Html {
  const filled = area<Point>()
    .x(x)
    .y0(frame.height - frame.bottom)
    .y1(({ remaining }) => y(remaining))
    .curve(curveStepAfter)
    .digits(1);
  return html`<path class="area" d="${pathData(filled(points))}"/><path class="line" d="${pathThrough(points, { x, y })}"/>`;
}

export function pathThrough(points: Point[], { x, y }: Scales): Html {
  const path = line<Point>()
    .x(x)
    .y(({ remaining }) => y(remaining))
    .curve(curveStepAfter)
    .digits(1);
  return pathData(path(points));
}

function drawDot(point: Point, kind: string, { x, y }: Scales): Html {
  return html`<circle class="${kind}" cx="${px(x(point))}" cy="${px(y(point.remaining))}" r="2.6"/>`;
}

/** A label where Remaining rises. A small chart has no room for it; its caption says it. */
function drawRise(point: Point, { x, y }: Scales, frame: Frame): Html | undefined {
  if (!isWide(frame)) return undefined;
  return html`<text class="event" x="${px(x(point)) + 8}" y="${px(y(point.remaining)) - 9}">new window or refill</text>`;
}

function drawEvent(point: Point, { x, y }: Scales, frame: Frame): Html {
  const [left, top] = [px(x(point)), px(y(point.remaining))];
  if (point.kind === 'refused') {
    const after = point.retryAfter === undefined ? '' : `, Retry-After ${point.retryAfter} s`;
    const label = isWide(frame) ? `429${after}` : '429';
    return html`<path class="refused" d="m${left - 5} ${top - 5} 10 10m0-10-10 10"/>
      <text class="event refused-label" x="${left + 11}" y="${top - 7}">${label}</text>`;
  }
  // Below a low point is the axis.
  const isLow = top + 18 > frame.height - frame.bottom;
  return html`<path class="recovered" d="M${left} ${top - 6.5}l6 10.5h-12z"/>
    <text class="event recovered-label" x="${left - 10}" y="${isLow ? top - 12 : top + 18}" text-anchor="end">accepted, ${point.remaining} remaining</text>`;
}
