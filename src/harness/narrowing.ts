import type { Contract, Requirement } from '../contract/types.ts';
import type { Check } from '../judge/check.ts';
import type { Finding } from '../judge/finding.ts';
import { deriveProbes } from '../probes/derive.ts';
import type { RunPlan } from './plan.ts';

/**
 * The requirements that were not tested because of an option of the user, by option. What was not tested for any
 * other reason (a wait that is too long, an interruption) is not among them.
 */
export function narrowedRequirements(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  findings: Readonly<Record<string, Finding>>,
): { option: string; requirements: string[] }[] {
  const probes = deriveProbes(contract);
  const untested = contract.requirements.filter(
    ({ id }) => (findings[id]?.status ?? 'not-tested') === 'not-tested' && findings[id]?.cause === undefined,
  );
  return plan.narrowed.map(({ option, excluded }) => {
    const isLeftOut = (requirement: Requirement) => {
      if (findings[requirement.id] === undefined) return option === '--only';
      const check = checks.find((each) => each.requirement === requirement.id);
      return check !== undefined && probes.some((probe) => check.probes(probe) && excluded(probe));
    };
    return { option, requirements: untested.filter(isLeftOut).map(({ id }) => id) };
  });
}
