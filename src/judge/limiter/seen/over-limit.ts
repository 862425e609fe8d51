import type { CountedWindow } from '../../../limiter/counts.ts';
import type { Observation } from '../../../limiter/models/model.ts';
import { areTogether, type Exchange } from '../../../model/exchange.ts';
import type { Window } from '../../../model/limits/rate-plan.ts';

/** A time may be rounded up to whole seconds (ms). */
const ROUNDED_MS = 1_000;

/** Resets of one window differ by rounding alone (s). */
const SAME_WINDOW_S = 1;

/** A request that was let through after as many of its window as the limit allows. */
export interface OverLimit {
  exchange: Exchange;
  /** Its number among the requests that count, from 1. */
  number: number;
  window: Window;
}

/**
 * The first request over the limit of a window, by the falls of Remaining. Requests are in one window if their Reset stays the same, and
 * is too far away for requests to come back one by one.
 */
export function overLimitOf({
  track: { window, observations },
  figures: { limit, burst, windowMs },
}: CountedWindow): OverLimit | undefined {
  const number = limit + burst + 1;
  for (const ofWindow of windowsOf(observations, windowMs / limit + ROUNDED_MS)) {
    const over = firstAfter(ofWindow, limit + burst);
    if (over) return { exchange: over.exchange, number, window };
  }
  return undefined;
}

/** The requests with the key of each window whose Reset stays the same, and is at first more than `awayMs` away. */
function windowsOf(observations: readonly Observation[], awayMs: number): (readonly Observation[])[] {
  const windows: { reset: number; own: Observation[] }[] = [];
  for (const observation of observations) {
    const { key, stage, rate, response } = observation.exchange;
    if (key !== 'valid' || stage === 'recover' || response?.status === 429) continue;
    const { reset: stated } = rate;
    const sameWindow = windows.find(
      ({ reset }) => stated === undefined || Math.abs(reset - stated) <= SAME_WINDOW_S,
    );
    if (sameWindow) sameWindow.own.push(observation);
    else if (stated !== undefined) windows.push({ reset: stated, own: [observation] });
  }
  return windows.flatMap(({ own: ofWindow }) => {
    const [first] = ofWindow;
    return first?.reset && first.reset.hi - first.at.lo > awayMs ? [ofWindow] : [];
  });
}

/** The request that brings the sum of falls of Remaining above `most`. */
function firstAfter(observations: readonly Observation[], most: number): Observation | undefined {
  let taken = 1;
  let before: Observation | undefined;
  /** Requests since then whose responses have no usable Remaining. */
  let untold = 0;
  for (const observation of observations.toSorted((left, right) => left.at.hi - right.at.hi)) {
    const { remaining, exchange } = observation;
    if (remaining === undefined || exchange.variation) {
      untold += 1;
      continue;
    }
    const fall = before?.remaining === undefined ? 0 : before.remaining - remaining;
    // A change by more than the requests in flight is a jump, which says nothing about them.
    const isJump = Math.abs(fall) > exchange.inFlight + untold;
    // A response that comes after those to requests that were counted later.
    if (isJump && fall < 0 && before && areTogether(exchange, before.exchange)) continue;
    if (!isJump) taken += fall;
    if (taken > most) return observation;
    before = observation;
    untold = 0;
  }
  return undefined;
}
