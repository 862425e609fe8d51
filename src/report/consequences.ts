import { isSeen, isViolation, type Report, type RequirementResult } from '../model/report/report.ts';

/** Whether a requirement was not tested because of another finding. */
export function followsFromOther({ status, cause }: Pick<RequirementResult, 'status' | 'cause'>): boolean {
  return status === 'not-tested' && cause !== undefined;
}

/** Requirements in their order, those last that follow from other findings. */
export function consequencesLast(requirements: readonly RequirementResult[]): RequirementResult[] {
  return requirements.toSorted(
    (one, other) => Number(followsFromOther(one)) - Number(followsFromOther(other)),
  );
}

/** The findings that follow from the root cause of a report, by status. */
export interface Consequences {
  violated: readonly RequirementResult[];
  advisories: readonly RequirementResult[];
  untested: readonly RequirementResult[];
  observed: readonly RequirementResult[];
  /** Whether a finding is one of them. */
  has(result: Pick<RequirementResult, 'id'>): boolean;
}

/** The findings that a report folds under its root cause. A single violation is not folded: it says more by itself. */
export function consequencesOf(report: Report): Consequences {
  const ids = new Set(report.rootCause?.requirements);
  const all = report.requirements.filter(({ id }) => ids.has(id));
  const violations = all.filter((each) => isViolation(report, each));
  const violated = violations.length > 1 ? violations : [];
  const others = all.filter((each) => !violations.includes(each));
  const advisories = others.filter(({ status }) => status === 'advisory');
  const untested = others.filter(({ status }) => status === 'not-tested');
  const observed = others.filter(isSeen);
  const folded = new Set([...violated, ...advisories, ...untested, ...observed].map(({ id }) => id));
  return { violated, advisories, untested, observed, has: ({ id }) => folded.has(id) };
}

/** The longest command, in characters, that is shown for a root cause. */
const MAX_COMMAND = 2_000;

/** A command that repeats one of the requests that the root cause violates. */
export function commandOf({ violated }: Pick<Consequences, 'violated'>): string | undefined {
  return violated.flatMap(({ curl }) => curl ?? []).find(({ length }) => length <= MAX_COMMAND);
}

/** How many ids a line names. */
const MAX_NAMED = 8;

/** Ids in a line; of many, the first ones and the number of the others. */
export function named(results: readonly RequirementResult[]): string {
  const ids = results.map(({ id }) => id);
  const left = ids.length - MAX_NAMED;
  return left <= 1 ? ids.join(', ') : `${ids.slice(0, MAX_NAMED).join(', ')} and ${left} more`;
}
