import { max } from 'd3-array';
import type { Exchange } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import { MINUTE_S, secondsLeft, secondsToReset } from '../../model/rate-plan.ts';
import type { Parts } from '../parts.ts';
import { ofOperation } from './limited-operation.ts';

/** A window has to last at least this long for the requests before the exhaustion. */
const MIN_WINDOW_S = 3;

/** Waits for the next window if this one has too little left, so that the requests of a run fall into one window. */
export async function waitForWholePlan(
  { pace, options, clock, end }: Pick<Parts, 'pace' | 'options' | 'clock' | 'end'>,
  plan: readonly Probe[],
  first: Exchange,
): Promise<void> {
  const away = secondsLeft(first);
  if (away === undefined) return;
  const planned = plan.filter(
    (each) => each.key === 'valid' && each.stage !== 'exhaust' && each.stage !== 'recover',
  ).length;
  const latency = first.receivedAt - first.sentAt;
  const needed = Math.max(MIN_WINDOW_S, (2 * planned * latency) / 1000 / options.concurrency);
  const left = pace.remaining(first, clock.now());
  const isUsed = left !== undefined && left < planned && (first.rate.limit ?? 0) > planned;
  const ms = (away + 1) * 1000;
  const why = isUsed
    ? `only ${left} of the limit of ${first.rate.limit} are left in this window`
    : 'this window ends before the requests of a run are sent';
  if ((away < needed || isUsed) && ms < end.msLeft) await end.waitFor(ms, why);
}

/** Waits for the next window if this one ends before the rest of it can be used up. */
export async function waitForWholeLimit(
  { learnt, pace, options, clock, end }: Pick<Parts, 'learnt' | 'pace' | 'options' | 'clock' | 'end'>,
  operation: string,
  limit: number,
): Promise<void> {
  const { exchanges } = learnt;
  const [before, last] = ofOperation(exchanges, operation).slice(-2);
  const away = last && secondsToReset(last);
  // A Reset that moves with every request is not the end of a window.
  if (!last || away === undefined || before?.rate.reset !== last.rate.reset) return;
  // Other requests may have been sent since.
  const now = clock.now();
  const seconds = (requests: number) => secondsToSend(exchanges, options.concurrency, requests);
  const ahead = away - (now - last.receivedAt) / 1000;
  const left = pace.remaining({ operation, address: 'baseUrl' }, now) ?? limit;
  const isTooShort = ahead > 0 && ahead < seconds(left);
  const ms = (ahead + 1) * 1000;
  if (isTooShort && seconds(limit) < MINUTE_S && ms < end.msLeft)
    await end.waitFor(ms, 'the window ends too soon to be used up');
}

/** Estimates the seconds that so many requests take: near the limit one at a time, any of them as slow as the slowest. */
function secondsToSend(exchanges: readonly Exchange[], concurrency: number, requests: number): number {
  const seconds = exchanges.map(({ sentAt, receivedAt }) => (receivedAt - sentAt) / 1000);
  const mean = seconds.reduce((sum, each) => sum + each, 0) / seconds.length;
  const turns = Math.max(0, requests - concurrency) / concurrency + Math.min(requests, concurrency) + 1;
  return (turns * mean + (max(seconds) ?? 0)) * 1.2;
}
