import { upgradeOf } from '../../../limiter/counts.ts';
import { CLOCK_SKEW_S } from '../../../limiter/observations.ts';
import { type Exchange, headerValue } from '../../../model/exchange.ts';
import { type Finding, met, notTested, vacuous, violated } from '../../../model/finding.ts';
import { DAY_S, secondsToReset, windowOf } from '../../../model/limits/rate-plan.ts';
import { type Evidence, idsOf } from '../../evidence/check.ts';
import type { Judged } from '../../evidence/judged.ts';
import { answered, answeredWithAnyKey, nothingToJudge, ROUNDING_S, receivedHeader } from './evidence.ts';

/** The name of a plan if only its limits are stated. */
export const CUSTOM_PLAN = 'custom';

/** Remaining is never above Limit, with any key. */
export function judgeRemaining(evidence: Evidence): Finding {
  const results = answeredWithAnyKey(evidence).filter(
    ({ exchange: { rate } }) => rate.limit !== undefined && rate.remaining !== undefined,
  );
  const above = results.filter(({ exchange: { rate } }) => Number(rate.remaining) > Number(rate.limit));
  const [first] = above;
  if (!first)
    return results.length > 0
      ? met(idsOf(results))
      : nothingToJudge(evidence, 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  return violated(
    {
      headers: ['X-RateLimit-Remaining'],
      kind: 'sequence',
      reason: 'Remaining is above Limit',
      expected: `at most ${first.exchange.rate.limit}`,
      received: receivedHeader(first.exchange, 'X-RateLimit-Remaining'),
    },
    idsOf(above),
  );
}

/**
 * Limit stays the same on each operation. Different operations may have different limits, as the interface does not say
 * which ones a plan covers, and a service may report the minute on one and the day on another.
 */
export function judgeConstant(evidence: Evidence): Finding {
  const results = answered(evidence).filter(({ exchange }) => exchange.rate.limit !== undefined);
  if (results.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Limit');
  for (const id of new Set(results.map(({ operation }) => operation.id))) {
    const ofOperation = results.filter(({ operation }) => operation.id === id);
    const values = [...new Set(ofOperation.map(({ exchange }) => Number(exchange.rate.limit)))];
    if (values.length === 1 || areOfOnePlan(evidence, values) || areTwoWindows(ofOperation, values)) continue;
    if (
      upgradeOf(
        ofOperation.map(({ exchange }) => exchange),
        evidence.contract.ratePlans,
      )
    )
      continue;
    const changed = ofOperation.filter(({ exchange }) => exchange.rate.limit !== values[0]);
    const received = `X-RateLimit-Limit: ${values.slice(1, 6).join(', ')}`;
    const pair = [...ofOperation.slice(0, 1), ...changed.slice(0, 1)];
    // A change at the limit shows again by using it up.
    const isAtLimit = pair.some(
      ({ exchange: { stage, response } }) =>
        stage === 'exhaust' || stage === 'recover' || response?.status === 429,
    );
    return violated(
      {
        headers: ['X-RateLimit-Limit'],
        kind: 'sequence',
        reason: `Limit changes on ${id}`,
        expected: `X-RateLimit-Limit: ${values[0]}`,
        received,
        ...(isAtLimit ? {} : { repetition: { kind: 'in-turn', exchanges: idsOf(pair) } }),
      },
      idsOf(changed),
    );
  }
  return met(idsOf(results));
}

/** Whether these figures are windows of one plan; if the user stated a plan, of that one. */
function areOfOnePlan({ plan, limits, contract }: Evidence, values: readonly number[]): boolean {
  const plans = plan !== undefined && limits ? [limits] : Object.values(contract.ratePlans);
  return plans.some(({ minute, day }) => values.every((value) => value === minute || value === day));
}

/** Whether two figures that no plan lists are those of two windows, as the distances of their Resets show. */
function areTwoWindows(results: readonly Judged[], values: readonly number[]): boolean {
  if (values.length !== 2) return false;
  const windows = values.map(
    (value) =>
      new Set(
        results
          .filter(({ exchange }) => exchange.rate.limit === value)
          .map(({ exchange }) => windowOf(exchange, undefined)),
      ),
  );
  const [first, second] = windows;
  return first?.size === 1 && second?.size === 1 && [...first][0] !== [...second][0];
}

/**
 * Limit is one of the plan's two figures on at least one operation, as the interface does not say which ones a plan covers.
 * Without a stated plan, any figure may be that of a custom plan.
 */
export function judgePlan(evidence: Evidence): Finding {
  const { plan, limits } = evidence;
  const constant = judgeConstant(evidence);
  if (constant.status === 'violated')
    return notTested(
      'blocked',
      `cannot be judged: ${constant.reason}`,
      'rate-limit.constant',
      constant.evidence,
    );
  const results = answered(evidence).filter(
    ({ exchange }) => exchange.rate.limit !== undefined && exchange.address === 'baseUrl',
  );
  if (results.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Limit');
  const values = [...new Set(results.map(({ exchange }) => Number(exchange.rate.limit)))];
  if (plan === undefined) {
    if (values.some((value) => areOfOnePlan(evidence, [value]))) return met(idsOf(results));
    return vacuous(
      `a limit of ${values.join(' and ')} may belong to a custom plan; state it with --plan or --limit`,
      idsOf(results),
    );
  }
  if (limits?.minute === undefined && limits?.day === undefined) {
    return vacuous(
      `the figures of ${plan} are custom; state them with --limit and --day-limit`,
      idsOf(results),
    );
  }
  if (values.some((value) => value === limits.minute || value === limits.day)) return met(idsOf(results));
  const figures = [limits.minute, limits.day].filter((figure) => figure !== undefined).join(' or ');
  const received = `X-RateLimit-Limit: ${values.join(', ')}`;
  return violated(
    {
      headers: ['X-RateLimit-Limit'],
      kind: 'sequence',
      reason:
        plan === CUSTOM_PLAN
          ? `the stated limit is ${figures}, and the headers say ${values.join(', ')}`
          : `Limit is not a figure of the plan ${plan}`,
      expected: figures,
      received,
    },
    idsOf(results),
  );
}

/** Seconds from a response until its Reset, by some clock. */
type SecondsToReset = (exchange: Exchange) => number;

/** Reset is a time that a window can end at: a Unix timestamp in seconds, not in the past, and no further away than its window lasts. */
export function judgeResetTime(evidence: Evidence): Finding {
  const wrongBy =
    (secondsTo: SecondsToReset) =>
    ({ exchange, probe }: Judged) =>
      probe.key === 'valid' ? resetProblem(exchange, secondsTo(exchange)) : unitProblem(exchange);
  const withAnyKey = answeredWithAnyKey(evidence).filter(({ exchange }) => exchange.rate.reset !== undefined);
  // A proxy may write Date by its own clock: then every Reset is right by ours.
  const wrongByOurs = wrongBy(({ rate: { reset = 0 }, receivedAt }) => reset - receivedAt / 1_000);
  const isWrongByOurs = withAnyKey.some((result) => wrongByOurs(result) !== undefined);
  const wrongIn = wrongBy((exchange) => secondsToReset(exchange) ?? 0);
  for (const judged of withAnyKey) {
    const wrong = isWrongByOurs ? wrongIn(judged) : undefined;
    if (wrong === undefined) continue;
    const deviating = withAnyKey.filter((result) => wrongIn(result) !== undefined);
    return violated(
      {
        headers: ['X-RateLimit-Reset'],
        kind: 'sequence',
        reason: wrong,
        expected: 'the Unix timestamp, in seconds, of the end of the window',
        received: receivedHeader(judged.exchange, 'X-RateLimit-Reset'),
      },
      idsOf(deviating),
    );
  }
  const results = answered(evidence).filter(({ exchange }) => exchange.rate.reset !== undefined);
  return results.length === 0 ? nothingToJudge(evidence, 'X-RateLimit-Reset') : met(idsOf(results));
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
