import type { Exchange } from '../../../model/exchange.ts';
import { MINUTE_S, secondsLeft } from '../../../model/limits/rate-plan.ts';
import type { Probe, Stage } from '../../../model/probe.ts';
import type { Parts } from '../../parts/parts.ts';
import { leastMs, mostTogether, restOf } from './burst-size.ts';

/** Responses are not always as fast as the first one. */
const MARGIN = 1.5;

/** A window has to last at least this long for the requests before the exhaustion. */
const MIN_WINDOW_S = 3;

/** Stages that wait for a new window, or go to another address. */
const ELSEWHERE: readonly Stage[] = ['messages', 'exhaust', 'recover'];

/** Waits for the next window if this one has too little left, so that the requests of a run fall into one window. */
export async function waitForWholePlan(
  { pace, clock, end }: Pick<Parts, 'pace' | 'clock' | 'end'>,
  plan: readonly Probe[],
  first: Exchange,
): Promise<void> {
  const away = secondsLeft(first);
  if (away === undefined) return;
  const planned = plan.filter(({ key, stage }) => key === 'valid' && !ELSEWHERE.includes(stage)).length;
  const inTurn = plan.filter(({ stage }) => stage !== 'exhaust' && stage !== 'recover').length;
  const seconds = (MARGIN * inTurn * (first.receivedAt - first.sentAt)) / 1000;
  // No window is long enough if responses are this slow.
  const needed = seconds > MINUTE_S ? MIN_WINDOW_S : Math.max(MIN_WINDOW_S, seconds);
  const now = clock.now();
  const left = pace.remaining(first, now);
  const isUsed = left !== undefined && left < planned && (first.rate.limit ?? 0) > planned;
  const ms = (away + 1) * 1000;
  const why = isUsed
    ? `only ${left} of the limit of ${first.rate.limit} are left in this window`
    : 'this window ends before the requests of a run are sent';
  if ((away >= needed && !isUsed) || ms >= end.msLeft) return;
  pace.waiting(first, now, now + away * 1000);
  await end.waitFor(ms, why);
}

/** Waits for the next window if this one ends before the rest of it can be used up. */
export async function waitForWholeLimit(
  { learnt, pace, options, clock, end }: Pick<Parts, 'learnt' | 'pace' | 'options' | 'clock' | 'end'>,
  operation: string,
  limit: number,
): Promise<void> {
  const now = clock.now();
  const left = pace.remaining({ operation, address: 'baseUrl' }, now) ?? limit;
  const rest = restOf(learnt.exchanges, operation, { left, limit }, now);
  // A Reset that moves with every request is not the end of a window.
  if (rest.isGradual || rest.time === 0) return;
  const most = mostTogether({ learnt, options });
  const whole = leastMs({ ...rest, left: limit }, most);
  const isTooShort = rest.time < leastMs(rest, most);
  const ms = rest.time + 1000;
  if (isTooShort && whole < MINUTE_S * 1000 && ms < end.msLeft)
    await end.waitFor(ms, 'the window ends too soon to be used up');
}
