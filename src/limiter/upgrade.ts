import type { RatePlan } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';

/**
 * The first response that states the limit of a higher plan, if all before it state one plan's and all after it the
 * higher one's: the plan was upgraded meanwhile (interface: Rate limit headers, "Higher limits come from a plan
 * upgrade").
 */
export function upgradeOf(
  exchanges: readonly Exchange[],
  ratePlans: Readonly<Record<string, RatePlan>>,
): Exchange | undefined {
  const told = exchanges.filter((each) => each.key === 'valid' && each.rate.limit !== undefined);
  const [first] = told;
  const isOf =
    ({ minute, day }: RatePlan) =>
    ({ rate: { limit } }: Exchange) =>
      limit === minute || limit === day;
  const plans = Object.values(ratePlans).filter(({ minute }) => minute !== undefined);
  const highest = Math.max(...plans.map(({ minute }) => Number(minute)));
  for (const before of plans.filter((plan) => first && isOf(plan)(first))) {
    const at = told.findIndex((each) => !isOf(before)(each));
    const higher = plans.filter((plan) => Number(plan.minute) > Number(before.minute));
    // Responses that were under way cross.
    const since = told[at]?.receivedAt ?? 0;
    const later = told.filter(({ sentAt }) => sentAt > since);
    const changed = told[at];
    if (changed === undefined) continue;
    const isUpgrade = (isOfHigher: (exchange: Exchange) => boolean) => [changed, ...later].every(isOfHigher);
    if (higher.some((plan) => isUpgrade(isOf(plan)))) return changed;
    // A limit above those of all plans is agreed individually.
    const custom = Number(changed.rate.limit);
    if (custom > highest && isUpgrade(({ rate: { limit } }) => limit === custom)) return changed;
  }
  return undefined;
}
