import { judgeExchanges } from '../../judge/judge-exchanges.ts';
import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { probeIn, type RunPlan } from '../plan.ts';

/** Whether an exchange matters by itself: a refusal, a deviation, or rate limit headers that cannot be right. */
export function isNotable(contract: Contract, plan: RunPlan): (exchange: Exchange) => boolean {
  const probeOf = probeIn(plan);
  return (exchange) => {
    const { limit, remaining } = exchange.rate;
    if (
      exchange.response?.status === 429 ||
      limit === undefined ||
      remaining === undefined ||
      remaining > limit
    )
      return true;
    const probe = probeOf(exchange.probe);
    const circumstances = {
      contract,
      // This is asked of thousands of exchanges in an exhaustion: judging one of them needs no other probe.
      probes: probe ? [probe] : [],
      today: exchange.receivedAt,
      referencesKnown: true,
    };
    return judgeExchanges([exchange], circumstances).some(({ deviations }) => deviations.length > 0);
  };
}
