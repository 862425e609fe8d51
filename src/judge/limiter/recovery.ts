import { type Exchange, headerValue } from '../../model/exchange.ts';
import { type Finding, met, notTested, violated } from '../../model/finding.ts';
import { parseHttpDate } from '../../model/http/http-date.ts';
import { dateOf } from '../../model/rate-limit.ts';
import { DAY_S } from '../../model/rate-plan.ts';
import { type Evidence, idsOf, unjudgeable } from '../check.ts';
import { isAnswered, type Judged } from '../judged.ts';
import { isOfOthers } from '../sequence.ts';
import { isOfHeader, isShared, ROUNDING_S, refusals, violatedByExchange } from './evidence.ts';
import { type Count, countsIn, PARTITIONS } from './explanation/counts.ts';
import { MODELS } from './explanation/models/index.ts';
import { type Figures, isMisfit, type Observation } from './explanation/models/model.ts';
import type { Span } from './explanation/models/span.ts';
import { possible } from './explanation/nearest.ts';
import { CLOCK_SKEW_S } from './explanation/observations.ts';
import { useByOthers } from './explanation/others.ts';
import { type Attempt, attempt } from './explanation/search/search.ts';
import { noRefusal } from './refusals.ts';

/** The requirement that a request is let through after the stated time. */
export const RECOVERY = 'rate-limit.recovery';

const AT_ONCE = MODELS.filter(({ isGradual }) => !isGradual);
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

/** Requests with the key that were sent after the stated time. Others may have been on their way when the refusal came. */
function sentAfter({ judged }: Evidence, refused: Judged): Judged[] {
  const { receivedAt, rate } = refused.exchange;
  // A run waits for the rounding, too; others may not.
  const rounding = isOfOthers(refused) ? 1 : 0;
  const since = receivedAt + ((rate.retryAfter ?? 0) + rounding) * 1_000;
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
 * Whether others may have used up what came back while petspec waited, unseen until then. Where requests come back one by
 * one, a few are enough.
 */
function isUsedUpByOthers(evidence: Evidence, { exchange }: Judged): boolean {
  const { judged, sharedKey } = evidence;
  const exchanges = judged.map((each) => each.exchange);
  const isOwn = ({ address }: Exchange) => address === exchange.address;
  const others = useByOthers(exchanges, isOwn, sharedKey)(exchange);
  const limit = exchange.rate.limit ?? Number.POSITIVE_INFINITY;
  return others >= limit || (others > 0 && cameBack(evidence, exchange).some((each) => others >= each));
}

/**
 * How many requests may have come back by then, by each limiter that gives them back one by one and explains everything
 * before. One by which none had come back says itself that Retry-After was too short.
 */
function cameBack(evidence: Evidence, exchange: Exchange): number[] {
  const judged = evidence.judged.filter(({ exchange: { id } }) => id <= exchange.id);
  const counts = PARTITIONS.flatMap(countsIn({ ...evidence, judged })).filter(
    ({ track: { window, observations }, figures }) =>
      window === 'minute' && observations.at(-1)?.exchange === exchange && isNextSoon(exchange, figures),
  );
  // A window that is still closed needs nobody else.
  if (
    counts.some((count) => {
      const last = alone(count);
      return possible(AT_ONCE, last).some((model) => isExplained(attempt(model, count.figures, last)));
    })
  )
    return [];
  const attempts = counts.flatMap(({ track: { observations }, figures }) =>
    possible(MODELS, observations).map((model) => attempt(model, figures, observations.slice(0, -1))),
  );
  const isUndecided = !attempts.some(isExplained) && attempts.some(({ isPresumed }) => isPresumed);
  if (isUndecided) return [1];
  return counts.flatMap(({ track: { observations }, figures }) =>
    possible(GRADUAL, observations).flatMap((model) => {
      const lefts = leftBeforeLast(observations, attempt(model, figures, observations.slice(0, -1)));
      const isLeft = lefts.some(({ hi }) => hi >= 1);
      return isLeft ? Math.max(1, Math.floor(Math.min(...lefts.map(({ lo }) => lo)))) : [];
    }),
  );
}

/** The observations if nobody else used the key before the last one. */
function alone({ track: { observations } }: Count): Observation[] {
  return observations.map((each, index) =>
    index === observations.length - 1 ? { ...each, others: 0 } : each,
  );
}

/** Whether a refusal says that another request comes back soon, as it would if others took one that came back. */
function isNextSoon({ rate: { remaining = 0, retryAfter = 0 } }: Exchange, figures: Figures): boolean {
  const oneMs = figures.windowMs / figures.limit;
  return remaining <= 1 && (retryAfter - ROUNDING_S) * 1_000 <= oneMs;
}

function isExplained({ misfit, isPresumed }: Attempt): boolean {
  return misfit === undefined && !isPresumed;
}

/** What a limiter has left before the last request if nobody else uses it, by what explains all before. */
function leftBeforeLast(observations: readonly Observation[], attempt: Attempt): Span[] {
  const last = observations.at(-1);
  const state = isExplained(attempt) ? attempt.course.at(-1)?.state : undefined;
  if (!last || !state) return [];
  const { exchange, at, kind, held, beside } = last;
  const states = state.follow({ exchange, at, kind, held, beside, others: 0, outcome: 'unknown' }, 0);
  return isMisfit(states) ? [] : states.map(({ left }) => left);
}

/** Whether a refusal asks to wait until a date, and the clock of the server, which no Date tells, may not have reached it. */
function isByUnknownClock({ exchange: refused }: Judged, { exchange: after }: Judged): boolean {
  const { response, receivedAt, rate } = refused;
  const headers = response?.headers ?? [];
  if (dateOf(headers, receivedAt) !== undefined) return false;
  const until = parseHttpDate(headerValue(headers, 'Retry-After') ?? '', receivedAt);
  return until !== undefined && after.sentAt < receivedAt + ((rate.retryAfter ?? 0) + CLOCK_SKEW_S) * 1_000;
}

function refusedAgain(evidence: Evidence, after: Judged, refused: Judged): Finding {
  if (isShared(evidence, after.exchange) || isUsedUpByOthers(evidence, after))
    return notTested(
      'shared-key',
      'a request was refused again, which other users of the key can explain',
      undefined,
      idsOf([after, refused]),
    );
  if (isByUnknownClock(refused, after))
    return notTested(
      'inconclusive',
      'Retry-After is a date by a clock that no Date tells, which may not have reached it',
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
