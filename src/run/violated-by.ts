import type { Check, Evidence } from '../judge/evidence/check.ts';
import { judgeExchanges } from '../judge/judge-exchanges.ts';
import type { Contract } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { checksLookingAt } from '../model/large/looking.ts';
import { type Probe, sourcesOf } from '../model/probe.ts';
import type { SessionOptions } from '../session/terms/types.ts';
import { probeIn, type RunPlan } from './plan.ts';

/** What judging an exchange of a probe takes. */
interface Needs {
  /** The probes whose responses it uses. */
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
    // Without its controls: what explains its failure does not make it right.
    const used = [...sources].flatMap(earlier).sort((one, other) => one.id - other.id);
    const seen = [...used, exchange];
    const circumstances = { contract, probes, today: exchange.receivedAt, referencesKnown };
    const judged = judgeExchanges(seen, circumstances);
    const evidence: Evidence = { ...circumstances, judged, unsent: [], baseUrl, sharedKey: false };
    // All that it deviates from, whichever check collects it.
    const own = judged.find((each) => each.exchange.id === exchange.id)?.deviations ?? [];
    const found = checks.filter((check) => {
      const { status, evidence: shown } = check.judge(evidence);
      return status === 'violated' && shown.includes(exchange.id);
    });
    return [...new Set([...own, ...found].map(({ requirement }) => requirement))];
  };
}

/** The needs of each probe, by its id. Many runs may have one plan. */
const known = new WeakMap<RunPlan, (id: string) => Needs | undefined>();

function needsOf({ requirements }: Contract, plan: RunPlan): (id: string) => Needs | undefined {
  const before = known.get(plan);
  if (before) return before;
  const musts = new Set(requirements.filter(({ level }) => level === 'must').map(({ id }) => id));
  const judging = checksLookingAt(
    plan.checks.filter(
      ({ phase, requirement, isCollecting }) =>
        phase === 'functional' && musts.has(requirement) && !isCollecting,
    ),
  );
  const probeOf = probeIn(plan);
  const found = new Map<string, Needs>();
  const needs = (id: string): Needs | undefined => {
    const probe = probeOf(id);
    if (!probe) return undefined;
    const known = found.get(id);
    if (known) return known;
    const sources = new Set(sourcesOf(probe));
    const others = [...sources].flatMap((each) => (each === id ? [] : (probeOf(each) ?? [])));
    const own = { sources, probes: [probe, ...others], checks: judging(probe) };
    found.set(id, own);
    return own;
  };
  known.set(plan, needs);
  return needs;
}
