import { type Exchange, isSuccess } from '../../model/exchange.ts';
import { NEXT_WINDOW_S } from '../../model/rate-plan.ts';
import type { Evidence } from '../check.ts';
import { MODELS } from './models/index.ts';
import type { Figures, Misfit, Model, Observation } from './models/model.ts';
import { clockSkewOf, figuresOf, lengthOf, PARTITIONS, type Track, trackOf } from './observations.ts';
import { useByOthers } from './others.ts';
import { type Attempt, attempt } from './search.ts';
import { upgradeOf } from './upgrade.ts';

/** What was observed of one window of one count, and the honest limiter that explains it, or comes nearest. */
export interface Account {
  track: Track;
  attempt: Attempt;
}

/** An observation that no honest limiter explains, and the one that explains the most before it. */
export interface Exclusion extends Misfit {
  nearest: Model;
  observation: Observation;
}

/** The honest limiters that explain a run; or the nearest, with the observation that excludes them. */
export interface Explanation {
  accounts: readonly Account[];
  /** Absent if every account is explained. */
  excluded?: Exclusion;
}

const explanations = new WeakMap<Evidence['judged'], Explanation>();

/**
 * Explains what a run shows of the limiter. Of the ways to count that the interface leaves open, the first that
 * explains everything is taken; if none does, the plainest.
 */
export function explain(evidence: Evidence): Explanation {
  const known = explanations.get(evidence.judged);
  if (known) return known;
  const [plainest = { accounts: [] }, ...others] = PARTITIONS.map(
    (partition) => () => explainCounts(partition, evidence),
  ).reduce<Explanation[]>(
    (tried, next) => (tried.some(({ excluded }) => !excluded) ? tried : [...tried, next()]),
    [],
  );
  const explanation = others.find(({ excluded }) => !excluded) ?? plainest;
  explanations.set(evidence.judged, explanation);
  return explanation;
}

function explainCounts(partition: (exchange: Exchange) => string, evidence: Evidence): Explanation {
  const all = evidence.judged.map(({ exchange }) => exchange);
  // What comes after an upgrade of the plan is another limiter.
  const upgraded = upgradeOf(all, evidence.contract.ratePlans)?.id ?? Number.POSITIVE_INFINITY;
  const exchanges = all.filter(({ id }) => id < upgraded);
  // A long exhaustion does not keep all of its exchanges, and what is left explains nothing.
  if (exchanges.some(({ id }, index) => id !== (exchanges[0]?.id ?? 0) + index)) return { accounts: [] };
  const skew = clockSkewOf(exchanges);
  const accounts = [...new Set(exchanges.map(partition))].flatMap((name) => {
    const own = exchanges.filter((each) => partition(each) === name);
    const others = useByOthers(own, evidence.sharedKey);
    const burst = announcedBurst(own);
    return figuresOf(own, evidence).map(({ window, limit }) => {
      const track = trackOf(own, window, limit, evidence, skew, others);
      return { track, attempt: nearestOf({ limit, windowMs: lengthOf(window), burst }, track.observations) };
    });
  });
  const wrong = accounts.find(({ attempt: { misfit } }) => misfit);
  const misfit = wrong?.attempt.misfit;
  if (!misfit) return { accounts };
  const { limit, window } = wrong.track;
  const figures = { limit, windowMs: lengthOf(window), burst: announcedBurst(exchanges) };
  return {
    accounts,
    excluded: overrun(figures, wrong.track, wrong.attempt.model) ?? {
      ...ownerOf(misfit),
      nearest: wrong.attempt.model,
    },
  };
}

/** The first model that explains all observations, else the one that explains the most of them. */
function nearestOf(figures: Figures, observations: readonly Observation[]): Attempt {
  let nearest: Attempt | undefined;
  for (const model of MODELS) {
    const next = attempt(model, figures, observations);
    if (!nearest || !next.misfit || next.explained > nearest.explained) nearest = next;
    if (!next.misfit) break;
  }
  return nearest as Attempt;
}

/** A refusal that says that more requests remain came too early, whatever should remain instead. */
function ownerOf(misfit: Misfit & { observation: Observation }): Misfit & { observation: Observation } {
  const { kind, observation } = misfit;
  const isEarly =
    kind === 'remaining' && observation.outcome === 'refused' && (observation.remaining ?? 0) > 0;
  return isEarly ? { ...misfit, kind: 'refused' } : misfit;
}

/**
 * A request too many, by the number of those that were let through while Reset stayed the same: then a wrong Remaining
 * is only a part of it. No limiter gives back more than its limit in a window. Other requests may not count.
 */
function overrun(
  { limit, windowMs, burst }: Figures,
  { observations }: Track,
  nearest: Model,
): Exclusion | undefined {
  const last = observations.findLast(({ exchange }) => exchange.stage === 'exhaust');
  if (!last) return undefined;
  const { operation, rate } = last.exchange;
  const letThrough = observations.filter(
    ({ exchange }) =>
      exchange.operation === operation &&
      exchange.key === 'valid' &&
      isSuccess(exchange) &&
      exchange.stage !== 'recover' &&
      Math.abs((exchange.rate.reset ?? 0) - (rate.reset ?? 0)) < NEXT_WINDOW_S,
  );
  const [first] = letThrough;
  const refilled = first ? (limit * (last.at.hi - first.at.lo)) / windowMs : 0;
  if (letThrough.length <= limit + burst + refilled) return undefined;
  const observation = letThrough.at(-1) ?? last;
  return { kind: 'let-through', expected: { lo: 0, hi: 0 }, nearest, observation };
}

const BURST = /^x-?ratelimit-burst$/i;

/** How many requests a service announces on top of its limit, in a header of its own. */
function announcedBurst(exchanges: readonly Exchange[]): number {
  const stated = exchanges.flatMap(({ response }) =>
    (response?.headers ?? []).flatMap(([name, value]) =>
      BURST.test(name) && /^\d{1,9}$/.test(value) ? [Number(value)] : [],
    ),
  );
  return Math.max(0, ...stated);
}
