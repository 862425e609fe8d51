import type { Check, Evidence } from '../../judge/evidence/check.ts';
import { judgeExchanges } from '../../judge/judge-exchanges.ts';
import type { Contract } from '../../model/contract.ts';
import type { Exchange } from '../../model/exchange.ts';
import { checksLookingAt } from '../../model/large/lookups.ts';
import { type Probe, sourcesOf } from '../../model/probe.ts';
import type { SessionOptions } from '../../session/terms/types.ts';
import { probeIn, type RunPlan } from '../plan.ts';

/** The probes and checks that judge an exchange of a probe. */
interface Needs {
  /** The probes whose responses it uses, by id. */
  sources: ReadonlySet<string>;
  /** The probe itself, and its sources. */
  probes: readonly Probe[];
  /** The checks that look at it. */
  checks: readonly Check[];
}

/** Judges an exchange during a run, with the exchanges that it depends on: the requirements that it violates. */
export function violatedBy(
  contract: Contract,
  plan: RunPlan,
  baseUrl: string,
): NonNullable<SessionOptions['violatedBy']> {
  const needs = needsOf(contract, plan);
  return (exchange: Exchange, earlier: (probe: string) => readonly Exchange[], referencesKnown: boolean) => {
    const needed = needs(exchange.probe);
    if (!needed) return [];
    const { sources, probes, checks } = needed;
    // Without its controls: an explanation of a failure does not make it conform.
    const used = [...sources].flatMap(earlier).sort((left, right) => left.id - right.id);
    const seen = [...used, exchange];
    const circumstances = { contract, probes, today: exchange.receivedAt, referencesKnown };
    const judged = judgeExchanges(seen, circumstances);
    const evidence: Evidence = { ...circumstances, judged, unsent: [], baseUrl, sharedKey: false };
    // All deviations of the exchange, whichever check collects them.
    const deviations = judged.find((judgment) => judgment.exchange.id === exchange.id)?.deviations ?? [];
    const violated = checks.filter((check) => {
      const { status, evidence: shown } = check.judge(evidence);
      return status === 'violated' && shown.includes(exchange.id);
    });
    return [...new Set([...deviations, ...violated].map(({ requirement }) => requirement))];
  };
}

/** The needs of each probe of a plan by id. Many runs may share one plan. */
const needsOfPlans = new WeakMap<RunPlan, (id: string) => Needs | undefined>();

function needsOf({ requirements }: Contract, plan: RunPlan): (id: string) => Needs | undefined {
  const before = needsOfPlans.get(plan);
  if (before) return before;
  const musts = new Set(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  const judging = checksLookingAt(
    plan.checks.filter(
      ({ phase, requirement, isCollecting }) =>
        phase === 'functional' && musts.has(requirement) && !isCollecting,
    ),
  );
  const probeOf = probeIn(plan);
  const byId = new Map<string, Needs>();
  const needs = (id: string): Needs | undefined => {
    const probe = probeOf(id);
    if (!probe) return undefined;
    const earlier = byId.get(id);
    if (earlier) return earlier;
    const sources = new Set(sourcesOf(probe));
    const further = [...sources].flatMap((source) => (source === id ? [] : (probeOf(source) ?? [])));
    const needed = { sources, probes: [probe, ...further], checks: judging(probe) };
    byId.set(id, needed);
    return needed;
  };
  needsOfPlans.set(plan, needs);
  return needs;
}
