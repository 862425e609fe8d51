import type { Exchange } from '../../model/exchange.ts';
import { type Finding, met, notTested, violated } from '../../model/finding.ts';
import { DAY_S, MINUTE_S } from '../../model/rate-plan.ts';
import { type Evidence, idsOf, unjudgeable } from '../check.ts';
import { isAnswered, type Judged } from '../judged.ts';
import { isOfOthers } from '../sequence.ts';
import { isOfHeader, isShared, ROUNDING_S, refusals, violatedByExchange } from './evidence.ts';
import { type Account, explain } from './explanation/explain.ts';
import { MODELS } from './explanation/models/index.ts';
import { useByOthers } from './explanation/others.ts';
import { attempt } from './explanation/search/search.ts';
import { possibleUse } from './explanation/unseen.ts';
import { noRefusal } from './refusals.ts';

/** The requirement that a request is let through after the stated time. */
export const RECOVERY = 'rate-limit.recovery';

const GRADUAL = MODELS.filter(({ isGradual }) => isGradual);

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
  const { receivedAt, rate } = refused.exchange;
  // A run waits by itself; others may not.
  const since = isOfOthers(refused) ? receivedAt + ((rate.retryAfter ?? 0) + 1) * 1_000 : receivedAt;
  return judged.filter(({ exchange, probe }) => probe.key === 'valid' && exchange.sentAt > since);
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

/**
 * Whether others may have used up what came back while petspec waited. Where requests come back one by one, a single one is
 * enough, so there others must have been seen before: a key is presumed to be used by nobody else.
 */
function isUsedUpByOthers(evidence: Evidence, { exchange }: Judged, refused: Judged): boolean {
  const { judged, sharedKey } = evidence;
  const exchanges = judged.map((each) => each.exchange);
  const isOwn = ({ address }: Exchange) => address === exchange.address;
  const others = useByOthers(exchanges, isOwn, sharedKey);
  const limit = exchange.rate.limit ?? Number.POSITIVE_INFINITY;
  const earlier = exchanges.filter(({ id }) => id < exchange.id);
  if (possibleUse(earlier, isOwn) === 0 || !isGradual(evidence, exchange)) return others(exchange) >= limit;
  const { receivedAt, rate } = refused.exchange;
  const later = Math.max(0, exchange.receivedAt - receivedAt - (rate.retryAfter ?? 0) * 1_000);
  return others(exchange) >= 1 + (limit * later) / (MINUTE_S * 1_000);
}

/** Whether a limiter that gives back requests one by one may explain everything before an exchange. */
function isGradual(evidence: Evidence, { id, address }: Exchange): boolean {
  const judged = evidence.judged.filter(({ exchange }) => exchange.id < id);
  const { accounts, excluded } = explain({ ...evidence, judged });
  const isOf = ({ track }: Account) =>
    track.window === 'minute' && track.observations.some(({ exchange }) => exchange.address === address);
  const explains = ({ track, figures }: Account) =>
    GRADUAL.some((model) => !attempt(model, figures, track.observations).misfit);
  return !excluded && accounts.filter(isOf).some(explains);
}

function refusedAgain(evidence: Evidence, after: Judged, refused: Judged): Finding {
  if (isShared(evidence, after.exchange) || isUsedUpByOthers(evidence, after, refused))
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
