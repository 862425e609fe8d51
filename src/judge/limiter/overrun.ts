import { isSuccess } from '../../model/exchange.ts';
import { type Finding, violated } from '../../model/finding.ts';
import { MINUTE_S, NEXT_WINDOW_S, secondsToReset, windowOf } from '../../model/rate-plan.ts';
import { type Evidence, idsOf } from '../check.ts';
import type { Judged } from '../judged.ts';
import { answered, isShared, ROUNDING_S, slack } from './evidence.ts';

/**
 * More requests were let through in one window than the limit and its refill.
 * @param last the refusal, or, if none came, the last request of the exhaustion
 */
export function overrun(evidence: Evidence, last: Judged | undefined): Finding | undefined {
  const { rate, operation } = last?.exchange ?? {};
  if (
    !last ||
    !rate?.limit ||
    rate.reset === undefined ||
    isShared(evidence) ||
    windowOf(last.exchange, evidence.limits) !== 'minute'
  )
    return undefined;
  const { reset, limit } = rate;
  const inWindow = answered(evidence).filter(
    ({ exchange }) =>
      exchange.operation === operation &&
      exchange.id < last.exchange.id &&
      exchange.rate.limit === limit &&
      Math.abs((exchange.rate.reset ?? 0) - reset) < NEXT_WINDOW_S,
  );
  const [first] = inWindow;
  if (!first) return undefined;
  const elapsed = (last.exchange.receivedAt - first.exchange.sentAt) / 1000;
  const most = limit + Math.ceil((limit * elapsed) / MINUTE_S) + slack(limit);
  if (inWindow.length <= most) return undefined;
  return tooMany(inWindow.length, limit, [last]);
}

/**
 * One request more than the limit was let through, and the headers allow no other reading: they count down one by one from
 * an unused window to 0, with the same Reset, and the 429 asks to wait for that Reset.
 */
export function oneTooMany(evidence: Evidence, refused: Judged | undefined): Finding | undefined {
  const { rate } = refused?.exchange ?? {};
  if (!refused || !rate?.limit || rate.reset === undefined || rate.retryAfter === undefined) return undefined;
  const { limit, reset, retryAfter } = rate;
  const away = secondsToReset(refused.exchange) ?? 0;
  // A limiter that refills gradually asks for a shorter wait, or for this one by chance: then nothing is certain.
  const isUntilReset = Math.abs(away - retryAfter) <= 1 && (retryAfter * limit) / MINUTE_S > 2 * ROUNDING_S;
  if (!isUntilReset || isShared(evidence) || windowOf(refused.exchange, evidence.limits) !== 'minute')
    return undefined;
  const inWindow = answered(evidence).filter(
    ({ exchange }) =>
      exchange.address === refused.exchange.address &&
      exchange.id < refused.exchange.id &&
      exchange.rate.limit === limit &&
      exchange.rate.reset === reset,
  );
  const [first] = inWindow;
  const isFresh = (first?.exchange.rate.remaining ?? 0) + (first?.exchange.inFlight ?? 0) >= limit;
  if (!isFresh || inWindow.length <= limit) return undefined;
  // The limit may not cover another operation, and a refusal may not count.
  const isCounted = ({ exchange }: Judged) =>
    exchange.operation === refused.exchange.operation && isSuccess(exchange);
  const over = inWindow.filter((each) => each.exchange.rate.remaining === 0 && isCounted(each)).slice(1);
  const isInTurn = over.every(({ exchange }) => exchange.inFlight === 1);
  if (over.length === 0 || !isInTurn) return undefined;
  return tooMany(inWindow.length, limit, [refused, ...over]);
}

function tooMany(count: number, limit: number, shownBy: readonly Judged[]): Finding {
  return violated(
    {
      kind: 'sequence',
      reason: 'more requests were let through than the limit',
      expected: `status 429 after ${limit} requests`,
      received: `${count} requests let through`,
    },
    idsOf(shownBy),
  );
}
