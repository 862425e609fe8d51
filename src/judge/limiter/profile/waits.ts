import type { Exchange } from '../../../model/exchange.ts';
import { secondsToReset } from '../../../model/rate-plan.ts';
import type { ProfileExchange } from './statement.ts';

/** A Retry-After is rounded up to seconds, and may be a second later (s). */
const ROUNDED_S = 2;

/** A shorter Retry-After (s) leaves no time before its end in which a request would surely be refused. */
const TELLING_S = 5;

/** What each exchange of the traffic is in the profile: a copy may stand for what a Retry-After says. */
export type Origins = ReadonlyMap<Exchange, ProfileExchange>;

/**
 * The exchanges of a profile, and one more for each Retry-After that is the end of the window: petspec sends nothing in a closed
 * window, so it takes the word of the service that a request right before the end would be refused.
 */
export function withWaits(sent: readonly ProfileExchange[]): {
  judged: ProfileExchange[];
  origins: Origins;
} {
  const judged: ProfileExchange[] = [];
  const origins = new Map<Exchange, ProfileExchange>();
  const add = (origin: ProfileExchange, exchange: Exchange) => {
    const copy = { ...exchange, id: judged.length + 1 };
    judged.push({ ...origin, exchange: copy });
    origins.set(copy, origin);
  };
  const exchanges = sent.map(({ exchange }) => exchange);
  for (const each of sent) {
    const { exchange } = each;
    add(each, exchange);
    const { retryAfter = 0 } = exchange.rate;
    if (exchange.response?.status !== 429 || retryAfter < TELLING_S) continue;
    if (!isEndOfWindow(exchange, exchanges)) continue;
    const at = exchange.receivedAt + (retryAfter - ROUNDED_S) * 1_000;
    add(each, { ...exchange, sentAt: at, receivedAt: at, rate: { retryAfter: ROUNDED_S } });
  }
  return { judged, origins };
}

/**
 * Whether Retry-After says when requests come back. Some services ask to wait for longer than their limiter does: they block who exceeds
 * the limit, or always name a whole window. So it has to end when the Resets of the same window say; without them, it has to
 * differ from one refusal to another, as the rest of a window does.
 */
function isEndOfWindow(refused: Exchange, exchanges: readonly Exchange[]): boolean {
  const { rate, receivedAt, operation } = refused;
  const own = exchanges.filter((each) => each.operation === operation && each.key === 'valid');
  const resets = own.filter(({ id }) => id < refused.id).flatMap(resetOf);
  if (resets.length === 0) {
    const waits = own.flatMap((each) => (each.response?.status === 429 ? (each.rate.retryAfter ?? []) : []));
    return Math.max(...waits) - Math.min(...waits) >= ROUNDED_S;
  }
  const ofWindow = resets.filter((each) => each >= receivedAt / 1_000);
  if (ofWindow.length === 0) return false;
  return receivedAt / 1_000 + (rate.retryAfter ?? 0) - Math.min(...ofWindow) <= ROUNDED_S;
}

/** When a response says that its window resets, by our clock (s). */
function resetOf(exchange: Exchange): number[] {
  const away = secondsToReset(exchange);
  return away === undefined ? [] : [exchange.receivedAt / 1_000 + away];
}
