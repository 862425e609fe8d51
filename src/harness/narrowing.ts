import type { Contract, Requirement } from '../contract/types.ts';
import type { Check } from '../judge/check.ts';
import type { Finding } from '../judge/finding.ts';
import { deriveProbes } from '../probes/derive.ts';
import type { Probe } from '../probes/types.ts';
import type { Execution } from '../session/types.ts';
import type { RunPlan } from './plan.ts';

/**
 * The requirements that were not tested because of an option of the user, by option. What was not tested for any
 * other reason (a service that is not there, a wait that is too long, an interruption, an answer that was not read) is
 * not among them.
 */
export function narrowedRequirements(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  outcome: Pick<Execution, 'exchanges' | 'unsent'> & { findings: Readonly<Record<string, Finding>> },
): { option: string; requirements: string[] }[] {
  const { findings, exchanges } = outcome;
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
  const held = heldBack(probes, plan, outcome);
  return plan.narrowed.map(({ option, excluded }) => {
    const isLeftOut = (requirement: Requirement) => {
      if (findings[requirement.id] === undefined) return option === '--only';
      const check = checks.find((each) => each.requirement === requirement.id);
      const own = check ? probes.filter((probe) => check.probes(probe)) : [];
      return own.some(excluded) && !own.some(held);
    };
    return { option, requirements: untested.filter(isLeftOut).map(({ id }) => id) };
  });
}

/** Whether a probe was to be sent and was not, for another reason than that an option left out what it depends on. */
function heldBack(
  probes: readonly Probe[],
  plan: RunPlan,
  { unsent }: Pick<Execution, 'unsent'>,
): (probe: Probe) => boolean {
  const leftOut = new Set(
    probes.filter((probe) => plan.narrowed.some(({ excluded }) => excluded(probe))).map(({ id }) => id),
  );
  const held = new Set(
    unsent.filter(({ cause }) => cause === undefined || !leftOut.has(cause)).map(({ probe }) => probe),
  );
  return ({ id }) => held.has(id);
}
