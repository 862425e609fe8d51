import { type Finding, followsFrom, notTested } from '../model/finding.ts';
import { atOnce, type Steps } from '../model/large/steps.ts';
import { leavingOutContradicted } from './contradicted.ts';
import type { Check, Evidence } from './evidence/check.ts';
import { withOccurrences } from './evidence/fingerprints.ts';
import { levelsOf } from './evidence/judged.ts';

/**
 * The finding of every check. A check is not tested if a requirement that it needs is violated, which it then names, or if another
 * finding contradicts it.
 */
export function judgeAll(checks: readonly Check[], evidence: Evidence): Record<string, Finding> {
  return atOnce(judgingAll(checks, evidence));
}

/** The same in steps, one for each check. */
export function* judgingAll(checks: readonly Check[], evidence: Evidence): Steps<Record<string, Finding>> {
  const levels = levelsOf(evidence.contract);
  // Good practice is advised, not held against the target.
  const advised = (id: string, finding: Finding): Finding =>
    finding.status === 'violated' && levels.get(id) === 'should'
      ? { ...finding, status: 'advisory' }
      : finding;
  const findings: Record<string, Finding> = {};
  for (const check of checks) {
    findings[check.requirement] = advised(check.requirement, check.judge(evidence));
    yield;
  }
  const blocked = checks.flatMap((check) => {
    const cause = check.needs.find((need) => findings[need]?.status === 'violated');
    if (cause === undefined) return [];
    return [
      [
        check.requirement,
        notTested('blocked', `cannot be judged: ${findings[cause]?.reason}`, cause),
      ] as const,
    ];
  });
  const judged = yield* leavingOutContradicted(
    checks,
    { ...findings, ...Object.fromEntries(blocked) },
    evidence,
  );
  return Object.fromEntries(
    Object.entries(judged).map(([id, finding]) => [
      id,
      withOccurrences(id, withCause(advised(id, finding), judged), evidence.judged),
    ]),
  );
}

/** A finding that follows from another finding names it: the reason is there. */
function withCause(finding: Finding, findings: Readonly<Record<string, Finding>>): Finding {
  const { cause } = finding;
  if (cause === undefined || findings[cause]?.status === 'met') return finding;
  return followsFrom(finding, cause);
}
