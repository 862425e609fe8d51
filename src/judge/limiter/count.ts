import { pairs } from 'd3-array';
import type { ExplainedWindow } from '../../limiter/explain-track.ts';
import type { Observation } from '../../limiter/models/model.ts';
import { isSuccess } from '../../model/exchange.ts';
import { type Finding, met, vacuous, violated } from '../../model/finding.ts';
import { type Evidence, idsOf } from '../evidence/check.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { explain } from './explanation/explain.ts';
import { answered, nothingToJudge } from './seen/evidence.ts';

/** Remaining is what an honest limiter has left, which has to explain all responses. */
export function judgeCount(evidence: Evidence): Finding {
  const results = answered(evidence).filter(({ exchange }) => exchange.rate.remaining !== undefined);
  if (results.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  const ids = idsOf(results);
  const excluded = exclusionOf(evidence, 'remaining');
  if (excluded) return excluded;
  const shownWeight = weightOfAll(evidence);
  if (shownWeight)
    return violated(
      {
        headers: ['X-RateLimit-Remaining'],
        kind: 'sequence',
        reason: `every request takes ${shownWeight.weight} off Remaining, whatever it asks for`,
        expected: 'some request that takes one off: Remaining is the number of requests that are left',
        received: `X-RateLimit-Remaining falls by ${shownWeight.weight} with each request`,
        repetition: { kind: 'in-turn', exchanges: shownWeight.shownBy },
      },
      shownWeight.shownBy,
    );
  const isPresumed = explain(evidence).accounts.some(({ attempt }) => attempt.isPresumed);
  return isPresumed
    ? vacuous('simultaneous requests may have been counted in too many orders to try them all', ids)
    : met(ids);
}

/** By how much every request lowers Remaining, if by more than 1, and the exchanges that show it of two operations. */
interface WeightOfAll {
  weight: number;
  shownBy: readonly number[];
}

/**
 * The weight of a limiter that counts every request several times: each success lowers Remaining by the same number, and each failure
 * by that number or 0. Some operations may cost more than others, so a single operation does not show it.
 */
function weightOfAll(evidence: Evidence): WeightOfAll | undefined {
  const { accounts, excluded } = explain(evidence);
  // Other users who send a request before each of ours look the same.
  if (excluded || evidence.sharedKey || accounts.some(({ attempt }) => attempt.isPresumed)) return undefined;
  const byAccount = accounts.map(weighedRequests);
  for (const [index, requests] of byAccount.entries()) {
    const weight = commonWeight(requests);
    const isByOthers = (others: WeighedRequest[]) =>
      haveWeight(others, weight) || fallsByWeight(others, weight);
    if (weight < 2 || fallsByLess(requests, weight)) continue;
    if (!byAccount.every((others, place) => place === index || isByOthers(others))) continue;
    const falls = fallsBy(requests, weight);
    const [first] = falls;
    const other = falls.find(([, { operation }]) => operation !== first?.[1].operation);
    if (first && other) return { weight, shownBy: [...new Set([...first, ...other].map(({ id }) => id))] };
  }
  return undefined;
}

/** A request with the key that was let through: its cost by the explanation, and its Remaining. */
interface WeighedRequest {
  id: number;
  /** Its place among all requests that the account explains. */
  place: number;
  operation: string;
  isSuccess: boolean;
  remaining: number;
  weight: number;
}

function weighedRequests({ attempt: { course, weights } }: ExplainedWindow): WeighedRequest[] {
  return course.flatMap(
    ({ observation: { exchange, outcome, kind, remaining } }: { observation: Observation }, place) => {
      const weight = weights[kind];
      const isPlain = exchange.key === 'valid' && !exchange.variation && outcome === 'let-through';
      if (!isPlain || remaining === undefined || weight === undefined) return [];
      const { id, operation } = exchange;
      return [{ id, place, operation, isSuccess: isSuccess(exchange), remaining, weight }];
    },
  );
}

/** What each request of an account costs; 0 if they differ. */
function commonWeight(requests: readonly WeighedRequest[]): number {
  const weight = requests.find(({ isSuccess }) => isSuccess)?.weight ?? 0;
  return haveWeight(requests, weight) ? weight : 0;
}

/**
 * Successive requests between which Remaining falls by this weight. A wrong key between two of them may have counted as well, and one that
 * leaves nothing may cost more than was left.
 */
function fallsBy(requests: readonly WeighedRequest[], weight: number): [WeighedRequest, WeighedRequest][] {
  return pairs(requests).filter(
    ([before, next]) =>
      next.place === before.place + 1 && next.remaining > 0 && before.remaining - next.remaining === weight,
  );
}

function haveWeight(requests: readonly WeighedRequest[], weight: number): boolean {
  return requests.every(
    (request) => request.weight === weight || (request.weight === 0 && !request.isSuccess),
  );
}

/** Whether Remaining falls by less than this weight: then requests that come back meanwhile may only seem to cost that much. */
function fallsByLess(requests: readonly WeighedRequest[], weight: number): boolean {
  return requests.some(({ remaining }, index) => {
    const fall = (requests[index - 1]?.remaining ?? remaining) - remaining;
    return fall > 0 && fall < weight;
  });
}

/** Whether Remaining falls by this weight each time: several weights may explain a few requests. A single one shows no fall. */
function fallsByWeight(requests: readonly WeighedRequest[], weight: number): boolean {
  return (
    requests.length > 1 &&
    pairs(requests).every(([before, { remaining, isSuccess }]) => {
      const fall = before.remaining - remaining;
      return fall === weight || fall < 0 || (fall === 0 && !isSuccess);
    })
  );
}
