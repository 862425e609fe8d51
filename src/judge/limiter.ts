import type { PlanLimits } from '../contract/types.ts';
import { type Exchange, headerValue } from '../session/exchange.ts';
import { DAY, MINUTE, secondsToReset, windowOf } from '../session/plan-limits.ts';
import { causeOf, type Evidence, idsOf } from './check.ts';
import { type Finding, met, notTested, vacuous, violated } from './finding.ts';
import type { Judged } from './judged.ts';

/** Seconds that rounding in either direction, and a second more than needed, can explain. */
const ROUNDING = 3;

/** Seconds by which a service's clock may differ from ours where it sends no Date. */
const CLOCK_SKEW = 300;

/** Requests that a 429 may come before Remaining is used up: counters that estimate are off by a few. */
const slack = (limit: number) => Math.max(2, Math.ceil(limit / 20));

/** Exchanges with the key that were answered and whose status is right, in the order in which they were sent. */
function answered({ judged }: Evidence): Judged[] {
  return judged.filter(
    ({ exchange, probe, deviations }) =>
      probe.key === 'valid' &&
      exchange.response &&
      !deviations.some(({ expected }) => expected.startsWith('status ')),
  );
}

function nothingToJudge(evidence: Evidence, header: string): Finding {
  const absent = evidence.judged
    .flatMap(({ deviations }) => deviations)
    .find(({ requirement }) => requirement.startsWith(header));
  if (absent) return notTested(`cannot be judged: ${absent.reason}`, absent.requirement);
  const wrong = evidence.judged.flatMap(({ deviations }) => deviations)[0];
  if (wrong) return notTested(`cannot be judged: ${wrong.reason}`, wrong.requirement);
  return notTested('no request of this run looks at it');
}

/** Remaining is never above Limit. */
export function judgeRemaining(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(
    ({ exchange: { rate } }) => rate.limit !== undefined && rate.remaining !== undefined,
  );
  const above = seen.filter(({ exchange: { rate } }) => Number(rate.remaining) > Number(rate.limit));
  const [first] = above;
  if (!first) return seen.length > 0 ? met(idsOf(seen)) : nothingToJudge(evidence, 'X-RateLimit-');
  const { limit, remaining } = first.exchange.rate;
  return violated(
    {
      reason: 'Remaining is above Limit',
      expected: `at most ${limit}`,
      received: `X-RateLimit-Remaining: ${remaining}`,
    },
    idsOf(above),
  );
}

/**
 * Limit stays what it is, operation by operation: which ones the plan covers is open, and so is what is in force on
 * the others. A service may tell of the minute here and of the day there.
 */
export function judgeConstant(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.limit !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Limit');
  for (const id of new Set(seen.map(({ operation }) => operation.id))) {
    const own = seen.filter(({ operation }) => operation.id === id);
    const values = [...new Set(own.map(({ exchange }) => Number(exchange.rate.limit)))];
    if (values.length === 1 || plansWith(evidence, values).length > 0 || areTwoWindows(own, values)) continue;
    const changed = own.filter(({ exchange }) => exchange.rate.limit !== values[0]);
    const received = `X-RateLimit-Limit: ${values.slice(1, 6).join(', ')}`;
    return violated(
      { reason: `Limit changes on ${id}`, expected: `X-RateLimit-Limit: ${values[0]}`, received },
      idsOf(changed),
    );
  }
  return met(idsOf(seen));
}

/** Plans one of whose windows each of these figures is: the stated plan alone, where one is stated. */
function plansWith({ plan, limits, contract }: Evidence, values: readonly number[]): string[] {
  const plans: [string, PlanLimits][] =
    plan !== undefined && limits ? [[plan, limits]] : Object.entries(contract.plans);
  return plans
    .filter(([, { minute, day }]) => values.every((value) => value === minute || value === day))
    .map(([name]) => name);
}

/** Figures that no plan lists (enterprise) can be those of two windows: then their Resets are as far away as these are long. */
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
 * Limit is one of the plan's two figures, on some operation at least: which ones the plan covers is open. Without a
 * stated plan any figure may be a custom one.
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
    if (values.some((value) => plansWith(evidence, [value]).length > 0)) return met(idsOf(seen));
    return vacuous(
      `a limit of ${values.join(' and ')} may be a custom plan's; --plan or --limit states it`,
      idsOf(seen),
    );
  }
  if (limits?.minute === undefined && limits?.day === undefined) {
    return vacuous(`the figures of ${plan} are custom; --limit and --day-limit state them`, idsOf(seen));
  }
  if (values.some((value) => value === limits.minute || value === limits.day)) return met(idsOf(seen));
  const figures = [limits.minute, limits.day].filter((each) => each !== undefined).join(' or ');
  const received = `X-RateLimit-Limit: ${values.slice(0, 6).join(', ')}`;
  return violated(
    { reason: `Limit is no figure of the plan ${plan}`, expected: figures, received },
    idsOf(seen),
  );
}

