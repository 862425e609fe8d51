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
  return (exchange: Exchange, earlier: readonly Exchange[], referencesKnown: boolean) => {
    const probe = byId.get(exchange.probe);
    if (!probe) return [];
    // Without its controls: what explains its failure does not make it right.
    const needed = new Set(sourcesOf(probe));
    const seen = [...earlier.filter((each) => needed.has(each.probe)), exchange];
    const circumstances = { contract, probes, today: exchange.receivedAt, referencesKnown };
    const judged = judgeExchanges(seen, circumstances);
    const evidence: Evidence = { ...circumstances, judged, unsent: [], baseUrl, sharedKey: false };
    const own = judged.find((each) => each.exchange.id === exchange.id)?.deviations ?? [];
    const found = checks
      .filter(({ phase, requirement }) => phase === 'functional' && levels.get(requirement) === 'must')
      .filter((check) => {
        const { status, evidence: shown } = check.probes(probe) ? check.judge(evidence) : NOTHING;
        return status === 'violated' && shown.includes(exchange.id);
      });
    return [...new Set([...own, ...found].map(({ requirement }) => requirement))];
  };
}

const NOTHING = { status: 'met', evidence: [] } as const;
