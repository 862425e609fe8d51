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

/** Why no request can be sent to an operation: the value that petspec lacks, by operation id. */
type Missing = ReadonlyMap<string, string>;

const cachedChecks = new WeakMap<Contract, { suites: readonly Check[]; checks: readonly Check[] }>();

/**
 * Every check of an interface: the checks that its OpenAPI document implies, and those of its suites, which replace implied checks of
 * the same requirement. Requirements of a newer set get no check.
 * @param missing why no request can be sent to an operation, by operation id
 */
export function checksOf(contract: Contract, suites: readonly Check[], missing?: Missing): readonly Check[] {
  return atOnce(makingChecks(contract, suites, missing));
}

/** `checksOf` in steps. */
export function* makingChecks(
  contract: Contract,
  suites: readonly Check[],
  missing: Missing = new Map(),
): Steps<readonly Check[]> {
  const last = cachedChecks.get(contract);
  if (last?.suites === suites) return last.checks;
  const bySuites = new Set(suites.map(({ requirement }) => requirement));
  const written = contract.isComplete
    ? []
    : [...semanticChecks(contract), ...listChecks(contract), ...followedChecks(contract)];
  const replaced = new Set([...bySuites, ...written.map(({ requirement }) => requirement)]);
  const derived = yield* derivingChecks(contract);
  const implied = derived.filter(({ requirement }) => !replaced.has(requirement));
  const general = contract.isComplete
    ? []
    : [...generalChecks(contract), ...written].filter(({ requirement }) => !bySuites.has(requirement));
  const newer = new Set(contract.newer.map(({ id }) => id));
  const applicable = [...implied, ...general, ...suites].filter(({ requirement }) => !newer.has(requirement));
  const checks = withMissingValues(applicable, contract, missing);
  cachedChecks.set(contract, { suites, checks });
  return checks;
}

/** The largest number of statuses that an observation names. */
const MAX_NAMED = 20;

/**
 * The checks for a user's document: requirements of every service, and observations of responses that the document lists without a
 * condition.
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
    // The requests that use up the limit are sent until one is refused.
    observe(
      'open.refusals',
      ({ key, validity, stage }) => key === 'valid' && validity !== 'invalid' && stage !== 'exhaust',
      refusals,
    ),
  ].filter(({ requirement }) => ids.has(requirement));
  const listed = contract.operations.flatMap((operation) =>
    operation.responses
      .filter(({ requirement }) => open.has(requirement))
      .map((response) => statusCheck(operation, response)),
  );
  return [...general, ...listed];
}

/** The check of a limit that the user or requirements.yaml states. */
function limiterCheck(requirement: string, judge: Check['judge']): Check {
  const probes: Check['probes'] = ({ stage }) => stage === 'exhaust' || stage === 'recover';
  return { requirement, phase: 'limiter', probes, needs: [], judge };
}

function refusals(results: readonly Judged[]): string | undefined {
  const refused = results.flatMap(({ exchange, operation, probe }) => {
    const status = exchange.response?.status;
    return status !== undefined && isRefusedForNow(probe, operation, status)
      ? [`${operation.method} ${operation.path}: ${status}`]
      : [];
  });
  return refused.length === 0 ? undefined : [...new Set(refused)].slice(0, MAX_NAMED).join(', ');
}

/** Observes how often a response came for which the document states no condition. */
function statusCheck(operation: Operation, { requirement, status }: DocumentedResponse): Check {
  return observe(
    requirement,
    (probe) => probe.operation === operation.id,
    (results) => {
      const received = results.flatMap(({ exchange }) => exchange.response?.status ?? []);
      const matching = received.filter((code) => documentedStatus(operation, code) === status);
      return matching.length === 0 ? undefined : `${matching.length} of ${received.length} responses`;
    },
    new Set([operation.id]),
  );
}

/** If no request can be sent to an operation, its checks name the missing value. */
export function withMissingValues(
  checks: readonly Check[],
  contract: Contract,
  missing: Missing,
): readonly Check[] {
  if (missing.size === 0) return checks;
  const operations = new Map(contract.requirements.map(({ id, operation }) => [id, operation]));
  const showing = responsesByRequirement(contract);
  return checks.map((check) => {
    const id = operations.get(check.requirement);
    // A part of a body belongs to no operation: every operation with it in a response shows it.
    const ids = id === undefined ? [...(showing.get(check.requirement)?.keys() ?? [])] : [id];
    const reason = ids.every((id) => missing.has(id)) ? missing.get(ids[0] ?? '') : undefined;
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
