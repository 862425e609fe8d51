import type { Requirement } from '../model/contract.ts';
import type { Interface } from '../run/contract-of.ts';
import { probesOf } from '../run/plan/probes.ts';

export interface RequirementCoverage extends Requirement {
  /** Phases of the checks that judge it. */
  checks: string[];
  /** Probes that these checks look at. */
  probes: string[];
  /** Faults of the reference that violate it. */
  faults: string[];
  /** Variants of the reference that leave it untested or, if it is open, show another behavior. */
  variants: string[];
}

/** The faults and variants of a reference. */
export interface Catalogue {
  faults: readonly { id: string; summary: string; violates: readonly string[] }[];
  variants: readonly { id: string; summary: string; untested?: readonly string[] }[];
  /** Variants with another behavior where the interface leaves it open, by the id of the open requirement. */
  open: Readonly<Record<string, readonly string[]>>;
}

const NONE: Catalogue = { faults: [], variants: [], open: {} };

/** The checks, probes, faults and variants of each requirement. */
export function coverageOf(
  { contract, checks }: Interface,
  { faults, variants, open }: Catalogue = NONE,
): RequirementCoverage[] {
  const probes = probesOf(contract, checks);
  return contract.requirements.map((requirement) => {
    const requirementChecks = checks.filter((check) => check.requirement === requirement.id);
    return {
      ...requirement,
      checks: requirementChecks.map(({ phase }) => phase),
      probes: probes
        .filter((probe) => requirementChecks.some((check) => check.probes(probe)))
        .map(({ id }) => id),
      faults: faults.filter(({ violates }) => violates.includes(requirement.id)).map(({ id }) => id),
      variants: [
        ...(open[requirement.id] ?? []),
        ...variants.filter(({ untested }) => untested?.includes(requirement.id)).map(({ id }) => id),
      ],
    };
  });
}
