import type { Evidence } from '../judge/check.ts';
import { judgeExchanges } from '../judge/exchange/judge-exchanges.ts';
import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { sourcesOf } from '../session/learnt-values.ts';
import type { SessionOptions } from '../session/types.ts';
import type { RunPlan } from './plan.ts';

/** Judges an exchange during a run, with the exchanges that it depends on: the requirements that it violates. */
export function violatedBy(
  contract: Contract,
  { probes, checks }: RunPlan,
  baseUrl: string,
): NonNullable<SessionOptions['violatedBy']> {
  const byId = new Map(probes.map((each) => [each.id, each]));
  const levels = new Map(contract.requirements.map(({ id, level }) => [id, level]));
  const judging = checks.filter(
    ({ phase, requirement, isCollecting }) =>
      phase === 'functional' && levels.get(requirement) === 'must' && !isCollecting,
  );
  return (exchange: Exchange, earlier: readonly Exchange[], referencesKnown: boolean) => {
    const probe = byId.get(exchange.probe);
    if (!probe) return [];
    // Without its controls: what explains its failure does not make it right.
    const needed = new Set(sourcesOf(probe));
    const seen = [...earlier.filter((each) => needed.has(each.probe)), exchange];
    const circumstances = { contract, probes, today: exchange.receivedAt, referencesKnown };
    const judged = judgeExchanges(seen, circumstances);
    const evidence: Evidence = { ...circumstances, judged, unsent: [], baseUrl, sharedKey: false };
    // All that it deviates from, whichever check collects it.
    const own = judged.find((each) => each.exchange.id === exchange.id)?.deviations ?? [];
    const found = judging.filter((check) => {
      if (!check.probes(probe)) return false;
      const { status, evidence: shown } = check.judge(evidence);
      return status === 'violated' && shown.includes(exchange.id);
    });
    return [...new Set([...own, ...found].map(({ requirement }) => requirement))];
  };
}
