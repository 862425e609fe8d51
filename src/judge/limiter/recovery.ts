import { CLOCK_SKEW_S } from '../../limiter/observations.ts';
import { headerValue } from '../../model/exchange.ts';
import { type Finding, met, notTested, violated } from '../../model/finding.ts';
import { parseHttpDate } from '../../model/http/http-date.ts';
import { dateOf } from '../../model/limits/rate-limit.ts';
import { DAY_S, secondsToReset, windowOf } from '../../model/limits/rate-plan.ts';
import { type Evidence, idsOf, unjudgeable } from '../evidence/check.ts';
import { isAnswered, isOfOthers, type Judged } from '../evidence/judged.ts';
import { noRefusal } from './refusals.ts';
import {
  isOfHeader,
  isShared,
  operationName,
  ROUNDING_S,
  refusals,
  violatedByExchange,
} from './seen/evidence.ts';

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
  const inMilliseconds = millisecondsToReset(evidence);
  if (inMilliseconds) return inMilliseconds;
  const [after, ...others] = sentAfter(evidence, refused);
  if (!after) return nothingSentAfter(evidence, refused);
  // Of several simultaneous requests, any may be let through.
  const together = others.filter(({ exchange }) => exchange.sentAt <= after.exchange.receivedAt);
  const passed = [after, ...together].find(isAnswered);
  if (passed) return met(idsOf([passed, refused]));
  return after.exchange.response?.status === 429
    ? refusedAgain(evidence, after, refused)
    : unjudgeable(after);
}

/** Requests with the key that were sent after the stated time. Earlier ones may have been in flight when the refusal came. */
function sentAfter({ judged }: Evidence, refused: Judged): Judged[] {
  const { receivedAt, rate } = refused.exchange;
  // A run waits for the rounding, too; other clients may not.
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

/** Whether Retry-After is a date that the clock of the server, which no Date header shows, may not have reached. */
function isDateByUnknownClock({ exchange: refused }: Judged, { exchange: after }: Judged): boolean {
  const { response, receivedAt, rate } = refused;
  const headers = response?.headers ?? [];
  if (dateOf(headers, receivedAt) !== undefined) return false;
  const until = parseHttpDate(headerValue(headers, 'Retry-After') ?? '', receivedAt);
  return until !== undefined && after.sentAt < receivedAt + ((rate.retryAfter ?? 0) + CLOCK_SKEW_S) * 1_000;
}

function refusedAgain(evidence: Evidence, after: Judged, refused: Judged): Finding {
  // The key is presumed to be ours alone, unless a response shows other users.
  if (isShared(evidence, after.exchange))
    return notTested(
      'shared-key',
      'a request was refused again, which other users of the key can explain',
      undefined,
      idsOf([after, refused]),
    );
  if (isDateByUnknownClock(refused, after))
    return notTested(
      'inconclusive',
      'Retry-After is a date by a clock that no Date tells, which may not have reached it',
      undefined,
      idsOf([after, refused]),
    );
  return violated(
    {
      kind: 'sequence',
      reason: `${operationName(after.operation)} got 429 again after the time that Retry-After states`,
      expected: `a request is let through after ${refused.exchange.rate.retryAfter} s, unless others use the key (--shared-key)`,
      received: 'status 429 again',
      repetition: { kind: 'after-refusal' },
      deviating: idsOf([after]),
    },
    idsOf([after, refused]),
  );
}

/**
 * The violation of a Retry-After in milliseconds: as seconds it is far beyond Reset, and as milliseconds it is the time until Reset.
 * A service with two windows may state the wait of the longer window beside the headers of the shorter one. It then refuses while the
 * shorter window has requests left; if both are used up, only chance makes one time a thousandfold of the other.
 */
function millisecondsToReset(evidence: Evidence): Finding | undefined {
  const wrong = refusals(evidence).filter((refusal) => isInMilliseconds(refusal, evidence));
  const [first] = wrong;
  if (!first) return undefined;
  const { retryAfter = 0 } = first.exchange.rate;
  return violated(
    {
      headers: ['Retry-After'],
      kind: 'sequence',
      reason: 'Retry-After is not in seconds; it looks like milliseconds',
      expected: `Retry-After: ${Math.ceil(retryAfter / 1_000)}, as Reset says`,
      received: `Retry-After: ${retryAfter}`,
      repetition: { kind: 'after-refusal' },
    },
    idsOf(wrong),
  );
}

function isInMilliseconds({ exchange }: Judged, { limits }: Evidence): boolean {
  const { rate, response } = exchange;
  const { retryAfter = 0, remaining } = rate;
  const isNumber = /^\d+$/.test(headerValue(response?.headers ?? [], 'Retry-After') ?? '');
  const away = secondsToReset(exchange) ?? 0;
  return (
    isNumber &&
    remaining === 0 &&
    windowOf(exchange, limits) === 'minute' &&
    away > 0 &&
    // Less is no whole second in milliseconds.
    retryAfter >= 1_000 &&
    retryAfter > away + ROUNDING_S &&
    Math.abs(retryAfter / 1_000 - away) <= ROUNDING_S - 1
  );
}
