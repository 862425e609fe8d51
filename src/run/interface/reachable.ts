import { derivedRequirements } from '../../contract/requirements.ts';
import type { Check } from '../../judge/evidence/check.ts';
import { type Contract, ContractError, type Operation, type Requirement } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { didYouMean } from '../../model/usage-error.ts';
import { probe } from '../../probes/probe.ts';
import { successes } from '../../probes/reads/find-reads.ts';
import { probesOf, seedOf } from '../plan/probes.ts';

/**
 * Refuses an interface with a sentence that no run could judge, or with a check of no sentence: both are mistakes of whoever
 * wrote it, and a run would never be complete.
 * @throws ContractError with one line
 */
export function refuseUnreachable(contract: Contract, checks: readonly Check[]): void {
  const { requirements, stated } = contract;
  const ids = new Set(requirements.map(({ id }) => id));
  const stranger = checks.find(({ requirement }) => !ids.has(requirement));
  if (stranger)
    throw new ContractError(
      `suites/: a check judges ${stranger.requirement}, which requirements.yaml does not list${didYouMean(stranger.requirement, [...ids])}`,
    );
  const byId = new Map(checks.map((each) => [each.requirement, each]));
  const unchecked = requirements.find(
    ({ id, source, level }) => source === 'listed' && level !== 'open' && !byId.has(id),
  );
  if (unchecked)
    throw new ContractError(
      `requirements.yaml: nothing judges ${unchecked.id}; add a check of it to suites/, or make its level open`,
    );
  if (stated.length === 0) return;
  const own = new Set(stated);
  const isTested = reachableBy(contract, checks);
  const untested = requirements
    .filter((each) => own.has(each.id) && !isTested(each, byId.get(each.id)))
    .find(({ level }) => level === 'must');
  if (untested)
    throw new ContractError(
      `requirements.yaml: no request that petspec sends tests ${untested.id}; ${REMEDY[untested.source]}`,
    );
}

const REMEDY: Readonly<Record<Requirement['source'], string>> = {
  listed: 'let its check look at other probes, or add one to it, or make its level should',
  openapi: 'add a check of it to suites/, or make its level should',
};

/**
 * Whether a request of some run can test a requirement. For an operation that petspec cannot ask, because a value is missing or
 * because it does not know what it changes, examples can allow a request.
 */
function reachableBy(
  contract: Contract,
  checks: readonly Check[],
): (requirement: Requirement, check: Check | undefined) => boolean {
  const probes = probesOf(contract, checks, seedOf(contract));
  const asked = new Set(probes.map(({ operation }) => operation));
  const others = contract.operations.filter(({ id }) => !asked.has(id));
  const allowed = others.map(exampleProbe);
  const implied = new Set(derivedRequirements(others).map(({ id }) => id));
  // Each check of the user's is tried with every probe, so that one that throws is known now.
  return ({ id }, check) =>
    [...probes, ...allowed].filter((each) => check?.probes(each)).length > 0 || implied.has(id);
}

/** The request of an operation whose values the user states. */
function exampleProbe(operation: Operation): Probe {
  return probe(operation, 'example', 'other', {
    title: 'as in the examples',
    expectation: expecting(successes(operation)),
  });
}
