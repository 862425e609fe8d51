import { max } from 'd3-array';
import { type Exchange, isSuccess } from '../../../model/exchange.ts';
import { type Finding, met, notTested, type Repetition, vacuous, violated } from '../../../model/finding.ts';
import { announcedBurst } from '../../../model/limits/rate-limit.ts';
import { MINUTE_S, secondsToReset } from '../../../model/limits/rate-plan.ts';
import { type Evidence, idsOf } from '../../evidence/check.ts';
import { plainestRead } from '../../evidence/intermittent.ts';
import type { Judged } from '../../evidence/judged.ts';
import { answered, isShared, nothingToJudge } from '../seen/evidence.ts';
import type { ResponsePair } from '../seen/seen.ts';
import { explain } from './explain.ts';

/** The requirement that Remaining is at most Limit. */
const REMAINING = 'rate-limit.remaining';

/** Between responses that are further apart (ms) a window may have ended. */
const MAX_APART_MS = 5_000;

/**
 * Pairs of successive responses of one operation before the first refusal, with no other response at their address in between:
 * Remaining of the second is lower by what its request used up.
 */
function pairs(results: readonly Judged[]): ResponsePair[] {
  const until = results.findIndex(({ exchange }) => exchange.response?.status === 429);
  const before = until < 0 ? results : results.slice(0, until);
  return [...new Set(before.map(({ exchange }) => exchange.address))].flatMap((address) => {
    const inTurn = before.map(({ exchange }) => exchange).filter((exchange) => exchange.address === address);
    inTurn.sort((left, right) => left.receivedAt - right.receivedAt);
    return inTurn.slice(1).flatMap((after, index) => {
      const first = inTurn[index];
      const isPair =
        first?.operation === after.operation &&
        first.rate.limit === after.rate.limit &&
        after.receivedAt - first.receivedAt < MAX_APART_MS &&
        !endsBetween(first, after);
      return first && isPair ? [{ before: first, after }] : [];
    });
  });
}

/** Whether the window of the first response has ended when the second request is sent: then Remaining may rise. */
function endsBetween(before: Exchange, after: Exchange): boolean {
  const seconds = secondsToReset(before);
  return seconds !== undefined && seconds > 0 && after.sentAt - before.receivedAt >= seconds * 1_000;
}

/**
 * Whether a full bucket that rounds Remaining up may hide a fall by the part of a request that came back: in the first pair, and after
 * a pause in which a whole request came back.
 */
function isHidden({ before, after }: ResponsePair, previous: ResponsePair | undefined): boolean {
  const { remaining, limit } = after.rate;
  const msOfOne = (MINUTE_S * 1_000) / Math.max(1, Number(limit));
  const isFull = previous === undefined || before.receivedAt - previous.after.receivedAt >= msOfOne;
  return isFull && Number(remaining) === Number(limit) - 1;
}

/** The last earlier pair of the same operation: each operation may have its own account. */
function lastOfSameOperation(
  { after }: ResponsePair,
  earlier: readonly ResponsePair[],
): ResponsePair | undefined {
  return earlier.findLast((pair) => pair.after.operation === after.operation);
}

/** Requests that show whether Remaining falls: more than any limiter refills in the meantime. */
const ENOUGH = 8;

/** The plainest of these reads, repeated: reads change nothing. */
function repeatedRead(results: readonly Judged[]): { repetition?: Repetition } {
  const plainest = plainestRead(results);
  if (!plainest) return {};
  return { repetition: { kind: 'again', exchange: plainest.exchange.id, times: ENOUGH, shows: 'limits' } };
}

/** Remaining in successive responses. */
interface RemainingCourse {
  /** The responses with a Remaining that Limit allows. */
  seen: readonly Judged[];
  pairs: readonly ResponsePair[];
  /** By how much Remaining changes in each pair. */
  changes: readonly number[];
  limit: number;
  /** Seconds between the responses of the pairs. */
  elapsed: number;
  /** Seconds that the window lasts at least. */
  window: number;
  /** Requests that a limiter may give back in that time. */
  refilled: number;
}

/** No window is shorter (s). */
const SHORTEST_S = 2;

/**
 * The shortest possible window (s), at most a minute. If the limit is full again before each request, the window may be short: any limiter
 * is full after two windows, which is the Reset of a sliding counter.
 */
function shortestWindow(results: readonly Judged[]): number {
  if (results.some(({ exchange: { rate } }) => Number(rate.remaining) < Number(rate.limit) - 1))
    return MINUTE_S;
  const furthest = max(results, ({ exchange }) => secondsToReset(exchange)) ?? 0;
  return Math.min(MINUTE_S, Math.max(SHORTEST_S, furthest / 2));
}

function courseOf(results: readonly Judged[]): RemainingCourse {
  const allPairs = pairs(results);
  const limit = Number(allPairs[0]?.after.rate.limit ?? 0);
  const elapsed =
    allPairs.reduce((sum, { before, after }) => sum + after.receivedAt - before.receivedAt, 0) / 1000;
  const window = shortestWindow(results);
  return {
    seen: results,
    pairs: allPairs,
    window,
    changes: allPairs.map(
      ({ before, after }) => Number(after.rate.remaining) - Number(before.rate.remaining),
    ),
    limit,
    elapsed,
    refilled: (limit * elapsed) / window,
  };
}

/**
 * Remaining falls with use. If requests come faster than any limiter refills, Remaining cannot always stay or rise. In
 * total it rises by at most two windows, the one that ended and the one used before the run, and the refill.
 */
