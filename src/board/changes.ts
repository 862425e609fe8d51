import { type Course, verdictWordsOf, violatedByRun } from '../history/course.ts';

/** The last runs of an implementation that the feed looks at. */
const MAX_RUNS = 20;

/** What a run changed. */
export interface ImplementationChange {
  slug: string;
  name: string;
  /** Digest of the report. */
  report: string;
  startedAt: string;
  time: number;
  release?: string;
  verdict: string;
  /** The verdict, and how much it covers if options narrow it. */
  words: string;
  /** Ids of requirements. */
  worse: string[];
  better: string[];
  /** The verdict of the run before; undefined if this is the first. */
  before?: string;
}

/** What the last runs of an implementation changed: the verdict, or requirements. */
export function changesOf(slug: string, { name, runs, requirements }: Course): ImplementationChange[] {
  const eventful = requirements
    .map(({ id, statuses }) => ({ id, isBad: violatedByRun(statuses) }))
    .filter(({ isBad }) => isBad.includes(true) && isBad.includes(false));
  const first = Math.max(0, runs.length - MAX_RUNS);
  return runs.slice(first).flatMap((own, offset) => {
    const run = first + offset;
    const { report, startedAt, time, release, verdict } = own;
    const before = runs[run - 1]?.verdict;
    const worse = idsOf(eventful, run, true);
    const better = idsOf(eventful, run, false);
    if (before === verdict && worse.length + better.length === 0) return [];
    const words = verdictWordsOf(own);
    const change = { slug, name, report, startedAt, time, verdict, words, worse, better };
    return [{ ...change, ...(release === undefined ? {} : { release }), ...(before ? { before } : {}) }];
  });
}

/** The requirements that a run judges as violated, or as met, and the last run that judged them before as the opposite. */
function idsOf(
  requirements: readonly { id: string; isBad: readonly (boolean | undefined)[] }[],
  run: number,
  isSought: boolean,
): string[] {
  return requirements
    .filter(
      ({ isBad }) =>
        isBad[run] === isSought && isBad.slice(0, run).findLast((each) => each !== undefined) === !isSought,
    )
    .map(({ id }) => id);
}
