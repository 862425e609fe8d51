import type { Observation } from '../models/model.ts';
import { MAX_IN_FLIGHT, orderOf } from './order.ts';

/** Requests that were counted: how many of each kind, and how many with the key. */
export interface Counted {
  ofKind: readonly (readonly [kind: string, requests: number])[];
  withKey: number;
}

/** Two responses with Remaining, and what was counted between them in every order, or in some. */
export interface Between {
  before: Observation;
  after: Observation;
  /** The first response with Remaining, if it was counted before both in every order; else the one before. */
  first: Observation;
  /** At least, in every order; the one after included. */
  least: Counted;
  /** The lowest Remaining from one to the other. */
  lowest: number;
  /** At most, in any order; absent if others, or requests that are unlike, may have taken some as well. */
  most?: Counted;
}

/** The second one of a pair is so many responses further: one of the next few, or of some that are further away. */
const DISTANCES = [1, 2, 3, 5, 8, 13, 21, 34];

/** Every model is tried with the same observations. */
const known = new WeakMap<readonly Observation[], readonly Between[]>();

/** Pairs of responses with Remaining where every order counts the same one first. */
export function betweens(observations: readonly Observation[]): readonly Between[] {
  const made = known.get(observations) ?? pairsOf(observations);
  known.set(observations, made);
  return made;
}

function pairsOf(observations: readonly Observation[]): Between[] {
  const { inTurn, isBefore, beside } = orderOf(observations);
  const at = (index: number) => inTurn[index] as Observation;
  const told = inTurn.flatMap(({ remaining }, index) => (remaining === undefined ? [] : index));
  const [first = 0] = told;
  return told.flatMap((from, place) => {
    const later = told.slice(place + 1, place + 1 + 2 * MAX_IN_FLIGHT).filter((each) => isBefore(from, each));
    return DISTANCES.flatMap((distance): Between[] => {
      const to = later[distance - 1];
      if (to === undefined) return [];
      const within = Array.from({ length: to - from }, (_, index) => from + 1 + index);
      const surely = within.filter((each) => each === to || (isBefore(from, each) && isBefore(each, to)));
      const possibly = [...beside(from).earlier, ...within, ...beside(to).later];
      const most = atMost(possibly.map(at));
      const lowest = Math.min(
        ...[from, ...possibly].map((each) => at(each).remaining ?? Number.POSITIVE_INFINITY),
      );
      return [
        {
          before: at(from),
          after: at(to),
          first: at(isBefore(first, from) ? first : from),
          least: atLeast(surely.map(at)),
          lowest,
          ...(most ? { most } : {}),
        },
      ];
    });
  });
}

function atLeast(observations: readonly Observation[]): Counted {
  return countedOf(
    observations.filter(({ outcome, exchange }) => outcome === 'let-through' && !exchange.variation),
    () => 1,
  );
}

function atMost(observations: readonly Observation[]): Counted | undefined {
  const isUnlike = ({ others, outcome, exchange }: Observation) =>
    others > 0 || outcome === 'unknown' || exchange.variation !== undefined;
  if (observations.some(isUnlike)) return undefined;
  return countedOf(
    observations.filter(({ outcome }) => outcome !== 'refused'),
    ({ exchange }) => (exchange.isRepeated ? 2 : 1),
  );
}

function countedOf(
  observations: readonly Observation[],
  times: (observation: Observation) => number,
): Counted {
  const kinds = new Map<string, number>();
  for (const each of observations) kinds.set(each.kind, (kinds.get(each.kind) ?? 0) + times(each));
  const withKey = observations.filter(({ exchange }) => exchange.key === 'valid');
  return { ofKind: [...kinds], withKey: withKey.reduce((sum, each) => sum + times(each), 0) };
}
