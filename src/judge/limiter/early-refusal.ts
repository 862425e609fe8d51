import type { Exchange } from '../../model/exchange.ts';
import { type Finding, met, notTested, vacuous, violated } from '../../model/finding.ts';
import { MINUTE_S, windowOf } from '../../model/rate-plan.ts';
import { type Evidence, idsOf } from '../check.ts';
import type { Judged } from '../judged.ts';
import { answered, isShared, ROUNDING_S, refusals, slack } from './evidence.ts';
import { noRefusal } from './refusals.ts';

/** No 429 comes while Remaining still promises more than rounding explains. */
export function judgeEarly(evidence: Evidence): Finding {
  const [refused] = refusals(evidence);
  if (!refused) return noRefusal(evidence);
  const { exchange } = refused;
  const { limit } = exchange.rate;
  const last = lastAnswered(evidence, refused);
  if (limit === undefined || !isOfMinute(exchange, last, evidence))
    return vacuous('the other window may explain the refusal', idsOf([refused]));
  if (promised(evidence, exchange, last) <= slack(limit))
    return last ? met(idsOf([refused])) : vacuous('the key was used up before this run', idsOf([refused]));
  if (isShared(evidence))
    return notTested(
      'shared-key',
      'a request was refused although Remaining promised more, which other users of the key can explain',
      undefined,
      idsOf([refused]),
    );
  return violated(
    {
      kind: 'sequence',
      reason: 'a request was refused although Remaining promised more',
      expected: 'no 429 before Remaining is used up',
      received: `status 429 with X-RateLimit-Remaining: ${exchange.rate.remaining ?? 'absent'}, after ${last?.rate.remaining ?? 'none'}`,
    },
    [exchange.id, ...(last ? [last.id] : [])],
  );
}

/** The last response of the same operation before its refusal. */
function lastAnswered(evidence: Evidence, { exchange, operation }: Judged): Exchange | undefined {
  return answered(evidence).findLast(
    (each) =>
      isBefore(each.exchange, exchange) &&
      each.operation.id === operation.id &&
      each.exchange.rate.remaining !== undefined,
  )?.exchange;
}

function isBefore(each: Exchange, refusal: Exchange): boolean {
  return each.receivedAt <= refusal.receivedAt && each.response?.status !== 429;
}

/** Whether the refusal and the response before it are of the minute's window. */
function isOfMinute(refusal: Exchange, last: Exchange | undefined, { limits }: Evidence): boolean {
  const isDayOver = (refusal.rate.retryAfter ?? 0) > MINUTE_S + ROUNDING_S;
  return (
    !isDayOver && [refusal, ...(last ? [last] : [])].every((each) => windowOf(each, limits) === 'minute')
  );
}

/** The requests that Remaining still promised. Those sent since then, to any operation or address, may have counted. */
function promised({ judged }: Evidence, refusal: Exchange, last: Exchange | undefined): number {
  const since = judged
    .map(({ exchange }) => exchange)
    .filter((each) => each.receivedAt >= (last?.receivedAt ?? 0) && isBefore(each, refusal));
  const left = since.flatMap((each, index) =>
    each.rate.remaining === undefined ? [] : [each.rate.remaining - (since.length - 1 - index)],
  );
  return Math.max(left.length > 0 ? Math.min(...left) : 0, refusal.rate.remaining ?? 0);
}
