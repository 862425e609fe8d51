import type { Finding } from '../../model/finding.ts';
import type { Evidence } from '../check.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { judgeResetTime } from './reset-time.ts';

/** Reset is the time at which the window ends: one at which it can, and at which an honest limiter's does. */
export function judgeReset(evidence: Evidence): Finding {
  return exclusionOf(evidence, 'reset') ?? judgeResetTime(evidence);
}
