import type { Check } from '../judge/check.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import { faults } from '../reference/faults/index.ts';
import { variants } from '../reference/variants/index.ts';
import { OPEN } from '../reference/variants/open.ts';
import { probesOf } from '../run/plan.ts';

export interface Coverage extends Requirement {
  /** Phases of the checks that judge it. */
  checks: string[];
  /** Probes that these look at. */
  probes: string[];
  /** Faults of the reference that violate it. */
  faults: string[];
  /** Variants of the reference that leave it untested or, if it is open, show another behavior. */
  variants: string[];
}

/** What covers each requirement. */
export function coverageOf(contract: Contract, checks: readonly Check[]): Coverage[] {
  const probes = probesOf(contract, checks);
  return contract.requirements.map((requirement) => {
    const own = checks.filter((check) => check.requirement === requirement.id);
    return {
      ...requirement,
      checks: own.map(({ phase }) => phase),
      probes: probes.filter((probe) => own.some((check) => check.probes(probe))).map(({ id }) => id),
      faults: faults
        .filter(({ violates }) => (violates as readonly string[]).includes(requirement.id))
        .map(({ id }) => id),
      variants: [
        ...(OPEN[requirement.id] ?? []),
        ...variants.filter(({ untested }) => untested?.includes(requirement.id)).map(({ id }) => id),
      ],
    };
  });
}
