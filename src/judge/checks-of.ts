import type { Contract } from '../model/contract.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import type { Check } from './check.ts';
import { derivingChecks } from './derived-checks.ts';
import { generalChecks, withMissingValues } from './general-checks.ts';
import { semanticChecks } from './written/semantic-checks.ts';

const known = new WeakMap<Contract, { suites: readonly Check[]; checks: readonly Check[] }>();

/**
 * Every check of an interface: those that its OpenAPI document implies, and those of its suites, which replace an implied one
 * of the same requirement. Checks of requirements that a newer set adds are left out.
 */
export function checksOf(contract: Contract, suites: readonly Check[]): readonly Check[] {
  return atOnce(makingChecks(contract, suites));
}

/** The same in steps. */
export function* makingChecks(contract: Contract, suites: readonly Check[]): Steps<readonly Check[]> {
  const last = known.get(contract);
  if (last?.suites === suites) return last.checks;
  const own = new Set(suites.map(({ requirement }) => requirement));
  const written = contract.isComplete ? [] : semanticChecks(contract);
  const replaced = new Set([...own, ...written.map(({ requirement }) => requirement)]);
  const derived = yield* derivingChecks(contract);
  const implied = derived.filter(({ requirement }) => !replaced.has(requirement));
  const general = contract.isComplete
    ? []
    : [...generalChecks(contract), ...written].filter(({ requirement }) => !own.has(requirement));
  const newer = new Set(contract.newer.map(({ id }) => id));
  const all = [...implied, ...general, ...suites].filter(({ requirement }) => !newer.has(requirement));
  const checks = contract.isComplete ? all : withMissingValues(all, contract);
  known.set(contract, { suites, checks });
  return checks;
}
