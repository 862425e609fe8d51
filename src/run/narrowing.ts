import type { Check } from '../judge/evidence/check.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import type { Finding } from '../model/finding.ts';
import { probesFor } from '../model/large/looking.ts';
import type { Probe } from '../model/probe.ts';
import type { NarrowedResult } from '../model/report/report.ts';
import type { Execution } from '../session/terms/types.ts';
import { probesOf } from './plan/probes.ts';
import type { RunPlan } from './plan.ts';

/** The probes that a run sent, and those of its plan that it did not. */
type SentProbes = Pick<Execution, 'exchanges' | 'unsent'>;

/**
 * The requirements that were not tested because of an option, by option. Requirements that were not tested for another
 * reason (no service, too long a wait, an interruption, an unread response) are not among them.
 */
export function narrowedRequirements(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  outcome: SentProbes & { findings: Readonly<Record<string, Finding>> },
): NarrowedResult[] {
  const { findings, exchanges } = outcome;
  const probes = probesOf(contract, checks, plan.seed);
  const unread = new Set(
    exchanges.filter(({ response }) => !response || response.unread !== undefined).map(({ id }) => id),
  );
  const isForItself = (finding: Finding | undefined) =>
    finding === undefined ||
    (finding.status === 'not-tested' &&
      finding.cause === undefined &&
      !finding.evidence.some((id) => unread.has(id)));
  const untested = contract.requirements.filter(({ id }) => isForItself(findings[id]));
  const held = heldBack(probes, plan, outcome);
  const byRequirement = new Map(checks.map((check) => [check.requirement, check]));
  return plan.narrowed.map(({ kind, option, excluded, leavesOut }) => {
    const isLeftOut = (requirement: Requirement) => {
      if (findings[requirement.id] === undefined) return kind === 'selection';
      if (leavesOut?.(requirement)) return true;
      const check = byRequirement.get(requirement.id);
      const lookedAt = check ? probesFor(probes, check).filter(check.probes) : [];
      if (leavesOut) return lookedAt.length > 0 && lookedAt.every(excluded);
      return lookedAt.some(excluded) && !lookedAt.some(held);
    };
    return { kind, option, requirements: untested.filter(isLeftOut).map(({ id }) => id) };
  });
}

/**
 * Whether a planned probe was not sent for a reason other than a missing value, of a request that an option left out or of a
 * response that lacks it.
 */
function heldBack(probes: readonly Probe[], plan: RunPlan, outcome: SentProbes): (probe: Probe) => boolean {
  const { exchanges, unsent } = outcome;
  const leftOut = probes.filter((probe) => plan.narrowed.some(({ excluded }) => excluded(probe)));
  const answered = exchanges.filter(({ response }) => response !== undefined);
  const sources = new Set([...leftOut.map(({ id }) => id), ...answered.map(({ probe }) => probe)]);
  const held = new Set(unsent.filter(({ cause }) => !cause || !sources.has(cause)).map(({ probe }) => probe));
  return ({ id }) => held.has(id);
}
