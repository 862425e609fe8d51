import { greatest } from 'd3-array';
import type { LimiterExclusion, LimiterResult } from '../../../model/report/limiter.ts';
import { counted } from '../../../model/report/report.ts';
import { clip } from '../../../model/visible.ts';
import type { Point, WindowSeries } from './window-series.ts';

/** A report may come from anybody: longer names than this are cut. */
const MAX_NAME = 80;

/** How an honest limiter would count beside what was observed. */
export interface WindowModel {
  /** The name of the limiter. */
  name: string;
  explained: boolean;
  /** What it leaves after each response that it explains, as points of the same line. */
  line: readonly Point[];
  excludedBy?: LimiterExclusion | undefined;
  /** The point that it does not explain. Absent if it is not on the line. */
  excluded?: Point | undefined;
}

/** The limiter that counts the points of the line, or undefined if the report has none. */
export function windowModel(
  { line, limit }: WindowSeries,
  limiters: readonly LimiterResult[],
): WindowModel | undefined {
  const ids = new Set(line.map(({ id }) => id));
  const isOnLine = ({ exchange }: { exchange: number }) => ids.has(exchange);
  const own = limiters.filter((each) => each.limit === limit && each.expected.some(isOnLine));
  const limiter = greatest(own, ({ expected }) => expected.filter(isOnLine).length);
  if (!limiter) return undefined;
  const { model, explained, expected, excludedBy } = limiter;
  const ranges = new Map(expected.map((each) => [each.exchange, each]));
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

/** The number of a range that is nearest to another. */
export function nearest(value: number, { from, to }: { from: number; to: number }): number {
  return Math.min(to, Math.max(from, value));
}

/** Whether the model explains the run, and if not, the response that it would not send, in words. */
export function describeModel({ name, explained, excludedBy, excluded, line }: WindowModel): string {
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

/** The label of the response that the model would not send: what it would send. */
export function expectedLabel({ kind, from, to }: LimiterExclusion): string {
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
