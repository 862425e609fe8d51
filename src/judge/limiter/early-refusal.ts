import { type Finding, met, notTested, vacuous } from '../../model/finding.ts';
import { type Evidence, idsOf } from '../evidence/check.ts';
import type { Judged } from '../evidence/judged.ts';
import { exclusionOf } from './explanation/exclusion.ts';
import { explain } from './explanation/explain.ts';
import { noRefusal } from './refusals.ts';
import { refusals } from './seen/evidence.ts';

/** No 429 comes while an honest limiter has requests left, by what Remaining and the requests before it show. */
export function judgeEarly(evidence: Evidence): Finding {
  const [refused] = refusals(evidence);
  if (!refused) return noRefusal(evidence);
  const early = exclusionOf(evidence, 'refused');
  if (early) return early;
  const miscounted = exclusionOf(evidence, 'remaining');
  if (miscounted && (refused.exchange.rate.remaining ?? 0) > 0)
    return notTested(
      'contradicted',
      `contradicted: ${miscounted.reason}`,
      'rate-limit.count',
      idsOf([refused]),
    );
  const ids = idsOf([refused]);
  const isBefore = evidence.judged.some(
    ({ exchange }) => exchange.id < refused.exchange.id && exchange.rate.remaining !== undefined,
  );
  if (!isBefore) return vacuous('the key was used up before this run', ids);
  return isOfOtherWindow(evidence, refused)
    ? vacuous('the window that refused it showed no Remaining before', ids)
    : met(ids);
}

/** Whether the headers before a refusal described only other windows than the one that refused the request. */
function isOfOtherWindow(evidence: Evidence, { exchange: refused }: Judged): boolean {
  const { accounts } = explain(evidence);
  const describedBefore = accounts.filter(({ track }) =>
    track.observations.some(({ exchange, remaining }) => remaining !== undefined && exchange.id < refused.id),
  );
  const isRefusing = ({ track }: (typeof accounts)[number]) =>
    track.observations.some(({ exchange, outcome }) => exchange.id === refused.id && outcome === 'refused');
  return accounts.length > 0 && !describedBefore.some(isRefusing);
}
