import { isSeen, isViolation, type Report, type RequirementResult } from '../../model/report/report.ts';

/** Whether a requirement was not tested because of another finding. */
export function followsFromOther({ status, cause }: Pick<RequirementResult, 'status' | 'cause'>): boolean {
  return status === 'not-tested' && cause !== undefined;
}

/** Requirements in their order, but consequences of other findings last. */
export function consequencesLast(requirements: readonly RequirementResult[]): RequirementResult[] {
  return requirements.toSorted(
    (left, right) => Number(followsFromOther(left)) - Number(followsFromOther(right)),
  );
}

/** The results that follow from the root cause of a report, by status. */
export interface Consequences {
  violated: readonly RequirementResult[];
  advisories: readonly RequirementResult[];
  untested: readonly RequirementResult[];
  observed: readonly RequirementResult[];
  /** Whether a result is a consequence. */
  has(result: Pick<RequirementResult, 'id'>): boolean;
}

/** The results that a report folds under its root cause. A single violation is not folded, because it says more than the cause. */
export function consequencesOf(report: Report): Consequences {
  const ids = new Set(report.rootCause?.requirements);
  const caused = report.requirements.filter(({ id }) => ids.has(id));
  const violations = caused.filter((requirement) => isViolation(report, requirement));
  const violated = violations.length > 1 ? violations : [];
  const notViolated = caused.filter((requirement) => !violations.includes(requirement));
  const advisories = notViolated.filter(({ status }) => status === 'advisory');
  const untested = notViolated.filter(({ status }) => status === 'not-tested');
  const observed = notViolated.filter(isSeen);
  const folded = new Set([...violated, ...advisories, ...untested, ...observed].map(({ id }) => id));
  return { violated, advisories, untested, observed, has: ({ id }) => folded.has(id) };
}

/** The longest command, in characters, that is shown for a root cause. */
const MAX_COMMAND = 2_000;

/** A command that repeats a request that shows the root cause. */
export function commandOf({ violated }: Pick<Consequences, 'violated'>): string | undefined {
  return violated.flatMap(({ curl }) => curl ?? []).find(({ length }) => length <= MAX_COMMAND);
}

/** Ids that a line names. */
const MAX_NAMED = 8;

/** Ids in a line: all of them, or the first ones and the number of the rest. */
export function named(results: readonly RequirementResult[]): string {
  const ids = results.map(({ id }) => id);
  const unnamed = ids.length - MAX_NAMED;
  return unnamed <= 1 ? ids.join(', ') : `${ids.slice(0, MAX_NAMED).join(', ')} and ${unnamed} more`;
}
