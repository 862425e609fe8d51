import type { RatePlan } from '../../model/contract.ts';
import { type Exchange, headerValue } from '../../model/exchange.ts';
import { type Finding, met, notTested, vacuous, violated } from '../../model/finding.ts';
import { DAY_S, MINUTE_S, secondsToReset, windowOf } from '../../model/rate-plan.ts';
import { type Evidence, idsOf } from '../check.ts';
import type { Judged } from '../judged.ts';
import { answered, answeredWithAnyKey, nothingToJudge, ROUNDING_S } from './evidence.ts';

/** Seconds by which a service's clock may differ from ours if it sends no Date. */
const CLOCK_SKEW_S = 300;

/** Remaining is never above Limit, with any key. */
export function judgeRemaining(evidence: Evidence): Finding {
  const seen = answeredWithAnyKey(evidence).filter(
    ({ exchange: { rate } }) => rate.limit !== undefined && rate.remaining !== undefined,
  );
  const above = seen.filter(({ exchange: { rate } }) => Number(rate.remaining) > Number(rate.limit));
  const [first] = above;
  if (!first)
    return seen.length > 0
      ? met(idsOf(seen))
      : nothingToJudge(evidence, 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset');
  const { limit, remaining } = first.exchange.rate;
  return violated(
    {
      headers: ['X-RateLimit-Remaining'],
      kind: 'sequence',
      reason: 'Remaining is above Limit',
      expected: `at most ${limit}`,
      received: `X-RateLimit-Remaining: ${remaining}`,
    },
    idsOf(above),
  );
}

/**
 * Limit stays the same on each operation. Different operations may have different limits, as the interface does not say
 * which ones a plan covers, and a service may report the minute on one and the day on another.
 */
export function judgeConstant(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.limit !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Limit');
  for (const id of new Set(seen.map(({ operation }) => operation.id))) {
    const own = seen.filter(({ operation }) => operation.id === id);
    const values = [...new Set(own.map(({ exchange }) => Number(exchange.rate.limit)))];
    if (values.length === 1 || areOfOnePlan(evidence, values) || areTwoWindows(own, values)) continue;
    const changed = own.filter(({ exchange }) => exchange.rate.limit !== values[0]);
    const received = `X-RateLimit-Limit: ${values.slice(1, 6).join(', ')}`;
    return violated(
      {
        headers: ['X-RateLimit-Limit'],
        kind: 'sequence',
        reason: `Limit changes on ${id}`,
        expected: `X-RateLimit-Limit: ${values[0]}`,
        received,
        repetition: {
          kind: 'in-turn',
          exchanges: idsOf([...own.slice(0, 1), ...changed.slice(0, 1)]),
          shows: 'limits',
        },
      },
      idsOf(changed),
    );
  }
  return met(idsOf(seen));
}

/** Whether these figures are windows of one plan; if the user stated a plan, of that one. */
function areOfOnePlan({ plan, limits, contract }: Evidence, values: readonly number[]): boolean {
  const plans = plan !== undefined && limits ? [limits] : Object.values(contract.ratePlans);
  return plans.some(({ minute, day }) => values.every((value) => value === minute || value === day));
}

/** Whether two figures that no plan lists are those of two windows, as the distances of their Resets show. */
function areTwoWindows(seen: readonly Judged[], values: readonly number[]): boolean {
  if (values.length !== 2) return false;
  const windows = values.map(
    (value) =>
      new Set(
        seen
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
  const seen = answered(evidence).filter(
    ({ exchange }) => exchange.rate.limit !== undefined && exchange.address === 'baseUrl',
  );
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Limit');
  const values = [...new Set(seen.map(({ exchange }) => Number(exchange.rate.limit)))];
  if (plan === undefined) {
    if (values.some((value) => areOfOnePlan(evidence, [value]))) return met(idsOf(seen));
    return vacuous(
      `a limit of ${values.join(' and ')} may belong to a custom plan; state it with --plan or --limit`,
      idsOf(seen),
    );
  }
  if (limits?.minute === undefined && limits?.day === undefined) {
    return vacuous(`the figures of ${plan} are custom; state them with --limit and --day-limit`, idsOf(seen));
  }
  if (values.some((value) => value === limits.minute || value === limits.day)) return met(idsOf(seen));
  const figures = [limits.minute, limits.day].filter((each) => each !== undefined).join(' or ');
  const received = `X-RateLimit-Limit: ${values.join(', ')}`;
  return violated(
    {
      headers: ['X-RateLimit-Limit'],
      kind: 'sequence',
      reason: `Limit is not a figure of the plan ${plan}`,
      expected: figures,
      received,
    },
    idsOf(seen),
  );
}

/** Reset is a Unix timestamp in seconds, not in the past, and no further away than its window lasts. */
export function judgeReset(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.reset !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Reset');
  for (const judged of seen) {
    const wrong = wrongReset(judged.exchange, evidence.limits);
    if (wrong === undefined) continue;
    const all = seen.filter(({ exchange }) => wrongReset(exchange, evidence.limits) !== undefined);
    return violated(
      {
        headers: ['X-RateLimit-Reset'],
        kind: 'sequence',
        reason: wrong,
        expected: 'the Unix timestamp, in seconds, of the end of the window',
        received: `X-RateLimit-Reset: ${judged.exchange.rate.reset}`,
      },
      idsOf(all),
    );
  }
  return met(idsOf(seen));
}

function wrongReset(exchange: Exchange, limits: RatePlan | undefined): string | undefined {
  const away = secondsToReset(exchange) ?? 0;
  const hasDate = headerValue(exchange.response?.headers ?? [], 'Date') !== undefined;
  // Reset may be computed when the request arrives, and Date when the response leaves.
  const duration = (exchange.receivedAt - exchange.sentAt) / 1000;
  const tolerance = ROUNDING_S + duration + (hasDate ? 0 : CLOCK_SKEW_S);
  const reset = exchange.rate.reset ?? 0;
  if (reset >= 1e11) return 'Reset is not in seconds; it looks like milliseconds';
  if (reset <= DAY_S) return 'Reset is not a Unix timestamp; it looks like the seconds until the reset';
  if (away < -tolerance) return 'Reset is in the past';
  const isMinute =
    limits?.minute !== undefined && limits.minute === exchange.rate.limit && limits.day !== limits.minute;
  // A sliding counter also weighs the previous window, so it takes two windows to be full again.
  const length = 2 * (isMinute ? MINUTE_S : DAY_S);
  return away > length + tolerance
    ? `Reset is ${Math.round(away)} s away, though the window lasts ${length} s`
    : undefined;
}
