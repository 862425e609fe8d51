// A run under vitest registers its tests with this alone: it loads no reference.
import type { TestContext } from 'vitest';
import type { Contract, Requirement } from '../model/contract.ts';
import { groupedBy } from '../model/large/grouped.ts';
import type { RunPlan } from '../run/plan.ts';

/**
 * Registers a test for each requirement of a plan, in a `describe` for each section of the interface.
 * @param vitest the one that runs the calling file
 * @param body throws if the requirement is violated
 */
export function registerRequirements(
  { describe, test }: Pick<typeof import('vitest'), 'describe' | 'test'>,
  contract: Contract,
  plan: Pick<RunPlan, 'checks'>,
  body: (requirement: Requirement, context: TestContext) => void | Promise<void>,
): void {
  const planned = new Set(plan.checks.map(({ requirement }) => requirement));
  const requirements = contract.requirements.filter(({ id }) => planned.has(id));
  for (const [section, own] of groupedBy(requirements, (each) => each.section))
    describe(section, () => {
      for (const requirement of own)
        test(`${requirement.id}: ${requirement.statement}`, (context) => body(requirement, context));
    });
}
