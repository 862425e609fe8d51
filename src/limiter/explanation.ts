import {
  byAddress,
  byOperation,
  type CountedWindow,
  countsIn,
  furtherPartitions,
  PARTITIONS,
  type Partition,
  together,
} from './counts.ts';
import {
  type Exclusion,
  type ExplainedWindow,
  explainTrack,
  firstExplaining,
  firstInLots,
} from './explain-track.ts';
import { inLotsOf, MODELS } from './models/index.ts';
import { readLate, readLateWithRejected } from './models/liberties.ts';
import type { Model } from './models/model.ts';
import { common, type Span } from './models/span.ts';
import { clockSkewOf, type Traffic } from './observations.ts';
import { isLetThroughWithNone, overrun } from './overrun.ts';
import { explainingSequences, isSteady, type MayExplain } from './quick-checks.ts';
import type { Attempt, SearchBudget } from './search/search.ts';
import { windowLengths } from './window-lengths.ts';

/** The honest limiters that explain a run; or the nearest ones, with the observation that excludes them. */
export interface Explanation {
  accounts: readonly ExplainedWindow[];
  /** Absent if every account is explained. */
  excluded?: Exclusion;
  /** The search for another explanation ran out of steps. */
  isCutShort?: true;
}

const PLAIN = MODELS.filter(({ counting }) => counting === 'any');
const PLAIN_OR_LATE = [...PLAIN, ...readLate, ...readLateWithRejected];

/** Tried in this order. `surprise`: how many more requests an attempt has to explain than a plainer one to be preferred. */
const ATTEMPTS = [
  { partition: byAddress, models: PLAIN, surprise: 0 },
  { partition: together, models: PLAIN, surprise: 10 },
  { partition: byOperation, models: PLAIN, surprise: 10 },
  { partition: byAddress, models: MODELS, surprise: 6 },
];

/** How far a clock set by NTP is ahead of petspec's (ms), which is set by NTP, too. */
const OUR_CLOCK: Span = { lo: -1_000, hi: 1_000 };

/** Search steps for all rarer ways to count together, and for all other window lengths together. */
const MOST_STEPS = 150_000;

/**
 * Search steps for all other window lengths if only a complete search can show a violation. Of the faults of the catalog,
 * late-by-one-sliding-counter takes the most: 450,000 for the rarer ways to count.
 */
const MOST_STEPS_TO_ACCUSE = 600_000;

/**
 * Explains what traffic shows of the limiter: by the first way to count that explains everything, else by the one that explains
 * the most.
 *
 * Reset is read by the clock that Date shows. If that clock differs from petspec's and no limiter explains the traffic, a proxy may
 * have written Date, so Reset is read by petspec's clock as well.
 */
export function explanationOf(traffic: Traffic): Explanation {
  const explanation = searched(traffic);
  return sharedByAddresses(traffic, explanation) ?? explanation;
}

/**
 * Where the response that excludes the nearest limiter comes right after a request to the other address, the plainest reason is that both
 * addresses share a count. @returns the explanation by such a count if it explains more
 */
function sharedByAddresses(traffic: Traffic, { excluded }: Explanation): Explanation | undefined {
  if (!excluded) return undefined;
  const { id, address } = excluded.observation.exchange;
  const before = traffic.judged.findLast(
    ({ exchange }) => exchange.id < id && exchange.key === 'valid' && exchange.response,
  );
  if (!before || before.exchange.address === address) return undefined;
  const isMore = (other: Exclusion) => untilOf(other) > id;
  const shared = explainCounts(countsIn(traffic)(together), PLAIN, isMore);
  return shared?.excluded ? shared : undefined;
}

