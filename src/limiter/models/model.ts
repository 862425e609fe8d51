import type { Exchange } from '../../model/exchange.ts';
import type { Span } from './span.ts';

/** What one exchange shows of a limiter. Times in ms since the epoch, by petspec's clock. */
export interface Observation {
  exchange: Exchange;
  /** When the limiter decided: after the request was sent, and before the response came. */
  at: Span;
  /** Requests of one kind cost the same: those of the same operation, status and key, repeated or not. */
  kind: string;
  /** `unknown`: no response, or a refusal by another window. */
  outcome: 'let-through' | 'refused' | 'unknown';
  /** How many requests of other clients may have been counted since the observation before, at most. */
  others: number;
  /** How many requests that get a 4xx may have been in flight at the time, this one included. */
  held: number;
  /** How many other requests of the count were in flight at the time. */
  beside: number;
  /** The Remaining of this window, on requests with the key. */
  remaining?: number;
  /** When the window resets, as far as rounding and the server's clock tell. */
  reset?: Span;
}

/** A refusal with Remaining 0. For a request that costs several, some may be left. */
export function isRefusedWithNone({ outcome, remaining }: Observation): boolean {
  return outcome === 'refused' && remaining === 0;
}

/** Why a model does not explain an observation. */
export interface Misfit {
  kind: 'let-through' | 'refused' | 'remaining' | 'reset';
  /** What the model would have sent instead: requests that are left, or a time in ms since the epoch. */
  expected: Span;
}

/** What is known of a limiter after some observations. */
export interface State {
  /** How many requests are left. */
  readonly left: Span;
  /** Equal for states from which the same follows. */
  readonly key: string;
  /** When the last observation was counted at the earliest, in ms since the epoch, for limiters that refill gradually. */
  readonly since?: number;
  /**
   * The states that the next observation leaves possible, or why there is none.
   * @param weight what the request takes off, or would have taken off if it was refused
   */
  follow(observation: Observation, weight: number): readonly State[] | Misfit;
}

/** The figures of one window. */
export interface Figures {
  limit: number;
  windowMs: number;
  /** Requests that the service announces on top of its limit. */
  burst: number;
}

/** An honest limiter: one that the interface allows. */
export interface Model {
  name: string;
  /** How unusual it is: how many more observations than the plainest model it has to explain to be preferred. */
  surprise: number;
  /** Which requests count: `any` that the responses show, `every` request with the key, or those rejected for their key as well. */
  counting: 'any' | 'every' | 'rejected-too';
  /** Requests come back one by one. */
  isGradual?: true;
  /** Remaining may be older than the response. */
  isDelayed?: true;
  /** If fractions of requests come back: Remaining is rounded down. */
  isRoundedDown?: true;
  /** Whether it may explain these observations at all. Default: yes. */
  isPossible?(observations: readonly Observation[]): boolean;
  /** The possible states before the first observation. */
  start(figures: Figures, first: Observation): readonly State[];
}

export function isMisfit(result: readonly State[] | Misfit | Span): result is Misfit {
  return !Array.isArray(result) && 'kind' in result;
}

/** All states of several alternatives; if none is possible, the misfit of the first. */
export function anyOf(ways: readonly (readonly State[] | Misfit)[]): readonly State[] | Misfit {
  const [only] = ways;
  if (only && ways.length === 1) return only;
  const states: State[] = [];
  for (const way of ways) if (!isMisfit(way)) states.push(...way);
  return states.length > 0 ? states : (ways.find(isMisfit) ?? []);
}
