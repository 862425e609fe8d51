import { type Finding, met, vacuous } from '../../model/finding.ts';
import { type Evidence, idsOf } from '../check.ts';
import { refusals } from './evidence.ts';
import { exclusionOf } from './exclusion.ts';
import { noRefusal } from './refusals.ts';

/** No 429 comes while an honest limiter has requests left, by what Remaining and the requests before it show. */
export function judgeEarly(evidence: Evidence): Finding {
  const [refused] = refusals(evidence);
  if (!refused) return noRefusal(evidence);
  const early = exclusionOf(evidence, 'refused');
  if (early) return early;
  const ids = idsOf([refused]);
  const isBefore = evidence.judged.some(
    ({ exchange }) => exchange.id < refused.exchange.id && exchange.rate.remaining !== undefined,
  );
  return isBefore ? met(ids) : vacuous('the key was used up before this run', ids);
}
