import type { Check } from '../judge/check.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import type { Finding } from '../model/finding.ts';
import type { Probe } from '../model/probe.ts';
import type { Execution } from '../session/types.ts';
import { probesOf, type RunPlan } from './plan.ts';

/** What of a plan was sent, and why the rest was not. */
type Sent = Pick<Execution, 'exchanges' | 'unsent'>;

/**
 * The requirements that were not tested because of an option of the user, by option. What was not tested for any
 * other reason (a service that is not there, a wait that is too long, an interruption, an answer that was not read) is
 * not among them.
 */
export function narrowedRequirements(
  contract: Contract,
  checks: readonly Check[],
  plan: RunPlan,
  outcome: Sent & { findings: Readonly<Record<string, Finding>> },
): { option: string; requirements: string[] }[] {
  const { findings, exchanges } = outcome;
  const probes = probesOf(contract, checks);
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

/**
 * Whether a probe was to be sent and was not, for another reason than that its values were to come from an answer that
 * an option left out, or that did not have them.
 */
function heldBack(probes: readonly Probe[], plan: RunPlan, outcome: Sent): (probe: Probe) => boolean {
  const { exchanges, unsent } = outcome;
  const leftOut = probes.filter((probe) => plan.narrowed.some(({ excluded }) => excluded(probe)));
  const answered = exchanges.filter(({ response }) => response !== undefined);
  const sources = new Set([...leftOut.map(({ id }) => id), ...answered.map(({ probe }) => probe)]);
  const held = new Set(unsent.filter(({ cause }) => !cause || !sources.has(cause)).map(({ probe }) => probe));
  return ({ id }) => held.has(id);
}
