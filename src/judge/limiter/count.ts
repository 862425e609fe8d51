import { type Finding, met } from '../../model/finding.ts';
import { type Evidence, idsOf } from '../check.ts';
import { answered, nothingToJudge } from './evidence.ts';
import { exclusionOf } from './explanation/exclusion.ts';

/** Remaining is what an honest limiter has left: no other count explains all responses. */
export function judgeCount(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.remaining !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  return exclusionOf(evidence, 'remaining') ?? met(idsOf(seen));
}
