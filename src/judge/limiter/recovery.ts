import { type Finding, met, notTested, violated } from '../../model/finding.ts';
import { DAY_S } from '../../model/rate-plan.ts';
import { type Evidence, idsOf, unjudgeable } from '../check.ts';
import { isAnswered, type Judged } from '../judged.ts';
import { isOfHeader, isShared, ROUNDING_S, refusals, violatedByExchange } from './evidence.ts';
import { useByOthers } from './explanation/others.ts';
import { noRefusal } from './refusals.ts';

/** The requirement that a request is let through after the stated time. */
export const RECOVERY = 'rate-limit.recovery';

/** After the stated time, plus a second for its rounding, the next request is let through. */
export function judgeRecovery(evidence: Evidence): Finding {
  const owned = violatedByExchange(evidence, RECOVERY, 1);
  if (owned) return owned;
  const [refused] = refusals(evidence);
  if (!refused) return noRefusal(evidence);
  const { retryAfter } = refused.exchange.rate;
  if (retryAfter !== undefined && retryAfter > 2 * DAY_S + ROUNDING_S)
    return violated(
      {
        headers: ['Retry-After'],
        kind: 'sequence',
        reason: 'Retry-After asks for a longer wait than any window lasts',
        expected: 'at most two days',
        received: `Retry-After: ${retryAfter} s`,
      },
      idsOf([refused]),
    );
  const [after, ...others] = sentAfter(evidence, refused);
  if (!after) return nothingSentAfter(evidence, refused);
  // Of several sent together, any may be the one that is let through.
  const together = others.filter(({ exchange }) => exchange.sentAt <= after.exchange.receivedAt);
  const passed = [after, ...together].find(isAnswered);
  if (passed) return met(idsOf([passed, refused]));
  return after.exchange.response?.status === 429
    ? refusedAgain(evidence, after, refused)
    : unjudgeable(after);
}

/** Requests with the key that were sent after the refusal came back. */
function sentAfter({ judged }: Evidence, refused: Judged): Judged[] {
  return judged.filter(
    ({ exchange, probe }) => probe.key === 'valid' && exchange.sentAt > refused.exchange.receivedAt,
  );
}

function nothingSentAfter(evidence: Evidence, refused: Judged): Finding {
  const stated = refused.deviations.find(({ requirement }) => isOfHeader(requirement, 'Retry-After'));
  const stages = new Map(evidence.probes.map(({ id, stage }) => [id, stage]));
  const missing = evidence.unsent.find(({ probe }) => stages.get(probe) === 'recover');
  return notTested(
    missing ? missing.kind : 'not-planned',
    missing?.reason ?? 'nothing was sent after the 429',
    stated?.requirement,
    idsOf([refused]),
  );
}

/** Whether others may have used up the limit while petspec waited, unseen until then. */
function isUsedUpByOthers({ judged, sharedKey }: Evidence, { exchange }: Judged): boolean {
  const exchanges = judged.map((each) => each.exchange);
  const others = useByOthers(exchanges, ({ address }) => address === exchange.address, sharedKey);
  return others(exchange) >= (exchange.rate.limit ?? Number.POSITIVE_INFINITY);
}

function refusedAgain(evidence: Evidence, after: Judged, refused: Judged): Finding {
  if (isShared(evidence, after.exchange) || isUsedUpByOthers(evidence, after))
    return notTested(
      'shared-key',
      'a request was refused again, which other users of the key can explain',
      undefined,
      idsOf([after, refused]),
    );
  return violated(
    {
      kind: 'sequence',
      reason: 'still refused after the time that Retry-After states',
      expected: `a request is let through after ${refused.exchange.rate.retryAfter} s`,
      received: 'status 429 again',
      repetition: { kind: 'after-refusal' },
    },
    idsOf([after, refused]),
  );
}
