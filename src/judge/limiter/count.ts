import type { ExplainedWindow } from '../../limiter/explain-track.ts';
import type { Observation } from '../../limiter/models/model.ts';
import { isSuccess } from '../../model/exchange.ts';
import { type Finding, met, vacuous, violated } from '../../model/finding.ts';
import { type Evidence, idsOf } from '../evidence/check.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { explain } from './explanation/explain.ts';
import { answered, nothingToJudge } from './seen/evidence.ts';

/** Remaining is what an honest limiter has left: no other count explains all responses. */
export function judgeCount(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.remaining !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  const excluded = exclusionOf(evidence, 'remaining');
  if (excluded) return excluded;
  const all = weightOfAll(evidence);
  if (all)
    return violated(
      {
        headers: ['X-RateLimit-Remaining'],
        kind: 'sequence',
        reason: `every request takes ${all.weight} off Remaining, whatever it asks for`,
        expected: 'some request that takes one off: Remaining is the number of requests that are left',
        received: `X-RateLimit-Remaining falls by ${all.weight} with each request`,
        repetition: { kind: 'in-turn', exchanges: all.shownBy },
      },
      all.shownBy,
    );
  const isPresumed = explain(evidence).accounts.some(({ attempt }) => attempt.isPresumed);
  return isPresumed
    ? vacuous('simultaneous requests may have been counted in too many orders to try them all', idsOf(seen))
    : met(idsOf(seen));
}

/** What every request takes off, if that is more than one, and two responses that show it. */
interface WeightOfAll {
  weight: number;
  shownBy: readonly number[];
}

/**
 * The weight of a limiter that counts every request several times: whatever succeeds takes the same number off, and what fails takes
 * as much or nothing. A few dear operations among cheap ones conform, and where only one operation was tried, it may be dear.
 */
function weightOfAll(evidence: Evidence): WeightOfAll | undefined {
  const { accounts, excluded } = explain(evidence);
  // Others who take one before each of ours look the same.
  if (excluded || evidence.sharedKey || accounts.some(({ attempt }) => attempt.isPresumed)) return undefined;
  const told = accounts.map(toldBy);
  for (const [index, own] of told.entries()) {
    const weight = weightIn(own);
    const isByOthers = (each: WeighedRequest[]) => areAlike(each, weight) || fallBy(each, weight);
    if (weight < 2 || !told.every((each, other) => other === index || isByOthers(each))) continue;
    const at = own.findIndex(
      ({ remaining }, later) => (own[later - 1]?.remaining ?? 0) - remaining === weight,
    );
    if (at > 0) return { weight, shownBy: own.slice(at - 1, at + 1).map(({ id }) => id) };
  }
  return undefined;
}

/** A request with the key that was let through: what it took off by the explanation, and what was left. */
interface WeighedRequest {
  id: number;
  operation: string;
  isSuccess: boolean;
  remaining: number;
  weight: number;
}

function toldBy({ attempt: { course, weights } }: ExplainedWindow): WeighedRequest[] {
  return course.flatMap(
    ({ observation: { exchange, outcome, kind, remaining } }: { observation: Observation }) => {
      const weight = weights[kind];
      const isPlain = exchange.key === 'valid' && !exchange.variation && outcome === 'let-through';
      if (!isPlain || remaining === undefined || weight === undefined) return [];
      const { id, operation } = exchange;
      return [{ id, operation, isSuccess: isSuccess(exchange), remaining, weight }];
    },
  );
}

/** What each request of a count takes off, if several operations show it; else 0. */
function weightIn(told: readonly WeighedRequest[]): number {
  const succeeded = told.filter((each) => each.isSuccess);
  const [weight = 0] = succeeded.map((each) => each.weight);
  const isSeveral = new Set(succeeded.map(({ operation }) => operation)).size > 1;
  return isSeveral && areAlike(told, weight) ? weight : 0;
}

function areAlike(told: readonly WeighedRequest[], weight: number): boolean {
  return told.every((each) => each.weight === weight || (each.weight === 0 && !each.isSuccess));
}

/** Whether Remaining itself falls by as much each time: where few requests tell, several weights explain it. */
function fallBy(told: readonly WeighedRequest[], weight: number): boolean {
  return told.every(({ remaining, isSuccess }, index) => {
    const fall = (told[index - 1]?.remaining ?? remaining + weight) - remaining;
    return fall === weight || fall < 0 || (fall === 0 && !isSuccess);
  });
}
