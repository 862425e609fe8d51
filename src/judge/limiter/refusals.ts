import { type Finding, met, notTested, vacuous, violated } from '../../model/finding.ts';
import { DAY_S, inferRatePlan, MINUTE_S, windowOf } from '../../model/rate-plan.ts';
import { causeOf, type Evidence, idsOf } from '../check.ts';
import { inconclusiveOf, isAnswered, type Judged } from '../judged.ts';
import { answered, isShared, ROUNDING, refusals, slack } from './evidence.ts';
import { oneTooMany, overrun } from './overrun.ts';

/** The requirement that owns what comes instead of a recovery. */
export const RECOVERY = 'rate-limit.recovery';

/** A request over the limit is answered 429. */
export function judgeEnforced(evidence: Evidence): Finding {
  const owned = evidence.judged.filter(({ deviations }) =>
    deviations.some(({ requirement }) => requirement === 'TooManyRequests'),
  );
  const deviation = owned[0]?.deviations.find(({ requirement }) => requirement === 'TooManyRequests');
  if (deviation) return violated(deviation, idsOf(owned));
  const refused = refusals(evidence);
  const { used } = evidence;
  if (used?.window === 'day' && used.letThrough > used.limit && !isShared(evidence)) {
    const received = `${used.letThrough} requests let through`;
    const last = evidence.judged.filter(({ probe }) => probe.stage === 'exhaust').slice(-1);
    return violated(
      {
        kind: 'sequence',
        reason: 'more requests are let through than a day allows',
        expected: `status 429 after ${used.limit} requests`,
        received,
      },
      idsOf(last),
    );
  }
  const late = overrun(evidence, refused[0]) ?? oneTooMany(evidence, refused[0]);
  if (late) return late;
  if (refused.length > 0) return met(idsOf(refused));
  const exhausting = evidence.judged.filter(({ probe }) => probe.stage === 'exhaust');
  const isExhaustion = (id: string) =>
    evidence.probes.some((probe) => probe.id === id && probe.stage === 'exhaust');
  const missing = evidence.unsent.find(({ probe }) => isExhaustion(probe));
  const unlimited = missing?.kind === 'most-sent' ? overrun(evidence, exhausting.at(-1)) : undefined;
  if (unlimited) return unlimited;
  if (missing || exhausting.length === 0)
    return notTested(
      missing?.reason ?? 'the limit was not used up in this run',
      causeOf(evidence, missing?.cause),
    );
  const failed = exhausting.find((each) => !isAnswered(each));
  if (failed) {
    const cause = failed.deviations[0]?.requirement ?? inconclusiveOf(failed)?.cause;
    return notTested(
      `cannot be judged: ${failed.deviations[0]?.reason ?? inconclusiveOf(failed)?.reason}`,
      cause,
      idsOf([failed]),
    );
  }
  const told = inferRatePlan(
    evidence.judged.map(({ exchange }) => exchange),
    evidence.contract.ratePlans,
  );
  // The headers of a day tell the minute's figure by the plan alone, and a custom plan may have the same day.
  if (evidence.plan === undefined && told?.window === 'day') {
    const reason = `no request is refused, and the headers tell of the day alone: ${told.name}, or a custom plan; --plan states which`;
    return notTested(reason, undefined, idsOf(exhausting.slice(-3).reverse()));
  }
  const sent = evidence.judged.filter(
    ({ probe, exchange }) => probe.key === 'valid' && exchange.response,
  ).length;
  const limit = evidence.limits?.minute ?? exhausting[0]?.exchange.rate.limit;
  return violated(
    {
      kind: 'sequence',
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
  const { exchange } = refused;
  const isEarlier = (each: Judged) =>
    each.exchange.receivedAt <= exchange.receivedAt && each.exchange.response?.status !== 429;
  const last = answered(evidence).findLast(
    (each) =>
      isEarlier(each) &&
      each.operation.id === refused.operation.id &&
      each.exchange.rate.remaining !== undefined,
  )?.exchange;
  // What was sent since then, to whatever operation or address, may have counted as well.
  const since = evidence.judged
    .map((each) => each.exchange)
    .filter(
      (each) =>
        each.receivedAt >= (last?.receivedAt ?? 0) &&
        each.receivedAt <= exchange.receivedAt &&
        each.response?.status !== 429,
    );
  const left = since.flatMap((each, index) =>
    each.rate.remaining === undefined ? [] : [each.rate.remaining - (since.length - 1 - index)],
  );
  const before = left.length > 0 ? Math.min(...left) : 0;
  const promised = Math.max(before, exchange.rate.remaining ?? 0);
  const isDayOver = (exchange.rate.retryAfter ?? 0) > MINUTE_S + ROUNDING;
  const { limit } = exchange.rate;
  if (
    limit === undefined ||
    isDayOver ||
    windowOf(exchange, evidence.limits) !== 'minute' ||
    (last && windowOf(last, evidence.limits) !== 'minute')
  )
    return vacuous('what was refused may be explained by the other window', idsOf([refused]));
  if (promised <= slack(limit))
    return last ? met(idsOf([refused])) : vacuous('the key was used up before this run', idsOf([refused]));
  if (isShared(evidence))
    return notTested(
      'a request is refused although Remaining promised more, which others who use the key can explain',
      undefined,
      idsOf([refused]),
    );
  return violated(
    {
      kind: 'sequence',
      reason: 'a request is refused although Remaining promises more',
      expected: 'no 429 before Remaining is used up',
      received: `status 429 with X-RateLimit-Remaining: ${exchange.rate.remaining ?? 'absent'}, after ${last?.rate.remaining ?? 'none'}`,
    },
    [exchange.id, ...(last ? [last.id] : [])],
  );
}

/** After the stated time, and a second for its rounding, the next request is let through. */
export function judgeRecovery(evidence: Evidence): Finding {
  const owned = evidence.judged.find(({ deviations }) =>
    deviations.some(({ requirement }) => requirement === RECOVERY),
  );
  const deviation = owned?.deviations.find(({ requirement }) => requirement === RECOVERY);
  if (owned && deviation) return violated(deviation, idsOf([owned]));
  const [refused] = refusals(evidence);
  if (!refused) return noRefusal(evidence);
  const { retryAfter } = refused.exchange.rate;
  if (retryAfter !== undefined && retryAfter > 2 * DAY_S + ROUNDING) {
    const received = `Retry-After: ${retryAfter} s`;
    return violated(
      {
        headers: ['Retry-After'],
        kind: 'sequence',
        reason: 'Retry-After asks for longer than any window lasts',
        expected: 'at most two days',
        received,
      },
      idsOf([refused]),
    );
  }
  const after = evidence.judged.find(
    ({ exchange, probe }) => probe.key === 'valid' && exchange.sentAt > refused.exchange.receivedAt,
  );
  if (!after) {
    const stated = refused.deviations.find(({ requirement }) => requirement.startsWith('Retry-After'));
    const isRecovery = (id: string) =>
      evidence.probes.some((probe) => probe.id === id && probe.stage === 'recover');
    const missing = evidence.unsent.find(({ probe }) => isRecovery(probe));
    return notTested(
      missing?.reason ?? 'nothing was sent after the 429',
      stated?.requirement,
      idsOf([refused]),
    );
  }
  // Of several sent together any may be the one that is let through.
  const together = evidence.judged.filter(
    ({ exchange, probe }) =>
      probe.key === 'valid' &&
      exchange.sentAt > refused.exchange.receivedAt &&
      exchange.sentAt <= after.exchange.receivedAt,
  );
  const passed = together.find(isAnswered);
  if (passed) return met(idsOf([passed, refused]));
  if (after.exchange.response?.status === 429 && isShared(evidence)) {
    return notTested(
      'refused again, which others who use the key can explain',
      undefined,
      idsOf([after, refused]),
    );
  }
  if (after.exchange.response?.status === 429) {
    return violated(
      {
        kind: 'sequence',
        reason: 'still refused after the time that Retry-After stated',
        expected: `a request is let through after ${retryAfter} s`,
        received: 'status 429 again',
        repetition: { kind: 'after-refusal' },
      },
      idsOf([after, refused]),
    );
  }
  const [wrong] = after.deviations;
  return notTested(
    `cannot be judged: ${wrong?.reason ?? inconclusiveOf(after)?.reason}`,
    wrong?.requirement ?? inconclusiveOf(after)?.cause,
    idsOf([after]),
  );
}
