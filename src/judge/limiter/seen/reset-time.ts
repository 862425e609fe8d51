import { CLOCK_SKEW_S } from '../../../limiter/observations.ts';
import { type Exchange, headerValue } from '../../../model/exchange.ts';
import { type Finding, met, violated } from '../../../model/finding.ts';
import { DAY_S, secondsToReset } from '../../../model/rate-plan.ts';
import { type Evidence, idsOf } from '../../evidence/check.ts';
import type { Judged } from '../../evidence/judged.ts';
import { answered, answeredWithAnyKey, nothingToJudge, ROUNDING_S, receivedHeader } from './evidence.ts';

/** Seconds from a response until its Reset, by some clock. */
type SecondsToReset = (exchange: Exchange) => number;

/** Reset is a time that a window can end at: a Unix timestamp in seconds, not in the past, and no further away than its window lasts. */
export function judgeResetTime(evidence: Evidence): Finding {
  const wrongBy =
    (secondsTo: SecondsToReset) =>
    ({ exchange, probe }: Judged) =>
      probe.key === 'valid' ? resetProblem(exchange, secondsTo(exchange)) : unitProblem(exchange);
  const withAnyKey = answeredWithAnyKey(evidence).filter(({ exchange }) => exchange.rate.reset !== undefined);
  // A proxy may write Date by a clock of its own: then all are right by ours.
  const wrongByOurs = wrongBy(({ rate: { reset = 0 }, receivedAt }) => reset - receivedAt / 1_000);
  const isWrongByOurs = withAnyKey.some((each) => wrongByOurs(each) !== undefined);
  const wrongIn = wrongBy((exchange) => secondsToReset(exchange) ?? 0);
  for (const judged of withAnyKey) {
    const wrong = isWrongByOurs ? wrongIn(judged) : undefined;
    if (wrong === undefined) continue;
    const all = withAnyKey.filter((each) => wrongIn(each) !== undefined);
    return violated(
      {
        headers: ['X-RateLimit-Reset'],
        kind: 'sequence',
        reason: wrong,
        expected: 'the Unix timestamp, in seconds, of the end of the window',
        received: receivedHeader(judged.exchange, 'X-RateLimit-Reset'),
      },
      idsOf(all),
    );
  }
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.reset !== undefined);
  return seen.length === 0 ? nothingToJudge(evidence, 'X-RateLimit-Reset') : met(idsOf(seen));
}

/** Why a Reset cannot be a time in seconds. With a key that is refused, 0 may mean that nothing is counted. */
function unitProblem({ rate: { reset = 0 } }: Exchange): string | undefined {
  if (reset >= 1e14) return 'Reset is not in seconds; it looks like microseconds or nanoseconds';
  if (reset >= 1e11) return 'Reset is not in seconds; it looks like milliseconds';
  if (reset !== 0 && reset <= DAY_S)
    return 'Reset is not a Unix timestamp; it looks like the seconds until the reset';
  return undefined;
}

/** Why a Reset of a request with the key is wrong. @param away seconds from the response until Reset */
function resetProblem(exchange: Exchange, away: number): string | undefined {
  const hasDate = headerValue(exchange.response?.headers ?? [], 'Date') !== undefined;
  // Reset may be computed when the request arrives, and Date when the response leaves.
  const duration = (exchange.receivedAt - exchange.sentAt) / 1000;
  const tolerance = ROUNDING_S + duration + (hasDate ? 0 : CLOCK_SKEW_S);
  const unit = unitProblem(exchange);
  if (unit !== undefined) return unit;
  if (away < -tolerance) return 'Reset is in the past';
  // A sliding counter also weighs the previous window, so it takes two windows to be full again.
  const length = 2 * DAY_S;
  return away > length + tolerance
    ? `Reset is ${Math.round(away)} s away, though the window lasts ${length} s`
    : undefined;
}
