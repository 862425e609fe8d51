import { type Finding, met, vacuous, violated } from '../../model/finding.ts';
import { type Evidence, idsOf } from '../evidence/check.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { explain } from './explanation/explain.ts';
import { weightOfAll } from './explanation/weight-of-all.ts';
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
