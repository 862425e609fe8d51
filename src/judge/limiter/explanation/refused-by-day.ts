import type { Exchange } from '../../../model/exchange.ts';
import { serverTime } from '../../../model/rate-limit.ts';
import { DAY_S, MINUTE_S, NEXT_WINDOW_S } from '../../../model/rate-plan.ts';

/** Seconds by which a time may be rounded up or down, or be later than needed. */
const ROUNDED_S = 2;

/**
 * Whether the day may have refused a request although the headers describe the minute, of which more remain: the day ends
 * then, or it gives back requests one by one. The minute would have asked to wait until its Reset, or for one request.
 * @param own exchanges whose headers describe the minute
 * @param isUntilReset whether Retry-After says the same time as Reset
 */
export function mayBeRefusedByDay(
  refused: Exchange,
  own: readonly Exchange[],
  isUntilReset: boolean,
): boolean {
  const { rate, response, receivedAt } = refused;
  const { remaining = 0, limit = 1, retryAfter } = rate;
  if (response?.status !== 429 || remaining === 0 || retryAfter === undefined) return false;
  const after = (serverTime(response.headers, receivedAt) / 1_000 + retryAfter) % DAY_S;
  if (Math.min(after, DAY_S - after) <= ROUNDED_S) return true;
  return !isUntilReset && retryAfter > MINUTE_S / limit + ROUNDED_S && isResetMoving(own);
}

/** Whether Reset moves little by little, as that of a fixed window does not. */
function isResetMoving([first, ...others]: readonly Exchange[]): boolean {
  const from = first?.rate.reset ?? 0;
  return others.some(
    ({ rate: { reset = from } }) => reset - from > ROUNDED_S && reset - from < NEXT_WINDOW_S,
  );
}
