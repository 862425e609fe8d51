import type { Exchange } from '../../../model/exchange.ts';
import type { LimiterResult } from '../../../model/report/limiter.ts';
import { type Html, html } from '../markup/markup.ts';
import { count, duration } from '../markup/quantities.ts';
import { type Drawing, operationNames, renderChart } from './figure.ts';
import { type Span, spansOf, timeAxis } from './time-axis.ts';
import { drawWindow, type Frame } from './window-drawing.ts';
import { describeModel, windowModel } from './window-model.ts';
import { drawModel, modelLegend } from './window-model-drawing.ts';
import { risesOf, type WindowSeries, windowSeries } from './window-series.ts';

const FRAMES: readonly (Frame & Pick<Drawing, 'size'>)[] = [
  { size: 'wide', width: 960, height: 310, left: 44, right: 20, top: 40, bottom: 34 },
  { size: 'narrow', width: 360, height: 270, left: 34, right: 14, top: 38, bottom: 34 },
];

/**
 * The rate-limit window of a run as a chart, with how the nearest honest limiter would count, or undefined if no response
 * has its headers.
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

/** What the chart shows, in words. */
function describe(series: WindowSeries, pauses: readonly Span[]): string {
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
    const others = more.length === 0 ? '' : `, and ${count(more.length, 'time')} more`;
    parts.push(
      `In between it rises from ${rise.before.remaining} to ${rise.after.remaining}${others}: a window ended, or the limit was refilled.`,
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
