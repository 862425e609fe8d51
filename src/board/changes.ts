import { type Course, isViolated, type RequirementCourse } from '../history/course.ts';

/** The last runs of an implementation that the feed looks at. */
const MAX_RUNS = 20;

/** What a run changed. */
export interface Change {
  slug: string;
  name: string;
  /** Digest of the report. */
  report: string;
  startedAt: string;
  time: number;
  release?: string;
  verdict: string;
  /** Ids of requirements. */
  worse: string[];
  better: string[];
  /** The verdict of the run before; undefined if this is the first. */
  before?: string;
}

/** What the last runs of an implementation changed: the verdict, or requirements. */
export function changesOf(slug: string, { name, runs, requirements }: Course): Change[] {
  const eventful = requirements.filter(({ statuses }) => new Set(statuses).size > 1);
  const first = Math.max(0, runs.length - MAX_RUNS);
  return runs.slice(first).flatMap(({ report, startedAt, time, release, verdict, strict }, offset) => {
    const run = first + offset;
    const before = runs[run - 1]?.verdict;
    const worse = idsOf(eventful, run, strict, true);
    const better = idsOf(eventful, run, strict, false);
    if (before === verdict && worse.length + better.length === 0) return [];
    const change = { slug, name, report, startedAt, time, verdict, worse, better };
    return [{ ...change, ...(release === undefined ? {} : { release }), ...(before ? { before } : {}) }];
  });
}

/** The requirements that a run judges as violated, or as met, and the last run that judged them before as the opposite. */
function idsOf(
  requirements: readonly RequirementCourse[],
  run: number,
  isStrict: boolean,
  isBad: boolean,
): string[] {
  return requirements
    .filter(({ statuses }) => {
      if (isViolated(statuses[run], isStrict) !== isBad) return false;
      const before = statuses.slice(0, run).findLast((each) => isViolated(each, isStrict) !== undefined);
      return before !== undefined && isViolated(before, isStrict) !== isBad;
    })
    .map(({ id }) => id);
}