function searched(traffic: Traffic): Explanation {
  const byDate = searchedBy(traffic, undefined);
  if (!byDate.excluded || isLetThroughWithNone(traffic)) return byDate;
  const skew = clockSkewOf(traffic.judged.map(({ exchange }) => exchange));
  const otherClocks = common(skew, OUR_CLOCK) ? [] : [OUR_CLOCK];
  for (const clock of otherClocks) {
    const byOurs = searchedBy(traffic, clock);
    if (!byOurs.excluded) return byOurs;
  }
  const isPlain = isPlainlyExcluded(byDate, byDate.excluded, windowLengths(traffic));
  let isCutShort = byDate.isCutShort ?? false;
  for (const clock of [undefined, ...otherClocks]) {
    const otherLength = firstOtherLength(traffic, clock, isPlain ? MOST_STEPS : MOST_STEPS_TO_ACCUSE);
    if (otherLength && !otherLength.isCutShort) return otherLength;
    isCutShort ||= otherLength !== undefined;
  }
  return isCutShort && !isPlain ? presumed(byDate) : byDate;
}

/**
 * Whether an exclusion needs no further search: too many requests were let through for every possible window length, or no limiter
 * explains the observation even by itself.
 */
function isPlainlyExcluded(
  explanation: Explanation,
  excluded: Exclusion,
  lengths: readonly number[],
): boolean {
  return (
    (excluded.isCounted === true &&
      lengths.every((windowMs) => isOverrun(explanation, excluded, windowMs))) ||
    isNeverExplained(explanation, excluded)
  );
}

function isOverrun({ accounts }: Explanation, { observation }: Exclusion, windowMs: number): boolean {
  const account = accounts.find(({ track }) => track.observations.includes(observation));
  return (
    account !== undefined &&
    overrun({ ...account.figures, windowMs }, account.track.observations) !== undefined
  );
}

/** A search that ran out of steps proves nothing, so the limiters are presumed to explain the traffic. */
function presumed({ accounts }: Explanation): Explanation {
  return {
    accounts: accounts.map(({ attempt: { misfit: _, ...attempt }, ...account }) => ({
      ...account,
      attempt: { ...attempt, isPresumed: true },
    })),
  };
}

/**
 * The explanation with the first window length, other than a minute, that explains every count. Tries the likeliest ways to count
 * first, then the rarer ones, with so many steps each.
 */
function firstOtherLength(traffic: Traffic, clock: Span | undefined, steps: number): Explanation | undefined {
  const lengths = windowLengths(traffic, clock !== undefined).map((windowMs) => {
    const countsOf = countsIn(traffic, { clock, windowMs });
    return { countsOf, mayExplain: explainingSequences(traffic, countsOf) };
  });
  let isCutShort = false;
  for (const partitions of [PARTITIONS, furtherPartitions(traffic)]) {
    const budget: SearchBudget = { steps };
    for (const { countsOf, mayExplain } of lengths) {
      if (budget.steps <= 0) break;
      const attemptFor = (count: CountedWindow) =>
        overrun(count.figures, count.track.observations) ? undefined : limiterOf(count, budget, mayExplain);
      const explained = firstWay(partitions, countsOf, attemptFor);
      if (explained) return explained;
    }
    isCutShort ||= budget.steps <= 0;
  }
  return isCutShort ? { accounts: [], isCutShort } : undefined;
}

function searchedBy(traffic: Traffic, clock: Span | undefined): Explanation {
  let best: { explanation: Explanation; until: number } = { explanation: { accounts: [] }, until: -1 };
  const countsOf = countsIn(traffic, { clock });
  for (const { partition, models, surprise } of ATTEMPTS) {
    const isMore = (excluded?: Exclusion) => untilOf(excluded) - surprise > best.until;
    const explanation = explainCounts(countsOf(partition), models, isMore);
    if (!explanation) continue;
    const { excluded, accounts } = explanation;
    const isSure = !excluded && accounts.every(({ attempt: { isPresumed } }) => !isPresumed);
    if (isSure) return explanation;
    if (isMore(excluded)) best = { explanation, until: untilOf(excluded) - surprise };
  }
  const { excluded } = best.explanation;
  if (!excluded || isNeverExplained(best.explanation, excluded)) return best.explanation;
  if (isLetThroughWithNone(traffic)) return best.explanation;
  const partitions = excluded.isCounted ? PARTITIONS : [...PARTITIONS, ...furtherPartitions(traffic)];
  const budget: SearchBudget = { steps: MOST_STEPS };
  const mayExplain = explainingSequences(traffic, countsOf);
  const explained = firstWay(partitions, countsOf, (count) => limiterOf(count, budget, mayExplain));
  return explained ?? (budget.steps > 0 ? best.explanation : { ...best.explanation, isCutShort: true });
}

