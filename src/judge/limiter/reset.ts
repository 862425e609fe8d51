import type { Finding } from '../../model/finding.ts';
import type { Evidence } from '../evidence/check.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { judgeResetNow } from './reset-now.ts';
import { judgeResetTime } from './seen/reset-time.ts';

/** Reset is the time at which the window ends: one at which it can, and at which an honest limiter's does. */
export function judgeReset(evidence: Evidence): Finding {
  const excluded = exclusionOf(evidence, 'reset');
  if (excluded) return excluded;
  const byTime = judgeResetTime(evidence);
  return byTime.status === 'met' ? (judgeResetNow(evidence) ?? byTime) : byTime;
}