export function judgeFalls(evidence: Evidence): Finding {
  const results = answered(evidence).filter(({ exchange }) => exchange.rate.remaining !== undefined);
  if (results.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  // A Remaining above Limit violates another requirement.
  const withinLimit = results.filter(
    ({ exchange: { rate } }) => Number(rate.remaining) <= (rate.limit ?? Number.POSITIVE_INFINITY),
  );
  if (withinLimit.length === 0)
    return notTested('blocked', 'cannot be judged: Remaining is above Limit', REMAINING, idsOf(results));
  const course = courseOf(withUsedAddresses(withinLimit));
  const { changes, limit, refilled } = course;
  if (!changes.some((change) => change < 0)) return judgeWithoutFall(evidence, course);
  // Responses to simultaneous requests may arrive in a different order than they were counted.
  const disorder = course.pairs.reduce((sum, { after }) => sum + after.inFlight - 1, 0);
  const rises = changes.filter((change) => change > 0).reduce((sum, change) => sum + change, 0);
  if (rises > 2 * limit + refilled + disorder)
    return violatedBy(course, 'Remaining rises and falls without a reason');
  return met(idsOf(withinLimit));
}

/** Leaves out an address at which Remaining always equals Limit, unless it does at both: the limit may cover only the other one. */
function withUsedAddresses(results: readonly Judged[]): readonly Judged[] {
  const isUsed = ({ exchange: { rate } }: Judged) => rate.remaining !== rate.limit;
  const addresses = new Set(results.filter(isUsed).map(({ exchange }) => exchange.address));
  return addresses.size === 0 ? results : results.filter(({ exchange }) => addresses.has(exchange.address));
}

/** Remaining falls in no pair: that is wrong, unless something else explains it. */
function judgeWithoutFall(evidence: Evidence, course: RemainingCourse): Finding {
  const { seen, pairs: allPairs, changes, elapsed, refilled, limit, window } = course;
  // A client error may count for nothing.
  const successes = allPairs.filter(({ after }) => isSuccess(after));
  // An announced burst is let through while nothing is left.
  const fromNone = successes.filter(({ before }) => before.rate.remaining === 0);
  const isBurst = fromNone.length <= announcedBurst(seen.map(({ exchange }) => exchange));
  const counted = isBurst ? successes.filter((pair) => !fromNone.includes(pair)) : successes;
  const hidden = counted.filter((pair, index) =>
    isHidden(pair, lastOfSameOperation(pair, counted.slice(0, index))),
  ).length;
  const isEnough = counted.length >= 3 && refilled + hidden < counted.length / 2;
  if (!isEnough && !stretchesOf(counted).some((stretch) => mustFall(stretch, limit / window)))
    return vacuous('too few requests, too far apart, to see Remaining fall', idsOf(seen));
  // The limit may cover only an operation that got no two requests in a row.
  // A limit that no request lowered may cover only the other address.
  const isUnused = seen.every(({ exchange: { rate } }) => rate.remaining === rate.limit);
  const unseen = evidence.contract.operations.find(
    ({ id, address }) =>
      (isUnused || address === 'baseUrl') && !allPairs.some(({ after }) => after.operation === id),
  );
  if (unseen)
    return vacuous(
      `Remaining falls on no operation that got two requests in a row; ${unseen.id} did not`,
      idsOf(seen),
    );
  const { accounts } = explain(evidence);
  const isDelayed = accounts.some(({ attempt: { model, misfit } }) => model.isDelayed && !misfit);
  // What others use may explain the rest, so that no delay is needed.
  const isStill = changes.every((change) => change === 0) && elapsed < 1;
  if (isDelayed || (isStill && isShared(evidence)))
    return vacuous('Remaining may be older than the time in which the requests were sent', idsOf(seen));
  const isRising = changes.some((change) => change > 0);
  return violatedBy(course, isRising ? 'Remaining rises with use' : 'Remaining never falls');
}

/** The pairs in stretches, in which no other request was sent between two pairs. */
function stretchesOf(allPairs: readonly ResponsePair[]): ResponsePair[][] {
  const stretches: ResponsePair[][] = [];
  for (const pair of allPairs) {
    const last = stretches.at(-1);
    if (last?.at(-1)?.after === pair.before) last.push(pair);
    else stretches.push([pair]);
  }
  return stretches;
}

/**
 * Whether Remaining has to fall in a stretch: more requests are sent than come back, and a part of one may be hidden.
 * @param perSecond the most requests that come back in a second
 */
function mustFall(stretch: readonly ResponsePair[], perSecond: number): boolean {
  const [first, last] = [stretch[0], stretch.at(-1)];
  const seconds = first && last ? (last.after.receivedAt - first.before.receivedAt) / 1000 : 0;
  return stretch.length >= 3 && perSecond * seconds + 1 < stretch.length / 2;
}

function violatedBy({ seen, pairs: allPairs }: RemainingCourse, reason: string): Finding {
  const figures = [...new Set(allPairs.map(({ after }) => after.rate.remaining))].slice(0, 8).join(', ');
  return violated(
    {
      headers: ['X-RateLimit-Remaining'],
      kind: 'sequence',
      reason,
      expected: 'a figure that falls with each request',
      received: `X-RateLimit-Remaining: ${figures} over ${allPairs.length + 1} requests`,
      ...repeatedRead(seen.filter(({ exchange }) => allPairs.some(({ after }) => after === exchange))),
    },
    allPairs.map(({ after }) => after.id),
  );
}
