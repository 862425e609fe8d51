import type { ExplainedWindow } from '../../../limiter/explain-track.ts';
import type { Observation } from '../../../limiter/models/model.ts';
import type { Exchange } from '../../../model/exchange.ts';
import type { Window } from '../../../model/rate-plan.ts';

/** A time may be rounded up to whole seconds (ms). */
const ROUNDED_MS = 1_000;

/** Resets of one window differ by rounding alone (s). */
const SAME_WINDOW_S = 1;

/** A request that was let through after as many of its window as the limit allows. */
export interface OverLimit {
  exchange: Exchange;
  /** It is the one with this number of those that count, from 1. */
  number: number;
  window: Window;
}

/**
 * The first request that went over the limit of a window, by what the service itself took off Remaining. A window is one if its
 * Reset stays the same, and is too far away for requests to come back one by one meanwhile.
 */
export function overLimitOf({
  track: { window, observations },
  figures: { limit, burst, windowMs },
}: ExplainedWindow): OverLimit | undefined {
  const number = limit + burst + 1;
  for (const own of windowsOf(observations, windowMs / limit + ROUNDED_MS)) {
    const over = firstAfter(own, limit + burst);
    if (over) return { exchange: over.exchange, number, window };
  }
  return undefined;
}

/** The requests with the key of each window whose Reset stays the same; at first, it is at least so many ms away. */
function windowsOf(observations: readonly Observation[], awayMs: number): (readonly Observation[])[] {
  const windows: { reset: number; own: Observation[] }[] = [];
  for (const each of observations) {
    const { key, stage, rate, response } = each.exchange;
    if (key !== 'valid' || stage === 'recover' || response?.status === 429) continue;
    const { reset: stated } = rate;
    const known = windows.find(
      ({ reset }) => stated === undefined || Math.abs(reset - stated) <= SAME_WINDOW_S,
    );
    if (known) known.own.push(each);
    else if (stated !== undefined) windows.push({ reset: stated, own: [each] });
  }
  return windows.flatMap(({ own }) => {
    const [first] = own;
    return first?.reset && first.reset.hi - first.at.lo > awayMs ? [own] : [];
  });
}

/** The request with which more than `most` were taken off Remaining. */
function firstAfter(observations: readonly Observation[], most: number): Observation | undefined {
  let taken = 1;
  let before: number | undefined;
  /** Requests since then whose responses do not tell. */
  let untold = 0;
  for (const each of observations.toSorted((one, other) => one.at.hi - other.at.hi)) {
    const { remaining, exchange } = each;
    if (remaining === undefined || exchange.variation) {
      untold += 1;
      continue;
    }
    const fall = before === undefined ? 0 : before - remaining;
    // More than the requests in flight take off or give back is a jump, which says nothing of them.
    if (Math.abs(fall) <= exchange.inFlight + untold) taken += fall;
    if (taken > most) return each;
    before = remaining;
    untold = 0;
  }
  return undefined;
}
