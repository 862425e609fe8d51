import { upgradeOf } from '../../../limiter/counts.ts';
import { type Finding, met, notTested, vacuous, violated } from '../../../model/finding.ts';
import { windowOf } from '../../../model/rate-plan.ts';
import { type Evidence, idsOf } from '../../evidence/check.ts';
import type { Judged } from '../../evidence/judged.ts';
import { answered, answeredWithAnyKey, nothingToJudge, receivedHeader } from './evidence.ts';

/** The name of a plan if only its limits are stated. */
export const CUSTOM_PLAN = 'custom';

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
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.limit !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Limit');
  for (const id of new Set(seen.map(({ operation }) => operation.id))) {
    const own = seen.filter(({ operation }) => operation.id === id);
    const values = [...new Set(own.map(({ exchange }) => Number(exchange.rate.limit)))];
    if (values.length === 1 || areOfOnePlan(evidence, values) || areTwoWindows(own, values)) continue;
    if (
      upgradeOf(
        own.map(({ exchange }) => exchange),
        evidence.contract.ratePlans,
      )
    )
      continue;
    const changed = own.filter(({ exchange }) => exchange.rate.limit !== values[0]);
    const received = `X-RateLimit-Limit: ${values.slice(1, 6).join(', ')}`;
    const pair = [...own.slice(0, 1), ...changed.slice(0, 1)];
    // What only shows at the limit shows by using it up.
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
      reason:
        plan === CUSTOM_PLAN
          ? `the stated limit is ${figures}, and the headers say ${values.join(', ')}`
          : `Limit is not a figure of the plan ${plan}`,
      expected: figures,
      received,
    },
    idsOf(seen),
  );
}
