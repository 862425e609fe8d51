import { scaleLinear } from 'd3-scale';
import type { Exchange } from '../../../model/exchange.ts';
import { duration } from '../markup/quantities.ts';

/**
 * A part of a run: `busy`; `wait`: no request was in flight; `stall`: a response was outstanding; `omitted`: the report does
 * not keep the exchanges.
 */
export interface TimeStretch {
  kind: 'busy' | 'wait' | 'stall' | 'omitted';
  /** ms since the epoch. */
  from: number;
  to: number;
  x0: number;
  x1: number;
  /** The text below the stretch. */
  label: string;
}

export interface TimeAxis {
  x: (time: number) => number;
  stretches: readonly TimeStretch[];
  ticks: readonly Tick[];
}

export interface Tick {
  x: number;
  label: string;
  anchor: 'middle' | 'end';
}

/** A stretch before it is placed on the axis. */
export type TimeSpan = Pick<TimeStretch, 'kind' | 'from' | 'to'>;

/** A shorter pause is part of a busy stretch. */
const MIN_PAUSE_MS = 1_000;
/** Only this many of the longest pauses get a stretch. */
const MAX_PAUSES = 4;
/** A pause must be longer than this share of the rest of the run. */
const PAUSE_SHARE = 0.15;
/** The maximum shares of the width for a pause, and for all pauses. */
const MAX_PAUSE_WIDTH = 0.26;
const MAX_PAUSES_WIDTH = 0.5;
const MIN_BUSY_PX = 28;
const TICK_PX = 90;
const CHARACTER_PX = 7;

/**
 * A time axis on which every pause has the same width, so that a long pause does not squeeze the rest.
 * @param exchanges of the run; some may be missing
 */
export function timeAxis(exchanges: readonly Exchange[], x0: number, x1: number): TimeAxis {
  const spans = spansOf(exchanges);
  const stretches = placed(spans, x0, x1);
  const scale = scaleLinear<number>()
    .domain([...stretches.map(({ from }) => from), stretches.at(-1)?.to ?? 1])
    .range([...stretches.map((stretch) => stretch.x0), x1])
    .clamp(true);
  return { x: (time) => scale(time), stretches, ticks: ticksOf(stretches) };
}

/** Splits a run at its longest pauses. */
export function spansOf(exchanges: readonly Exchange[]): TimeSpan[] {
  const events = exchanges
    .filter(({ sentAt, receivedAt }) => Number.isFinite(sentAt) && receivedAt >= sentAt)
    .flatMap(({ id, sentAt, receivedAt }) => [
      { id, time: sentAt, underWay: 1 },
      { id, time: receivedAt, underWay: -1 },
    ])
    .sort((left, right) => left.time - right.time || right.underWay - left.underWay);
  const start = events[0]?.time ?? 0;
  let end = start;
  let lastId = 0;
  let underWay = 0;
  const pauses: TimeSpan[] = [];
  for (const event of events) {
    const isMissing = event.id > lastId + 1;
    if (event.time - end > MIN_PAUSE_MS)
      pauses.push({
        kind: underWay > 0 ? 'stall' : isMissing ? 'omitted' : 'wait',
        from: end,
        to: event.time,
      });
    end = event.time;
    underWay += event.underWay;
    lastId = Math.max(lastId, event.id);
  }
  const length = ({ from, to }: TimeSpan) => to - from;
  const longest = [...pauses].sort((left, right) => length(right) - length(left)).slice(0, MAX_PAUSES);
  const idle = longest.reduce((sum, pause) => sum + length(pause), 0);
  const shownPauses = longest
    .filter((pause) => length(pause) > PAUSE_SHARE * (end - start - idle))
    .sort((left, right) => left.from - right.from);
  const spans: TimeSpan[] = [];
  let from = start;
  for (const pause of shownPauses) {
    spans.push({ kind: 'busy', from, to: pause.from }, pause);
    from = pause.to;
  }
  spans.push({ kind: 'busy', from, to: Math.max(end, from + 1) });
  return spans.filter((span) => length(span) > 0);
}

/** Places spans on the axis: pauses have a fixed width, busy stretches share the rest in proportion to their duration. */
function placed(spans: readonly TimeSpan[], x0: number, x1: number): TimeStretch[] {
  const width = x1 - x0;
  const pauses = spans.filter(({ kind }) => kind !== 'busy').length;
  const busy = spans.length - pauses;
  const pause = width * Math.min(MAX_PAUSE_WIDTH, MAX_PAUSES_WIDTH / Math.max(1, pauses));
  const share = width - pauses * pause - busy * MIN_BUSY_PX;
  const total = spans.reduce((sum, { kind, from, to }) => sum + (kind === 'busy' ? to - from : 0), 0);
  let x = x0;
  return spans.map((span) => {
    const spanWidth = span.kind === 'busy' ? MIN_BUSY_PX + (share * (span.to - span.from)) / total : pause;
    const stretch = { ...span, x0: x, x1: x + spanWidth, label: labelOf(span) };
    x += spanWidth;
    return stretch;
  });
}

function labelOf({ kind, from, to }: TimeSpan): string {
  if (kind === 'busy') return '';
  if (kind === 'omitted') return 'not in this report';
  return `${duration(to - from)} ${kind === 'wait' ? 'wait' : 'for a response'}`;
}

/** Times since the start, on busy stretches. A stretch that is too short for a scale only has the time of its end. */
function ticksOf(stretches: readonly TimeStretch[]): Tick[] {
  const start = stretches[0]?.from ?? 0;
  return stretches.flatMap(({ kind, from, to, x0, x1 }, index): Tick[] => {
    if (kind !== 'busy') return [];
    const tickCount = Math.floor((x1 - x0) / TICK_PX);
    if (tickCount < 1) {
      const label = duration(to - start);
      return x1 - label.length * CHARACTER_PX > endOfLabel(stretches[index - 1])
        ? [{ x: x1, label, anchor: 'end' }]
        : [];
    }
    const scale = scaleLinear()
      .domain([(from - start) / 1000, (to - start) / 1000])
      .range([x0, x1]);
    const format = scale.tickFormat(tickCount);
    return scale
      .ticks(tickCount)
      .map((time) => ({ x: scale(time), label: `${format(time)} s`, anchor: 'middle' }));
  });
}

function endOfLabel(stretch: TimeStretch | undefined): number {
  return stretch ? (stretch.x0 + stretch.x1 + stretch.label.length * CHARACTER_PX) / 2 : 0;
}
