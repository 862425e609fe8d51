import { type Finding, met, vacuous } from '../../model/finding.ts';
import { type Evidence, idsOf } from '../check.ts';
import { answered, nothingToJudge } from './evidence.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { explain } from './explanation/explain.ts';

/** Remaining is what an honest limiter has left: no other count explains all responses. */
export function judgeCount(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.remaining !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  const excluded = exclusionOf(evidence, 'remaining');
  if (excluded) return excluded;
  const isPresumed = explain(evidence).accounts.some(({ attempt }) => attempt.isPresumed);
  return isPresumed
    ? vacuous('simultaneous requests may have been counted in too many orders to try them all', idsOf(seen))
    : met(idsOf(seen));
}
