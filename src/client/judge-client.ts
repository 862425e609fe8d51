import { clientChecks } from '../../suites/clients/index.ts';
import { withOccurrences } from '../judge/evidence/fingerprints.ts';
import type { Contract, Requirement } from '../model/contract.ts';
import { type Finding, notTested } from '../model/finding.ts';
import type { NarrowedResult } from '../model/report/report.ts';
import { narrowedByTraffic } from '../model/report/run-record.ts';
import { selectRequirements } from '../run/plan/select.ts';
import { attempt, Bugs } from '../traffic/bugs.ts';
import type { ClientTraffic } from '../traffic/client-check.ts';

/** The findings about a client, and what narrows them. */
export interface ClientFindings {
  requirements: readonly Requirement[];
  findings: Readonly<Record<string, Finding>>;
  narrowed: readonly NarrowedResult[];
}

/** The requirements of clients. */
export function clientRequirements(contract: Contract): Requirement[] {
  return clientChecks(contract).map(({ requirement }) => requirement);
}

/**
 * The requirements of clients that the user selects.
 * @throws UsageError if a pattern selects none
 */
export function selectClientRequirements(
  requirements: readonly Requirement[],
  only: readonly string[],
): readonly Requirement[] {
  return selectRequirements(requirements, { only }, 'petspec requirements --clients');
}

/**
 * Judges the requests of a client. What it never exercised narrows the verdict, as an option does.
 * @param only ids, globs, sections or operations; empty for all
 * @param bugs notes the bugs that keep a requirement from being judged
 * @throws UsageError if `only` selects nothing
 */
export function judgeClient(
  traffic: ClientTraffic,
  only: readonly string[] = [],
  bugs = new Bugs(),
): ClientFindings {
  const checks = clientChecks(traffic.contract);
  const requirements = checks.map(({ requirement }) => requirement);
  const selected = new Set(selectClientRequirements(requirements, only).map(({ id }) => id));
  const sent = traffic.scenarios.flatMap(({ requests }) =>
    requests.flatMap(({ exchange, classified: { operation } }) =>
      operation ? [{ exchange, operation }] : [],
    ),
  );
  const findings = Object.fromEntries(
    checks
      .filter(({ requirement }) => selected.has(requirement.id))
      .map(({ requirement, judge }) => {
        const judged = attempt(() => judge(traffic));
        if ('value' in judged) return [requirement.id, withOccurrences(requirement.id, judged.value, sent)];
        bugs.note(judged.error, 0);
        return [
          requirement.id,
          notTested('blocked', 'a bug of petspec keeps it from being judged; please report it'),
        ];
      }),
  );
  return { requirements, findings, narrowed: narrowedByTraffic(requirements, findings) };
}
