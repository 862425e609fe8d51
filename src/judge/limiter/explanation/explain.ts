import { isSuccess, type Variation } from '../../../model/exchange.ts';
import type { Evidence } from '../../check.ts';
import { judgeConstant } from '../headers.ts';
import { type Count, countsIn, furtherPartitions, PARTITIONS, type Partition } from './counts.ts';
import { MODELS } from './models/index.ts';
import type { Figures, Misfit, Model, Observation } from './models/model.ts';
import { firstExplaining, firstInLots, firstNotRefuted, nearestOf } from './nearest.ts';
import type { Track } from './observations.ts';
import { sincePause } from './others.ts';
import { overrun } from './overrun.ts';
import { type Attempt, attempt, type Budget } from './search/search.ts';

/** What was observed of one window of one count, and the honest limiter that explains it, or comes nearest. */
export interface Account extends Count {
  attempt: Attempt;
}

/** An observation that no honest limiter explains, and the one that explains the most before it. */
export interface Exclusion extends Misfit {
  nearest: Model;
  observation: Observation;
  /** Which figure shows it: another one may be to blame. */
  shownBy: Misfit['kind'];
  /** Without this figure, everything is explained. */
  isAlone?: true;
  /** The number of requests that were let through shows it by itself, in whichever order they were counted. */
  isCounted?: true;
  /** How the request was varied that no honest limiter counts apart. */
  variation?: Variation;
}

/** The honest limiters that explain a run; or the nearest, with the observation that excludes them. */
export interface Explanation {
  accounts: readonly Account[];
  /** Absent if every account is explained. */
  excluded?: Exclusion;
}

const PLAIN = MODELS.filter(({ counting }) => counting === 'any');

/** What is tried in turn, and how many requests more the later ones have to explain: two surprises explain too much. */
const ATTEMPTS = [
  ...PARTITIONS.map((partition, index) => ({ partition, models: PLAIN, surprise: index === 0 ? 0 : 10 })),
  ...PARTITIONS.slice(0, 1).map((partition) => ({ partition, models: MODELS, surprise: 6 })),
];

/** Steps that all thorough searches for an explanation take at most. */
const MAX_STEPS = 40_000;

const explanations = new WeakMap<Evidence['judged'], Explanation>();

/** A search sees only the exchanges, so it is the same whether their deviations are revealed or not. */
const searches = new WeakMap<Evidence['judged'], Explanation>();

/**
 * Explains what a run shows of the limiter. Of the ways to count that the interface leaves open, the first that
 * explains everything is taken; if none does, the one that explains the most. It is excluded only if a thorough search
 * proves that none explains everything.
 */
export function explain(evidence: Evidence): Explanation {
  const known = explanations.get(evidence.judged);
  if (known) return known;
  const explanation = explanationOf(evidence);
  explanations.set(evidence.judged, explanation);
  return explanation;
}

function explanationOf(evidence: Evidence): Explanation {
  // A Limit that changes belongs to no limiter, and there would be one search for each figure.
  if (judgeConstant(evidence).status === 'violated') return { accounts: [] };
  const { judged } = evidence.unrevealed ?? evidence;
  const explanation = searches.get(judged) ?? searched(evidence);
  searches.set(judged, explanation);
  return explanation;
}

function searched(evidence: Evidence): Explanation {
  let best: { explanation: Explanation; until: number } = { explanation: { accounts: [] }, until: -1 };
  const countsOf = countsIn(evidence);
  const budget: Budget = { steps: MAX_STEPS };
  for (const { partition, models, surprise } of ATTEMPTS) {
    const isMore = (excluded?: Exclusion) => untilOf(excluded) - surprise > best.until;
    const explanation = explainCounts(countsOf(partition), models, budget, isMore);
    if (!explanation) continue;
    const { excluded, accounts } = explanation;
    const isSure = !excluded && accounts.every(({ attempt: { isPresumed } }) => !isPresumed);
    if (isSure) return explanation;
    if (isMore(excluded)) best = { explanation, until: untilOf(excluded) - surprise };
  }
  const { excluded } = best.explanation;
  if (!excluded) return best.explanation;
  const inLots = firstWay(PARTITIONS, countsOf, orInLots);
  if (inLots || excluded.isCounted) return inLots ?? best.explanation;
  const apart = firstWay(furtherPartitions(evidence), countsOf, atAGlance);
  return apart ?? unlessRefuted(countsOf, budget) ?? best.explanation;
}

/** The id of the exchange until which everything is explained; if only Reset is not, or nothing, that is all. */
function untilOf(excluded?: Exclusion): number {
  return excluded && !excluded.isAlone ? excluded.observation.exchange.id : Number.MAX_SAFE_INTEGER;
}

/** The first way to count with which every count is explained. */
function firstWay(
  partitions: readonly Partition[],
  countsOf: ReturnType<typeof countsIn>,
  attemptFor: (count: Count) => Attempt | undefined,
): Explanation | undefined {
  for (const partition of partitions) {
    const accounts = accountsOf(countsOf(partition), attemptFor);
    if (accounts && accounts.length > 0) return { accounts };
  }
  return undefined;
}

/** Explains a count by a bucket that is refilled in lots, if by no other model. */
function orInLots({ track: { observations }, figures }: Count): Attempt | undefined {
  // More requests than the limit are explained only if each of them counts.
  if (overrun(figures, observations)) return firstInLots(figures, observations, 'every');
  return firstExplaining(PLAIN, figures, observations) ?? firstInLots(figures, observations);
}

/** Explains a count in a way to count that few services choose: there are many, and a search that gives up says too little. */
function atAGlance({ track: { observations }, figures }: Count): Attempt | undefined {
  return firstExplaining(PLAIN, figures, observations, 'glance');
}

