import type { Evidence } from '../../check.ts';
import { judgeConstant } from '../headers.ts';
import {
  byAddress,
  byOperation,
  type Count,
  countsIn,
  furtherPartitions,
  PARTITIONS,
  type Partition,
  together,
} from './counts.ts';
import { type Account, type Exclusion, explainTrack } from './explain-track.ts';
import { inLotsOf, MODELS } from './models/index.ts';
import type { Model } from './models/model.ts';
import { readLate, readLateWithRejected } from './models/read-late.ts';
import { common, type Span } from './models/span.ts';
import { firstExplaining, firstInLots, firstNotRefuted, isAnyLeftByGlance } from './nearest.ts';
import { clockSkewOf } from './observations.ts';
import { overrun } from './overrun.ts';
import type { Attempt, Budget, Effort } from './search/search.ts';
import { windowLengths } from './window-lengths.ts';

/** The honest limiters that explain a run; or the nearest, with the observation that excludes them. */
export interface Explanation {
  accounts: readonly Account[];
  /** Absent if every account is explained. */
  excluded?: Exclusion;
}

const PLAIN = MODELS.filter(({ counting }) => counting === 'any');
const PLAIN_OR_LATE = [...PLAIN, ...readLate, ...readLateWithRejected];

/** What is tried in turn, and how many requests more the later ones have to explain: two surprises explain too much. */
const ATTEMPTS = [
  { partition: byAddress, models: PLAIN, surprise: 0 },
  { partition: together, models: PLAIN, surprise: 10 },
  { partition: byOperation, models: PLAIN, surprise: 10 },
  { partition: byAddress, models: MODELS, surprise: 6 },
];

/** How far a clock that is set by the time of the network is ahead of ours (ms), which is set so as well. */
const OUR_CLOCK: Span = { lo: -1_000, hi: 1_000 };

/** Steps that all thorough searches for an explanation take at most. */
const MAX_STEPS = 60_000;

const explanations = new WeakMap<Evidence['judged'], Explanation>();

/** A search sees only the exchanges, so it is the same whether their deviations are revealed or not. */
const searches = new WeakMap<Evidence['judged'], Explanation>();

/**
 * Explains what a run shows of the limiter. Of the ways to count that the interface leaves open, the first that
 * explains everything is taken; if none does, the one that explains the most. It is excluded only if thorough searches
 * prove that no plain limiter explains everything by one of the likeliest ways to count; the rarer ones get shorter searches.
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

/**
 * Explains Reset by the clock that Date shows. If that is not ours and no limiter explains it, a proxy may have written Date by
 * a clock of its own, and then Reset is explained by ours.
 */
function searched(evidence: Evidence): Explanation {
  const byDate = searchedBy(evidence);
  if (!byDate.excluded) return byDate;
  const skew = clockSkewOf(evidence.judged.map(({ exchange }) => exchange));
  const byOurs = common(skew, OUR_CLOCK) ? byDate : searchedBy(evidence, OUR_CLOCK);
  if (!byOurs.excluded) return byOurs;
  return firstOtherLength(evidence) ?? byDate;
}

/** Steps that the searches with another length of the window take together: short ones for each, and longer ones for all. */
const MAX_STEPS_OTHERWISE = { glance: 3_000, quick: 10_000 } as const;

/** In windows as short (ms), so much comes back between two requests that a glance may take a wrong order. */
const SHORT_MS = 10_000;

/** The first length of the shorter window, other than a minute, with which every count is explained. */
function firstOtherLength(evidence: Evidence): Explanation | undefined {
  const lengths = windowLengths(evidence);
  const longer: Budget = { steps: MAX_STEPS_OTHERWISE.quick };
  const firstOf = (partitions: readonly Partition[], of: readonly number[], effort: 'glance' | 'quick') => {
    for (const windowMs of of) {
      const budget = effort === 'quick' ? longer : { steps: MAX_STEPS_OTHERWISE.glance };
      const explained = firstWay(partitions, countsIn(evidence, { windowMs }), withinLimit(effort, budget));
      if (explained) return explained;
    }
    return undefined;
  };
  const short = lengths.filter((each) => each <= SHORT_MS);
  return (
    firstOf(PARTITIONS, lengths, 'glance') ??
    firstOf(furtherPartitions(evidence), lengths, 'glance') ??
    firstOf(PARTITIONS, short, 'quick')
  );
}

/** Explains a count by a plain limiter or one in lots, unless more requests came through than it lets through. */
function withinLimit(effort: Effort, budget: Budget): (count: Count) => Attempt | undefined {
  return ({ figures, track: { observations } }) =>
    overrun(figures, observations)
      ? undefined
      : (firstExplaining(PLAIN, figures, observations, effort, budget) ?? firstInLots(figures, observations));
}

