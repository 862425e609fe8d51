import type { Contract, DocumentedResponse, Operation } from '../model/contract.ts';
import { notTested } from '../model/finding.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import { derivingChecks, ownedCheck, responsesByRequirement } from './derived-checks.ts';
import { type Check, observe } from './evidence/check.ts';
import type { Judged } from './evidence/judged.ts';
import { documentedStatus, isRefusedForNow } from './exchange/status.ts';
import { judgeRecovery } from './limiter/recovery.ts';
import { judgeEnforced } from './limiter/refusals.ts';
import { followedChecks } from './written/followed-pages.ts';
import { listChecks } from './written/list-checks.ts';
import { semanticChecks } from './written/semantic-checks.ts';

/** Why nothing can be sent to an operation, by its id: the value that is not known. */
type Missing = ReadonlyMap<string, string>;

const known = new WeakMap<Contract, { suites: readonly Check[]; checks: readonly Check[] }>();

/**
 * Every check of an interface: those that its OpenAPI document implies, and those of its suites, which replace an implied one
 * of the same requirement. Checks of requirements that a newer set adds are left out.
 * @param missing why nothing can be sent to an operation, by its id
 */
export function checksOf(contract: Contract, suites: readonly Check[], missing?: Missing): readonly Check[] {
  return atOnce(makingChecks(contract, suites, missing));
}

/** The same in steps. */
export function* makingChecks(
  contract: Contract,
  suites: readonly Check[],
  missing: Missing = new Map(),
): Steps<readonly Check[]> {
  const last = known.get(contract);
  if (last?.suites === suites) return last.checks;
  const own = new Set(suites.map(({ requirement }) => requirement));
  const written = contract.isComplete
    ? []
    : [...semanticChecks(contract), ...listChecks(contract), ...followedChecks(contract)];
  const replaced = new Set([...own, ...written.map(({ requirement }) => requirement)]);
  const derived = yield* derivingChecks(contract);
  const implied = derived.filter(({ requirement }) => !replaced.has(requirement));
  const general = contract.isComplete
    ? []
    : [...generalChecks(contract), ...written].filter(({ requirement }) => !own.has(requirement));
  const newer = new Set(contract.newer.map(({ id }) => id));
  const all = [...implied, ...general, ...suites].filter(({ requirement }) => !newer.has(requirement));
  const checks = withMissingValues(all, contract, missing);
  known.set(contract, { suites, checks });
  return checks;
}

/** The largest number of statuses that an observation names. */
const MAX_NAMED = 20;

/**
 * The checks for a document of the user's: what holds for every service, and what is seen of the responses that the document
 * lists without saying when they come.
 */
export function generalChecks(contract: Contract): Check[] {
  const ids = new Set(contract.requirements.map(({ id }) => id));
  const open = new Set(contract.requirements.filter(({ level }) => level === 'open').map(({ id }) => id));
  const general = [
    ...['service.http', 'service.content-type', 'service.json'].map((id) =>
      ownedCheck(id, () => true, 'every-exchange'),
    ),
    ownedCheck('authentication.key', ({ rule }) => rule === 'authentication.key'),
    limiterCheck('rate-limit.enforced', judgeEnforced),
    limiterCheck('rate-limit.recovery', judgeRecovery),
    observe('open.refusals', ({ key }) => key === 'valid', refusals),
  ].filter(({ requirement }) => ids.has(requirement));
  const listed = contract.operations.flatMap((operation) =>
    operation.responses
      .filter(({ requirement }) => open.has(requirement))
      .map((response) => listedStatus(operation, response)),
  );
  return [...general, ...listed];
}

/** The requirements of a limit that the user or requirements.yaml states. */
function limiterCheck(requirement: string, judge: Check['judge']): Check {
  const probes: Check['probes'] = ({ stage }) => stage === 'exhaust' || stage === 'recover';
  return { requirement, phase: 'limiter', probes, needs: [], judge };
}

function refusals(seen: readonly Judged[]): string | undefined {
  const refused = seen.flatMap(({ exchange, operation, probe }) => {
    const status = exchange.response?.status;
    return status !== undefined && isRefusedForNow(probe, operation, status)
      ? [`${operation.method} ${operation.path}: ${status}`]
      : [];
  });
  return refused.length === 0 ? undefined : [...new Set(refused)].slice(0, MAX_NAMED).join(', ');
}

/** Observes how often a response came for which the document states no condition. */
function listedStatus(operation: Operation, { requirement, status }: DocumentedResponse): Check {
  return observe(
    requirement,
    (probe) => probe.operation === operation.id,
    (seen) => {
      const received = seen.flatMap(({ exchange }) => exchange.response?.status ?? []);
      const own = received.filter((each) => documentedStatus(operation, each) === status);
      return own.length === 0 ? undefined : `${own.length} of ${received.length} responses`;
    },
    new Set([operation.id]),
  );
}

/** Checks that name the missing value of an operation to which nothing can be sent. */
export function withMissingValues(
  checks: readonly Check[],
  contract: Contract,
  missing: Missing,
): readonly Check[] {
  if (missing.size === 0) return checks;
  const operations = new Map(contract.requirements.map(({ id, operation }) => [id, operation]));
  const showing = responsesByRequirement(contract);
  return checks.map((check) => {
    const own = operations.get(check.requirement);
    // A part of a body has no operation of its own: those whose responses have it show it.
    const all = own === undefined ? [...(showing.get(check.requirement)?.keys() ?? [])] : [own];
    const reason = all.every((each) => missing.has(each)) ? missing.get(all[0] ?? '') : undefined;
    if (reason === undefined) return check;
    return {
      ...check,
      judge(evidence) {
        const finding = check.judge(evidence);
        return finding.untested === 'not-planned' ? notTested('value-unknown', reason) : finding;
      },
    };
  });
}
