import { max } from 'd3-array';
import { type Exchange, isSuccess } from '../../../model/exchange.ts';
import { type Finding, met, notTested, type Repetition, vacuous, violated } from '../../../model/finding.ts';
import { MINUTE_S, secondsToReset } from '../../../model/rate-plan.ts';
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
 * Successive responses of the same operation before the first refusal, with no other of these responses between them at their
 * address: Remaining of the second is lower by what it used up.
 */
function pairs(seen: readonly Judged[]): ResponsePair[] {
  const until = seen.findIndex(({ exchange }) => exchange.response?.status === 429);
  const before = until < 0 ? seen : seen.slice(0, until);
  return [...new Set(before.map(({ exchange }) => exchange.address))].flatMap((address) => {
    const inTurn = before.map(({ exchange }) => exchange).filter((each) => each.address === address);
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

/** Whether the window that one response tells of has ended when the next request is sent: then Remaining may rise. */
function endsBetween(before: Exchange, after: Exchange): boolean {
  const left = secondsToReset(before);
  return left !== undefined && left > 0 && after.sentAt - before.receivedAt >= left * 1_000;
}

/**
 * Whether the part of a request that a full bucket gets back may hide a fall, if Remaining is rounded up: the first one, and
 * one before which a whole request came back.
 */
function isHidden({ before, after }: ResponsePair, previous: ResponsePair | undefined): boolean {
  const { remaining, limit } = after.rate;
  const msOfOne = (MINUTE_S * 1_000) / Math.max(1, Number(limit));
  const isFull = previous === undefined || before.receivedAt - previous.after.receivedAt >= msOfOne;
  return isFull && Number(remaining) === Number(limit) - 1;
}

/** The last of these pairs that has the operation of another pair: each operation may have a count of its own. */
function ofSameOperation(
  { after }: ResponsePair,
  earlier: readonly ResponsePair[],
): ResponsePair | undefined {
  return earlier.findLast((each) => each.after.operation === after.operation);
}

/** Requests that show whether Remaining falls: more than any limiter refills in the meantime. */
const ENOUGH = 8;

/** The plainest of these reads, repeated: reads change nothing. */
function repeatedRead(seen: readonly Judged[]): { repetition?: Repetition } {
  const plainest = plainestRead(seen);
  if (!plainest) return {};
  return { repetition: { kind: 'again', exchange: plainest.exchange.id, times: ENOUGH, shows: 'limits' } };
}

/** What successive responses say of Remaining. */
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
 * How long a window lasts at least (s), and a minute at most. Where all are back before each request, it may be short: at the latest, all are
 * back after two windows, which is the Reset of a sliding counter.
 */
function shortestWindow(seen: readonly Judged[]): number {
  if (seen.some(({ exchange: { rate } }) => Number(rate.remaining) < Number(rate.limit) - 1)) return MINUTE_S;
  const furthest = max(seen, ({ exchange }) => secondsToReset(exchange)) ?? 0;
  return Math.min(MINUTE_S, Math.max(SHORTEST_S, furthest / 2));
}

function courseOf(seen: readonly Judged[]): RemainingCourse {
  const all = pairs(seen);
  const limit = Number(all[0]?.after.rate.limit ?? 0);
  const elapsed =
    all.reduce((sum, { before, after }) => sum + after.receivedAt - before.receivedAt, 0) / 1000;
  const window = shortestWindow(seen);
  return {
    seen,
    pairs: all,
    window,
    changes: all.map(({ before, after }) => Number(after.rate.remaining) - Number(before.rate.remaining)),
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
  const told = answered(evidence).filter(({ exchange }) => exchange.rate.remaining !== undefined);
  if (told.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  // One that is above Limit has a requirement of its own.
  const seen = told.filter(
    ({ exchange: { rate } }) => Number(rate.remaining) <= (rate.limit ?? Number.POSITIVE_INFINITY),
  );
  if (seen.length === 0)
    return notTested('blocked', 'cannot be judged: Remaining is above Limit', REMAINING, idsOf(told));
  const course = courseOf(usedOf(seen));
  const { changes, limit, refilled } = course;
  if (!changes.some((change) => change < 0)) return judgeWithoutFall(evidence, course);
  // Responses to simultaneous requests may arrive in a different order than they were counted.
  const disorder = course.pairs.reduce((sum, { after }) => sum + after.inFlight - 1, 0);
  const rises = changes.filter((change) => change > 0).reduce((sum, change) => sum + change, 0);
  if (rises > 2 * limit + refilled + disorder)
    return violatedBy(course, 'Remaining rises and falls without a reason');
  return met(idsOf(seen));
}

/** Without an address at which all of the limit is always left, if another one differs: the limit may cover that one alone. */
function usedOf(seen: readonly Judged[]): readonly Judged[] {
  const isUsed = ({ exchange: { rate } }: Judged) => rate.remaining !== rate.limit;
  const addresses = new Set(seen.filter(isUsed).map(({ exchange }) => exchange.address));
  return addresses.size === 0 ? seen : seen.filter(({ exchange }) => addresses.has(exchange.address));
}

/** Remaining falls in no pair: that is wrong, unless something else explains it. */
function judgeWithoutFall(evidence: Evidence, course: RemainingCourse): Finding {
  const { seen, pairs: all, changes, elapsed, refilled, limit, window } = course;
  // A client error may count for nothing.
  const counted = all.filter(({ after }) => isSuccess(after));
  const hidden = counted.filter((each, index) =>
    isHidden(each, ofSameOperation(each, counted.slice(0, index))),
  ).length;
  const isEnough = counted.length >= 3 && refilled + hidden < counted.length / 2;
  if (!isEnough && !stretchesOf(counted).some((each) => isTelling(each, limit / window)))
    return vacuous('too few requests, too far apart, to see Remaining fall', idsOf(seen));
  // The limit may cover only an operation that got no two requests in a row.
  // One that nothing here uses may cover the other address alone.
  const isUnused = seen.every(({ exchange: { rate } }) => rate.remaining === rate.limit);
  const unseen = evidence.contract.operations.find(
    ({ id, address }) =>
      (isUnused || address === 'baseUrl') && !all.some(({ after }) => after.operation === id),
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

/** The pairs in rows in which nothing else was sent between two of them. */
function stretchesOf(all: readonly ResponsePair[]): ResponsePair[][] {
  const stretches: ResponsePair[][] = [];
  for (const pair of all) {
    const last = stretches.at(-1);
    if (last?.at(-1)?.after === pair.before) last.push(pair);
    else stretches.push([pair]);
  }
  return stretches;
}

/**
 * Whether Remaining has to fall in a row of pairs: more are sent than come back, with the part of one that may be hidden.
 * @param perSecond how many come back in a second at most
 */
function isTelling(stretch: readonly ResponsePair[], perSecond: number): boolean {
  const [first, last] = [stretch[0], stretch.at(-1)];
  const seconds = first && last ? (last.after.receivedAt - first.before.receivedAt) / 1000 : 0;
  return stretch.length >= 3 && perSecond * seconds + 1 < stretch.length / 2;
}

function violatedBy({ seen, pairs: all }: RemainingCourse, reason: string): Finding {
  const shown = [...new Set(all.map(({ after }) => after.rate.remaining))].slice(0, 8).join(', ');
  return violated(
    {
      headers: ['X-RateLimit-Remaining'],
      kind: 'sequence',
      reason,
      expected: 'a figure that falls with each request',
      received: `X-RateLimit-Remaining: ${shown} over ${all.length + 1} requests`,
      ...repeatedRead(seen.filter(({ exchange }) => all.some(({ after }) => after === exchange))),
    },
    all.map(({ after }) => after.id),
  );
}