function searchedBy(evidence: Evidence, clock?: Span): Explanation {
  let best: { explanation: Explanation; until: number } = { explanation: { accounts: [] }, until: -1 };
  const countsOf = countsIn(evidence, clock ? { clock } : {});
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
  if (!excluded || isNeverExplained(best.explanation, excluded)) return best.explanation;
  const inLots = firstWay(PARTITIONS, countsOf, orInLots({ steps: MAX_STEPS_IN_LOTS }));
  if (inLots || excluded.isCounted) return inLots ?? best.explanation;
  const apart = firstFurtherWay(evidence, countsOf);
  return apart ?? firstLateWay(countsOf, budget) ?? firstUnrefutedWay(countsOf, budget) ?? best.explanation;
}

/** Whether no limiter explains an observation even by itself, whatever is counted together with it. */
function isNeverExplained({ accounts }: Explanation, { observation }: Exclusion): boolean {
  const figures = accounts.find(({ track }) => track.observations.includes(observation))?.figures;
  return figures !== undefined && !firstExplaining([...MODELS, ...inLotsOf(figures)], figures, [observation]);
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
    const counts = countsOf(partition);
    // A count that a glance leaves no plain model is decided in a few steps: if it has no explanation, no other is searched.
    const isQuicklyRefuted = (count: Count) => !mayBePlain(count) && !attemptFor(count);
    const accounts = counts.some(isQuicklyRefuted) ? undefined : accountsOf(counts, attemptFor);
    if (accounts && accounts.length > 0) return { accounts };
  }
  return undefined;
}

/** Whether a glance leaves a plain model possible. */
function mayBePlain({ track: { observations }, figures }: Count): boolean {
  return isAnyLeftByGlance(PLAIN, figures, observations);
}

/** Steps that all longer searches for a limiter that gives back requests in lots take together at most. */
const MAX_STEPS_IN_LOTS = 20_000;

/** Explains a count by a limiter that gives back requests in lots, if by no other model. */
function orInLots(budget: Budget): (count: Count) => Attempt | undefined {
  return (count) => {
    const { track, figures } = count;
    // More requests than the limit are explained only if each of them counts.
    if (overrun(figures, track.observations))
      return firstInLots(figures, track.observations, { counting: 'every' });
    return (
      firstExplaining(PLAIN, figures, track.observations) ??
      firstInLots(figures, track.observations, { budget })
    );
  };
}

/** Steps that all longer searches for one of the many ways to count take together at most. */
const MAX_STEPS_APART = 60_000;

/** The first of the many ways to count that few services choose with which every count is explained. */
function firstFurtherWay(evidence: Evidence, countsOf: ReturnType<typeof countsIn>): Explanation | undefined {
  // With these, limiters that read Remaining late have not been tried yet.
  const partitions = [...PARTITIONS, ...furtherPartitions(evidence)];
  const atAGlance = firstWay(partitions, countsOf, plainOrInLots('glance'));
  if (atAGlance) return atAGlance;
  return firstWay(partitions, countsOf, plainOrInLots('quick', { steps: MAX_STEPS_APART }));
}

/** Explains a count by a plain model, by a limiter that reads Remaining late, or by one that gives back requests in lots. */
function plainOrInLots(effort: Effort, budget?: Budget): (count: Count) => Attempt | undefined {
  return ({ track: { observations }, figures }) =>
    firstExplaining(PLAIN_OR_LATE, figures, observations, effort, budget) ??
    firstInLots(figures, observations);
}

/**
 * The first way to count with which a thorough search finds a limiter that reads Remaining late. Where many requests are told
 * the same, a shorter search takes a wrong order.
 */
function firstLateWay(countsOf: ReturnType<typeof countsIn>, budget: Budget): Explanation | undefined {
  return firstWay([together, byOperation], countsOf, ({ track: { observations }, figures }) =>
    firstExplaining(readLate, figures, observations, 'thorough', budget),
  );
}

/** The first way to count that a thorough search does not refute: it is presumed to explain what it has no proof for. */
function firstUnrefutedWay(countsOf: ReturnType<typeof countsIn>, budget: Budget): Explanation | undefined {
  for (const { partition, models } of ATTEMPTS) {
    const accounts = accountsOf(countsOf(partition), ({ track, figures }) =>
      firstNotRefuted(models, figures, track.observations, budget),
    );
    if (accounts) return { accounts };
  }
  return undefined;
}

/** The counts with their attempts. Undefined as soon as one has none: a short one takes the fewest steps to show it. */
function accountsOf(
  counts: readonly Count[],
  attemptFor: (count: Count) => Attempt | undefined,
): Account[] | undefined {
  const attempts = new Map<Count, Attempt>();
  const lengthOf = ({ track }: Count) => track.observations.length;
  for (const count of counts.toSorted((one, other) => lengthOf(one) - lengthOf(other))) {
    const attempt = attemptFor(count);
    if (!attempt) return undefined;
    attempts.set(count, attempt);
  }
  return counts.map((count) => ({ ...count, attempt: attempts.get(count) as Attempt }));
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
