import {
  anyOf,
  type Figures,
  isMisfit,
  type Misfit,
  type Model,
  type Observation,
  type State,
} from '../../src/limiter/models/model.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import { exchange } from '../exchanges/exchange.ts';

/** What a limiter shows. Times in s since the first response. It decides at the time of the response unless `until` is later. */
export interface Seen {
  at: number;
  until?: number;
  sentAt?: number;
  status?: number;
  inFlight?: number;
  remaining?: number;
  outcome?: Observation['outcome'];
  retryAfter?: number;
  reset?: readonly [lo: number, hi: number];
  others?: number;
  held?: number;
  beside?: number;
  weight?: number;
  kind?: string;
  exchange?: Partial<Exchange>;
}

export const MINUTE: Figures = { limit: 12, windowMs: 60_000, burst: 0 };

export const refused = (at: number, change: Partial<Seen> = {}): Seen => ({
  at,
  outcome: 'refused',
  ...change,
});

const ms = (seconds: number) => Math.round(seconds * 1_000);

export function observed({ at, until = at, sentAt = at, retryAfter, ...seen }: Seen): Observation {
  const { status, inFlight = 1, remaining, reset } = seen;
  return {
    exchange: exchange({
      sentAt: ms(sentAt),
      receivedAt: ms(until),
      inFlight,
      rate: retryAfter === undefined ? {} : { retryAfter },
      ...(status === undefined ? {} : { response: { status, headers: [], body: '' } }),
      ...seen.exchange,
    }),
    at: { lo: ms(at), hi: ms(until) },
    kind: seen.kind ?? 'listPets, 200',
    outcome: seen.outcome ?? 'let-through',
    others: seen.others ?? 0,
    held: seen.held ?? 0,
    beside: seen.beside ?? 0,
    ...(remaining === undefined ? {} : { remaining }),
    ...(reset ? { reset: { lo: ms(reset[0]), hi: ms(reset[1]) } } : {}),
  };
}

/** The states that a model leaves possible after these observations, or the first that it does not explain. */
export function statesAfter(
  model: Model,
  seen: readonly Seen[],
  figures: Figures = MINUTE,
): readonly State[] | Misfit {
  let states = model.start(figures, observed(seen[0] as Seen));
  for (const each of seen) {
    const next = anyOf(states.map((state) => state.follow(observed(each), each.weight ?? 1)));
    if (isMisfit(next)) return next;
    states = next;
  }
  return states;
}

export function isExplained(model: Model, seen: readonly Seen[], figures: Figures = MINUTE): boolean {
  const states = statesAfter(model, seen, figures);
  return !isMisfit(states) && states.length > 0;
}

/** Which of these figures a model explains as the next Remaining. */
export function explainedRemaining(
  model: Model,
  seen: readonly Seen[],
  next: Seen,
  figures: Figures = MINUTE,
): number[] {
  const all = Array.from({ length: figures.limit + figures.burst + 1 }, (_, remaining) => remaining);
  return all.filter((remaining) => isExplained(model, [...seen, { ...next, remaining }], figures));
}
