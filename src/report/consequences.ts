import { isSeen, isViolation, type Report, type RequirementResult } from '../model/report/report.ts';

/** Findings that follow from the root cause of a report, by what they are; the rest is none of them. */
export interface Folded {
  violated: readonly RequirementResult[];
  advised: readonly RequirementResult[];
  untested: readonly RequirementResult[];
  observed: readonly RequirementResult[];
  /** Whether a finding is one of them. */
  has(result: Pick<RequirementResult, 'id'>): boolean;
}

/** What a report folds under its root cause. A violation that follows alone says more itself, and is not folded. */
export function foldedIn(report: Report): Folded {
  const ids = new Set(report.rootCause?.requirements);
  const all = report.requirements.filter(({ id }) => ids.has(id));
  const violations = all.filter((each) => isViolation(report, each));
  const violated = violations.length > 1 ? violations : [];
  const others = all.filter((each) => !violations.includes(each));
  const advised = others.filter(({ status }) => status === 'advisory');
  const untested = others.filter(({ status }) => status === 'not-tested');
  const observed = others.filter(isSeen);
  const folded = new Set([...violated, ...advised, ...untested, ...observed].map(({ id }) => id));
  return { violated, advised, untested, observed, has: ({ id }) => folded.has(id) };
}

/** Characters of a command that is shown for all that is folded. */
const MAX_COMMAND = 2_000;

/** A command that repeats one of the requests behind what is folded. */
export function commandOf({ violated }: Pick<Folded, 'violated'>): string | undefined {
  return violated.flatMap(({ curl }) => curl ?? []).find(({ length }) => length <= MAX_COMMAND);
}

/** Ids that are named in a line. */
const MAX_NAMED = 8;

/** Ids in a line, some of them where they are many. */
export function named(results: readonly RequirementResult[]): string {
  const ids = results.map(({ id }) => id);
  const left = ids.length - MAX_NAMED;
  return left <= 1 ? ids.join(', ') : `${ids.slice(0, MAX_NAMED).join(', ')} and ${left} more`;
}
