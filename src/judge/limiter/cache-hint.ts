import { isFromCache } from '../../limiter/observations.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Finding } from '../../model/finding.ts';
import type { Hint } from '../../model/report/diagnosis.ts';
import type { Judged } from '../evidence/judged.ts';

/** Exchanges of violations that are looked at: one that a cache answered is among the first, if any is. */
const MAX_LOOKED_AT = 100;

/** What a cache in front of the service leaves in what is violated: responses that were given before, to other requests. */
export function cacheHint(
  judged: readonly Judged[],
  findings: Readonly<Record<string, Finding>>,
): Hint | undefined {
  const violated = Object.values(findings).filter(({ status }) => status === 'violated');
  const accused = new Set(violated.flatMap(({ evidence }) => evidence));
  const exchanges = judged.map(({ exchange }) => exchange);
  const shown = exchanges.filter(({ id }) => accused.has(id)).slice(0, MAX_LOOKED_AT);
  for (const later of shown) {
    const earlier = exchanges.find((each) => isRepeated(each, later, exchanges));
    if (!earlier) continue;
    const isAnyKey = earlier.key !== later.key;
    const [was, now] = [earlier, later].map(({ key }) =>
      key === 'valid' ? 'with the key' : 'with another key or none',
    );
    const keys = isAnyKey && was !== now ? `, first to a request ${was} and then to one ${now}` : '';
    return {
      kind: 'cache',
      text: `the same response came twice, with the X-RateLimit-Remaining of the first time${keys} (${later.operation}): a cache in front of the service may keep ${isAnyKey ? 'responses for any key' : 'them'}`,
    };
  }
  return undefined;
}

/** Whether a response is an earlier one to the same request, although other requests have changed Remaining meanwhile. */
function isRepeated(earlier: Exchange, later: Exchange, exchanges: readonly Exchange[]): boolean {
  const [first, again] = [earlier.response, later.response];
  if (!first || !again || later.method !== 'GET' || earlier.receivedAt > later.sentAt) return false;
  // Refusals of wrong keys are often the same without any cache.
  if (again.status >= 400 && !isFromCache(later)) return false;
  const { remaining, reset } = earlier.rate;
  const isSame =
    earlier.method === later.method &&
    earlier.url === later.url &&
    first.status === again.status &&
    first.body === again.body &&
    remaining !== undefined &&
    remaining === later.rate.remaining &&
    reset === later.rate.reset;
  return (
    isSame &&
    exchanges.some(
      (each) =>
        each.key === 'valid' &&
        each.address === later.address &&
        each.sentAt >= earlier.receivedAt &&
        each.receivedAt <= later.sentAt &&
        each.rate.remaining !== undefined &&
        each.rate.remaining !== remaining,
    )
  );
}
