import { type Html, html } from '../markup/markup.ts';
import { px } from './figure.ts';
import type { TimeAxis } from './time-axis.ts';
import { type Frame, pathThrough, type Scales, scalesOf, splitAtPauses } from './window-drawing.ts';
import { expectedLabel, nearest, type WindowModel } from './window-model.ts';
import type { Point, WindowSeries } from './window-series.ts';

/** How the model would count, over the window as SVG: a dashed line, and where it cannot follow. */
export function drawModel(model: WindowModel, series: WindowSeries, axis: TimeAxis, frame: Frame): Html {
  const scales = scalesOf(series, axis, frame);
  return html`${splitAtPauses(model.line, axis).map((part) => html`<path class="model" d="${pathThrough(part, scales)}"/>`)}
    ${model.excluded && drawExclusion(model, model.excluded, scales, frame)}`;
}

/** A diamond where the model would be, a bar from there to what was observed, and what the model expects. */
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

/** What the dashed line and the diamond are. */
export function modelLegend({ name, excluded }: WindowModel): Html {
  return html`<ul class="legend">
    <li><svg class="chart-key" viewBox="0 0 30 12" aria-hidden="true"><path class="line" d="M0 6H30"/><circle class="dot" cx="15" cy="6" r="2.6"/></svg> observed</li>
    <li><svg class="chart-key" viewBox="0 0 30 12" aria-hidden="true"><path class="model" d="M0 6H30"/></svg> model: ${name}</li>
    ${excluded && html`<li><svg class="chart-key" viewBox="0 0 30 18" aria-hidden="true"><path class="excluded" d="M15 2l7 7-7 7-7-7z"/></svg> where it cannot follow</li>`}
    </ul>`;
}