/** Reset is a time in seconds, not over, and no further away than the window that is described is long. */
export function judgeReset(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.reset !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Reset');
  for (const judged of seen) {
    const wrong = wrongReset(judged.exchange, evidence.limits);
    if (wrong === undefined) continue;
    const all = seen.filter(({ exchange }) => wrongReset(exchange, evidence.limits) !== undefined);
    return violated(
      {
        reason: wrong,
        expected: 'the Unix timestamp, in seconds, of the end of the window',
        received: `X-RateLimit-Reset: ${judged.exchange.rate.reset}`,
      },
      idsOf(all),
    );
  }
  return met(idsOf(seen));
}

function wrongReset(exchange: Exchange, limits: PlanLimits | undefined): string | undefined {
  const away = secondsToReset(exchange) ?? 0;
  const hasDate = headerValue(exchange.response?.headers ?? [], 'Date') !== undefined;
  // Reset may be written when the request arrives, and Date when it is answered.
  const duration = (exchange.receivedAt - exchange.sentAt) / 1000;
  const tolerance = ROUNDING + duration + (hasDate ? 0 : CLOCK_SKEW);
  const reset = exchange.rate.reset ?? 0;
  if (reset >= 1e11) return 'Reset is not in seconds (milliseconds, it seems)';
  if (reset <= DAY) return 'Reset is no Unix timestamp (the seconds to go, it seems)';
  if (away < -tolerance) return 'Reset lies in the past';
  const isMinute =
    limits?.minute !== undefined && limits.minute === exchange.rate.limit && limits.day !== limits.minute;
  // A sliding counter weighs the window before as well: all of it is back after two windows.
  const length = 2 * (isMinute ? MINUTE : DAY);
  return away > length + tolerance
    ? `Reset is ${Math.round(away)} s away, though the window lasts ${length} s`
    : undefined;
}

/** Remaining falls with use: over requests that come faster than any limiter refills, it cannot stay or rise throughout. */
export function judgeFalls(evidence: Evidence): Finding {
  const seen = answered(evidence).filter(({ exchange }) => exchange.rate.remaining !== undefined);
  if (seen.length === 0) return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  for (const id of new Set(seen.map(({ operation }) => operation.id))) {
    const list = seen.filter(({ operation }) => operation.id === id);
    const falls = list.some(
      (each, index) =>
        index > 0 && Number(each.exchange.rate.remaining) < Number(list[index - 1]?.exchange.rate.remaining),
    );
    if (falls) return met(idsOf(list));
  }
  const [first, last] = [seen[0], seen.at(-1)];
  const elapsed = first && last ? (last.exchange.receivedAt - first.exchange.sentAt) / 1000 : 0;
  const refilled = (Number(first?.exchange.rate.limit ?? 0) * elapsed) / MINUTE;
  if (seen.length < 3 || refilled >= seen.length / 2)
    return vacuous('too few requests in too long a time to see Remaining fall', idsOf(seen));
  const values = [...new Set(seen.map(({ exchange }) => exchange.rate.remaining))];
  return violated(
    {
      reason: values.length === 1 ? 'Remaining never falls' : 'Remaining rises with use',
      expected: 'a figure that falls with the requests',
      received: `X-RateLimit-Remaining: ${values.slice(0, 8).join(', ')} over ${seen.length} requests`,
    },
    idsOf(seen),
  );
}

function refusals({ judged }: Evidence): Judged[] {
  return judged.filter(({ exchange, probe }) => probe.key === 'valid' && exchange.response?.status === 429);
}