/** The first way to count that a thorough search does not refute: it is presumed to explain what it has no proof for. */
function unlessRefuted(countsOf: ReturnType<typeof countsIn>, budget: Budget): Explanation | undefined {
  for (const { partition, models } of ATTEMPTS) {
    const accounts = accountsOf(countsOf(partition), ({ track, figures }) =>
      firstNotRefuted(models, figures, track.observations, budget),
    );
    if (accounts) return { accounts };
  }
  return undefined;
}

/** The counts with their attempts. Undefined as soon as one has none. */
function accountsOf(
  counts: readonly Count[],
  attemptFor: (count: Count) => Attempt | undefined,
): Account[] | undefined {
  const accounts: Account[] = [];
  for (const count of counts) {
    const attempt = attemptFor(count);
    if (!attempt) return undefined;
    accounts.push({ ...count, attempt });
  }
  return accounts;
}

/** Undefined as soon as one count shows that all of them together do not explain more than is known. */
function explainCounts(
  counts: readonly Count[],
  models: readonly Model[],
  budget: Budget,
  isMore: (excluded: Exclusion) => boolean,
): Explanation | undefined {
  const accounts: Account[] = [];
  let first: Exclusion | undefined;
  for (const { track, figures } of counts) {
    const { account, excluded } = explainTrack(track, models, figures, budget, isMore);
    accounts.push(account);
    if (excluded && (!first || excluded.observation.exchange.id < first.observation.exchange.id))
      first = excluded;
    if (first && !isMore(first)) return undefined;
  }
  return { accounts, ...(first ? { excluded: first } : {}) };
}

function explainTrack(
  track: Track,
  models: readonly Model[],
  figures: Figures,
  budget: Budget,
  isMore: (excluded: Exclusion) => boolean,
): { account: Account; excluded?: Exclusion } {
  const attempt = nearestOf(models, figures, track.observations, budget);
  const { misfit, model: nearest } = attempt;
  const account = { track, figures, attempt };
  const variation = misfit && evading(misfit, track.observations);
  if (variation)
    return {
      account,
      excluded: { ...misfit, kind: 'let-through', shownBy: misfit.kind, nearest, variation },
    };
  // By the number of requests that were let through alone, whatever Remaining says.
  const last = overrun(figures, track.observations);
  if (last) {
    const expected = { lo: 0, hi: 0 };
    return {
      account,
      excluded: {
        kind: 'let-through',
        shownBy: 'let-through',
        expected,
        nearest,
        observation: last,
        isCounted: true,
      },
    };
  }
  if (!misfit) return { account };
  const excluded: Exclusion = { ...misfit, kind: kindOf(misfit, track), shownBy: misfit.kind, nearest };
  // To look at Reset takes two searches of each model, and is in vain if even then another explanation explains more.
  const mayBeAlone = isMore({ ...excluded, isAlone: true });
  const reset = mayBeAlone ? wrongReset(models, figures, track.observations) : undefined;
  if (reset?.misfit)
    return {
      account: { track, figures, attempt: reset },
      excluded: { ...reset.misfit, shownBy: 'reset', nearest: reset.model, isAlone: true },
    };
  return { account, excluded };
}

/** The attempt of the first model that Reset alone excludes: without Reset, it explains everything. */
function wrongReset(
  models: readonly Model[],
  figures: Figures,
  observations: readonly Observation[],
): Attempt | undefined {
  const withoutReset = observations.map(({ reset: _, ...each }) => each);
  return models
    .filter(({ surprise }) => surprise === 0)
    .map((model) => attempt(model, figures, observations))
    .find(({ model, misfit }) => {
      if (misfit?.kind !== 'reset') return false;
      const without = attempt(model, figures, withoutReset);
      return !without.misfit && !without.isPresumed;
    });
}

/** Which of the figures of an observation is wrong. */
function kindOf(
  { kind, observation, expected }: Misfit & { observation: Observation },
  { limit, observations }: Track,
): Misfit['kind'] {
  const { outcome, remaining = 0, exchange } = observation;
  // A refusal that says that more requests remain comes too early, whatever should remain instead.
  if (kind === 'remaining' && outcome === 'refused' && remaining > 0) return 'refused';
  // After a wait for Retry-After, the window has ended: then it did not wait for its Reset.
  const isWhole = kind === 'remaining' && remaining > expected.hi && remaining === limit - 1;
  if (exchange.stage === 'recover' && ((kind === 'let-through' && remaining > 0) || isWhole)) return 'reset';
  // As long as no more than the limit are let through, the limit holds, and what Remaining said before was wrong.
  const before = observations.filter(
    (each) =>
      (each.exchange.key === 'valid' || isSuccess(each.exchange)) &&
      each.exchange.id <= exchange.id &&
      each.outcome !== 'refused',
  );
  const letThrough = sincePause(before.map((each) => each.exchange));
  return kind === 'let-through' && letThrough.length <= limit ? 'remaining' : kind;
}

/**
 * How a request was varied that is counted apart: more remain after it than an honest limiter leaves. One more may have
 * another reason, and then the number of requests that were let through shows it.
 */
function evading(
  { kind, observation, expected }: Misfit & { observation: Observation },
  observations: readonly Observation[],
): Variation | undefined {
  const { outcome, remaining = 0, exchange } = observation;
  if (kind !== 'remaining' || outcome === 'refused' || remaining <= expected.hi + 1) return undefined;
  const before = observations[observations.indexOf(observation) - 1];
  return exchange.variation ?? before?.exchange.variation;
}
