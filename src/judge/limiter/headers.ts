import type { RatePlan } from '../../model/contract.ts';
import { type Exchange, headerValue } from '../../model/exchange.ts';
import { type Finding, met, notTested, vacuous, violated } from '../../model/finding.ts';
import { DAY_S, MINUTE_S, secondsToReset, windowOf } from '../../model/rate-plan.ts';
import type { Repetition } from '../../model/repetition.ts';
import { type Evidence, idsOf } from '../check.ts';
import { plainestRead } from '../intermittent.ts';
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
    return notTested(`cannot be judged: ${constant.reason}`, 'rate-limit.constant', constant.evidence);
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

/** Between responses that are further apart (ms) a window may have ended. */
const MAX_APART_MS = 5_000;

/** Two successive responses of the same operation: Remaining of the second is lower by what it used up. */
interface Pair {
  before: Exchange;
  after: Exchange;
}

/** The pairs before the first refusal, with nothing else between them at their address. */
function pairs(seen: readonly Judged[]): Pair[] {
  const until = seen.findIndex(({ exchange }) => exchange.response?.status === 429);
  const before = until < 0 ? seen : seen.slice(0, until);
  return ['baseUrl', 'apiUrl'].flatMap((address) => {
    const inTurn = before.map(({ exchange }) => exchange).filter((each) => each.address === address);
    inTurn.sort((left, right) => left.receivedAt - right.receivedAt);
    return inTurn.slice(1).flatMap((after, index) => {
      const first = inTurn[index];
      const isPair =
        first?.operation === after.operation &&
        first.rate.limit === after.rate.limit &&
        after.receivedAt - first.receivedAt < MAX_APART_MS;
      return first && isPair ? [{ before: first, after }] : [];
    });
  });
}

/** Requests that show whether Remaining falls: more than any limiter refills in the meantime. */
const ENOUGH = 8;

/** The plainest of these reads, repeated: reads change nothing. */
function repeatedRead(seen: readonly Judged[]): { repetition?: Repetition } {
  const plainest = plainestRead(seen);
  if (!plainest) return {};
  return { repetition: { kind: 'again', exchange: plainest.exchange.id, times: ENOUGH, shows: 'limits' } };
}

/**
 * Remaining falls with use. If requests come faster than any limiter refills, Remaining cannot always stay or rise. In
 * total it rises by at most two windows, the one that ended and the one used before the run, and the refill.
 */
export function judgeFalls(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.remaining !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  const all = pairs(seen);
  const changes = all.map(
    ({ before, after }) => Number(after.rate.remaining) - Number(before.rate.remaining),
  );
  const elapsed =
    all.reduce((sum, { before, after }) => sum + after.receivedAt - before.receivedAt, 0) / 1000;
  const limit = Number(all[0]?.after.rate.limit ?? 0);
  const refilled = (limit * elapsed) / MINUTE_S;
  const shown = [...new Set(all.map(({ after }) => after.rate.remaining))].slice(0, 8).join(', ');
  const wrong = (reason: string) =>
    violated(
      {
        headers: ['X-RateLimit-Remaining'],
        kind: 'sequence',
        reason,
        expected: 'a figure that falls with each request',
        received: `X-RateLimit-Remaining: ${shown} over ${all.length + 1} requests`,
        ...repeatedRead(seen.filter(({ exchange }) => all.some(({ after }) => after === exchange))),
      },
      all.map(({ after }) => after.id),
    );
  if (!changes.some((change) => change < 0)) {
    if (all.length < 3 || refilled >= all.length / 2)
      return vacuous('too few requests, too far apart, to see Remaining fall', idsOf(seen));
    // The limit may cover only an operation that got no two requests in a row.
    const unseen = evidence.contract.operations.find(
      ({ id, address }) => address === 'baseUrl' && !all.some(({ after }) => after.operation === id),
    );
    if (unseen)
      return vacuous(
        `Remaining falls on no operation that got two requests in a row; ${unseen.id} did not`,
        idsOf(seen),
      );
    return wrong(changes.some((change) => change > 0) ? 'Remaining rises with use' : 'Remaining never falls');
  }
  // Responses to simultaneous requests may arrive in a different order than they were counted.
  const disorder = all.reduce((sum, { after }) => sum + after.inFlight - 1, 0);
  const rises = changes.filter((change) => change > 0).reduce((sum, change) => sum + change, 0);
  if (rises > 2 * limit + refilled + disorder) return wrong('Remaining rises and falls without a reason');
  return met(idsOf(seen));
}