/** Whether no limiter explains the observation even by itself, whatever is counted together with it. */
function isNeverExplained({ accounts }: Explanation, { observation }: Exclusion): boolean {
  const figures = accounts.find(({ track }) => track.observations.includes(observation))?.figures;
  return figures !== undefined && !firstExplaining([...MODELS, ...inLotsOf(figures)], figures, [observation]);
}

/** The id of the first unexplained exchange; beyond all ids if there is none, or if only Reset is unexplained. */
function untilOf(excluded?: Exclusion): number {
  return excluded && !excluded.isAlone ? excluded.observation.exchange.id : Number.MAX_SAFE_INTEGER;
}

/** The explanation by the first way to count that explains every count. */
function firstWay(
  partitions: readonly Partition[],
  countsOf: ReturnType<typeof countsIn>,
  attemptFor: (count: CountedWindow) => Attempt | undefined,
): Explanation | undefined {
  for (const partition of partitions) {
    const counts = countsOf(partition);
    if (!counts.every(isSteadyCount)) continue;
    const accounts = accountsOf(counts, attemptFor);
    if (accounts && accounts.length > 0) return { accounts };
  }
  return undefined;
}

function isSteadyCount({ track: { observations }, figures }: CountedWindow): boolean {
  return isSteady(observations, figures);
}

/** The first limiter, common or rare, that explains a count. */
function limiterOf(count: CountedWindow, budget: SearchBudget, mayExplain: MayExplain): Attempt | undefined {
  const { figures, track } = count;
  const { observations } = track;
  const isPossible = (model: Model) => mayExplain(model, count);
  // More requests than the limit can only be explained by a model in which every request counts.
  if (overrun(figures, observations)) return firstInLots(figures, observations, budget, isPossible, 'every');
  const models = PLAIN_OR_LATE.filter(isPossible);
  return (
    firstExplaining(models, figures, observations, budget) ??
    firstInLots(figures, observations, budget, isPossible)
  );
}

/** The counts with their attempts; undefined as soon as a count has none. Short counts come first, as they take the fewest steps. */
function accountsOf(
  counts: readonly CountedWindow[],
  attemptFor: (count: CountedWindow) => Attempt | undefined,
): ExplainedWindow[] | undefined {
  const attempts = new Map<CountedWindow, Attempt>();
  const lengthOf = ({ track }: CountedWindow) => track.observations.length;
  for (const count of counts.toSorted((a, b) => lengthOf(a) - lengthOf(b))) {
    const attempt = attemptFor(count);
    if (!attempt) return undefined;
    attempts.set(count, attempt);
  }
  return counts.map((count) => ({ ...count, attempt: attempts.get(count) as Attempt }));
}

/** Undefined as soon as a count shows that this way to count explains no more than the best so far. */
function explainCounts(
  counts: readonly CountedWindow[],
  models: readonly Model[],
  isMore: (excluded: Exclusion) => boolean,
): Explanation | undefined {
  const accounts: ExplainedWindow[] = [];
  let first: Exclusion | undefined;
  for (const { track, figures } of counts) {
    const { account, excluded } = explainTrack(track, models, figures, isMore);
    accounts.push(account);
    if (excluded && (!first || excluded.observation.exchange.id < first.observation.exchange.id))
      first = excluded;
    if (first && !isMore(first)) return undefined;
  }
  return { accounts, ...(first ? { excluded: first } : {}) };
}