/** A request over the limit is answered 429. */
export function judgeEnforced(evidence: Evidence): Finding {
  const owned = evidence.judged.filter(({ deviations }) =>
    deviations.some(({ requirement }) => requirement === 'TooManyRequests'),
  );
  const deviation = owned[0]?.deviations.find(({ requirement }) => requirement === 'TooManyRequests');
  if (deviation) return violated(deviation, idsOf(owned));
  const refused = refusals(evidence);
  if (refused.length > 0) return met(idsOf(refused));
  const exhausting = evidence.judged.filter(({ probe }) => probe.stage === 'exhaust');
  const isExhaustion = (id: string) =>
    evidence.probes.some((probe) => probe.id === id && probe.stage === 'exhaust');
  const missing = evidence.unsent.find(({ probe }) => isExhaustion(probe));
  if (missing || exhausting.length === 0)
    return notTested(
      missing?.reason ?? 'the limit was not used up in this run',
      causeOf(evidence, missing?.cause),
    );
  const failed = exhausting.find(({ answered: isAnswered }) => !isAnswered);
  if (failed) {
    const cause = failed.deviations[0]?.requirement ?? failed.inconclusive?.cause;
    return notTested(
      `cannot be judged: ${failed.deviations[0]?.reason ?? failed.inconclusive?.reason}`,
      cause,
      idsOf([failed]),
    );
  }
  const sent = evidence.judged.filter(
    ({ probe, exchange }) => probe.key === 'valid' && exchange.response,
  ).length;
  const limit = evidence.limits?.minute ?? exhausting[0]?.exchange.rate.limit;
  return violated(
    {
      reason: 'no request is refused, however many are sent',
      expected: `status 429 after ${limit} requests in a minute`,
      received: `${sent} requests accepted`,
    },
    idsOf(exhausting.slice(-3).reverse()),
  );
}

/** Why what only a refusal shows was not tested. */
export function noRefusal(evidence: Evidence): Finding {
  const enforced = judgeEnforced(evidence);
  const cause = enforced.status === 'violated' ? 'TooManyRequests' : enforced.cause;
  return notTested(`no 429 came: ${enforced.reason}`, cause);
}

/** No 429 while Remaining still promises more than rounding explains. */
export function judgeEarly(evidence: Evidence): Finding {
  const [refused] = refusals(evidence);
  if (!refused) return noRefusal(evidence);
  const before = answered(evidence).filter(
    ({ exchange, operation }) =>
      operation.id === refused.operation.id &&
      exchange.receivedAt <= refused.exchange.sentAt &&
      exchange.response?.status !== 429,
  );
  const last = before.at(-1)?.exchange;
  if (!last) return vacuous('the key was used up before this run', idsOf([refused]));
  if (last.rate.remaining === undefined || last.rate.limit === undefined)
    return nothingToJudge(evidence, 'X-RateLimit-Remaining');
  // What was sent meanwhile with wrong keys or to other operations may have counted as well.
  const latest = evidence.judged.findLast(
    ({ exchange }) =>
      exchange.address === last.address &&
      exchange.rate.remaining !== undefined &&
      exchange.response?.status !== 429 &&
      exchange.receivedAt <= refused.exchange.sentAt,
  );
  const stated = Math.min(last.rate.remaining, latest?.exchange.rate.remaining ?? last.rate.remaining);
  const promised = stated - (refused.exchange.inFlight - 1);
  const describesMinute = windowOf(last, evidence.limits) === 'minute';
  const isDayOver = (refused.exchange.rate.retryAfter ?? 0) > MINUTE + ROUNDING;
  if (evidence.sharedKey || !describesMinute || isDayOver)
    return vacuous(
      'what was refused may be explained by the other window or another client',
      idsOf([refused]),
    );
  if (promised <= slack(last.rate.limit)) return met(idsOf([refused]));
  return violated(
    {
      reason: 'a request is refused although Remaining promises more',
      expected: 'no 429 before Remaining is used up',
      received: `status 429 right after X-RateLimit-Remaining: ${last.rate.remaining}`,
    },
    [refused.exchange.id, last.id],
  );
}

/** After the stated time, and a second for its rounding, the next request is let through. */
export function judgeRecovery(evidence: Evidence): Finding {
  const [refused] = refusals(evidence);
  if (!refused) return noRefusal(evidence);
  const after = evidence.judged.find(
    ({ exchange, probe }) =>
      probe.key === 'valid' &&
      exchange.id > refused.exchange.id &&
      exchange.sentAt > refused.exchange.receivedAt,
  );
  if (!after) {
    const stated = refused.deviations.find(({ requirement }) => requirement.startsWith('Retry-After'));
    const missing = evidence.unsent.find(({ probe }) => probe.endsWith(':recover'));
    return notTested(
      missing?.reason ?? 'nothing was sent after the 429',
      stated?.requirement,
      idsOf([refused]),
    );
  }
  if (after.exchange.response?.status === 429) {
    return violated(
      {
        reason: 'still refused after the time that Retry-After stated',
        expected: `a request is let through after ${refused.exchange.rate.retryAfter} s`,
        received: 'status 429 again',
      },
      idsOf([after, refused]),
    );
  }
  const [deviation] = after.deviations;
  if (!after.answered)
    return notTested(
      `cannot be judged: ${deviation?.reason ?? after.inconclusive?.reason}`,
      deviation?.requirement ?? after.inconclusive?.cause,
      idsOf([after]),
    );
  return met(idsOf([after, refused]));
}
