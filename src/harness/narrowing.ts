import type { Contract, Requirement } from '../contract/types.ts';
import type { Check } from '../judge/check.ts';
import type { Finding } from '../judge/finding.ts';
import { deriveProbes } from '../probes/derive.ts';
import type { Exchange } from '../session/exchange.ts';
import type { RunPlan } from './plan.ts';

/**
 * The requirements that were not tested because of an option of the user, by option. What was not tested for any
 * other reason (a wait that is too long, an interruption, an answer that was not read) is not among them.
 */
export function narrowedRequirements(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  { findings, exchanges }: { findings: Readonly<Record<string, Finding>>; exchanges: readonly Exchange[] },
): { option: string; requirements: string[] }[] {
  const probes = deriveProbes(contract);
  const unread = new Set(
    exchanges.filter(({ response }) => !response || response.unread !== undefined).map(({ id }) => id),
  );
  const isForItself = (finding: Finding | undefined) =>
    finding === undefined ||
    (finding.status === 'not-tested' &&
      finding.cause === undefined &&
      !finding.evidence.some((id) => unread.has(id)));
  const untested = contract.requirements.filter(({ id }) => isForItself(findings[id]));
  return plan.narrowed.map(({ option, excluded }) => {
    const isLeftOut = (requirement: Requirement) => {
      if (findings[requirement.id] === undefined) return option === '--only';
      const check = checks.find((each) => each.requirement === requirement.id);
      return check !== undefined && probes.some((probe) => check.probes(probe) && excluded(probe));
    };
    return { option, requirements: untested.filter(isLeftOut).map(({ id }) => id) };
  });
}
