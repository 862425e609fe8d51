import type { Exchange } from '../../model/exchange.ts';
import type { Parts } from '../parts/parts.ts';

/** So many of the last exchanges show how long a request takes. */
const RECENT = 20;

/** A response is not always as fast as the others. */
const MARGIN = 1.1;

/** Responses that differ by less than this came side by side: of two that are served in turn, one takes twice as long. */
const ALIKE = 1.5;

/**
 * How many requests may go out together so that each is answered before its timeout. A service may serve one at a time, until a
 * burst shows that it does not: then twice as many go out next.
 */
export function mostTogether({ learnt, options }: Pick<Parts, 'learnt' | 'options'>): number {
  const recent = learnt.exchanges.slice(-RECENT);
  const last = recent.at(-1);
  if (!last) return options.concurrency;
  const ms = recent.map(msOf);
  const together = learnt.exchanges.slice(-options.concurrency).filter((each) => isBeside(each, last));
  if (together.length > 1 && together.some(({ response }) => response === undefined)) return 1;
  const burst = together.map(msOf);
  const isAlike = Math.max(...burst) < ALIKE * Math.min(...burst);
  const grown = isAlike ? 2 * burst.length : burst.length;
  const inTurn = Math.floor(options.timeout / Math.max(1, ...ms) / MARGIN);
  return Math.max(1, Math.min(options.concurrency, burst.length > 1 ? grown : inTurn));
}

const msOf = ({ sentAt, receivedAt }: Exchange) => receivedAt - sentAt;

/** Whether two requests were under way at the same time. */
function isBeside(one: Exchange, other: Exchange): boolean {
  return one.sentAt < other.receivedAt && other.sentAt < one.receivedAt;
}
