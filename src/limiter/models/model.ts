import type { Exchange } from '../../model/exchange.ts';
import type { Span } from './span.ts';

/** What one exchange shows of a limiter. Times in ms since the epoch, by petspec's clock. */
export interface Observation {
  exchange: Exchange;
  /** When the limiter decided: after the request was sent, and before the response came. */
  at: Span;
  /** Requests of one kind count alike: the same operation, status and key, repeated or not. */
  kind: string;
  /** `unknown`: no response, or a refusal by another window. */
  outcome: 'let-through' | 'refused' | 'unknown';
  /** How much others may have used since the observation before, at most. */
  others: number;
  /** How many requests that get a 4xx may have been in flight at the time, itself included. */
  held: number;
  /** How many other requests of the count were in flight at the time. */
  beside: number;
  /** The figures of this window, on requests with the key. */
  remaining?: number;
  /** When the window resets, as far as rounding and the server's clock tell. */
  reset?: Span;
}

/** A refusal that says that none are left: for a request that costs several, it may count fewer as none. */
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
  /** The same for states from which the same follows. */
  readonly key: string;
  /** When the last observation was counted at the earliest, in ms since the epoch, if what was left tells. */
  readonly since?: number;
  /**
   * The states that the next observation leaves possible, or why none is.
   * @param weight what the request takes off; of a refused one, what it would have taken
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
  /** How much more a stranger has to believe than of the plainest: so many observations more it has to explain. */
  surprise: number;
  /** Which requests count: whatever their responses show, or every one with the key, or also those that are rejected for it. */
  counting: 'any' | 'every' | 'rejected-too';
  /** Requests come back one by one, so that others who take one may leave none. */
  isGradual?: true;
  /** Remaining may be older than the response. */
  isDelayed?: true;
  /** Of one that gives back parts of requests: Remaining is rounded down. */
  isRoundedDown?: true;
  /** Whether observations may be its own at all; without it, any may. */
  isPossible?(observations: readonly Observation[]): boolean;
  /** What may be known before the first observation. */
  start(figures: Figures, first: Observation): readonly State[];
}

export function isMisfit(result: readonly State[] | Misfit | Span): result is Misfit {
  return !Array.isArray(result) && 'kind' in result;
}

/** The states after each way in which a limiter may have made an observation; if none is possible, why the first is not. */
export function anyOf(ways: readonly (readonly State[] | Misfit)[]): readonly State[] | Misfit {
  const [only] = ways;
  if (only && ways.length === 1) return only;
  const states: State[] = [];
  for (const way of ways) if (!isMisfit(way)) states.push(...way);
  return states.length > 0 ? states : (ways.find(isMisfit) ?? []);
}
