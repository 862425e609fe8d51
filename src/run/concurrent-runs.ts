import type { Contract } from '../model/contract.ts';
import { conductWatched, type Job, type JobResult, type Watch } from './job.ts';
import type { RunOptions } from './options.ts';
import type { RunPlan } from './plan.ts';

/** One run among several. */
export interface NamedJob {
  name: string;
  plan: RunPlan;
  job: Job;
}

/** What the runs are watched by; each is told apart by its name. */
export interface GroupWatch {
  onNews: (name: string, news: Parameters<Watch['onNews']>[0]) => void;
  /** A run waits for others to end, whose key is its own as well. */
  onHeldBack: (name: string, others: readonly string[]) => void;
  /** Aborted, every run finishes with what is known. */
  signal: AbortSignal;
}

/**
 * Conducts several runs side by side in this thread, each with a session, a budget and a ledger of its own: most of
 * their time they wait, for answers and for windows. Runs that use the same key at the same origin would eat each
 * other's budget, and be misjudged: those go one after the other, in their order.
 * @param onEnd is told what came of each, as soon as it is known, and is waited for; an error is a bug of petspec
 */
export async function conductSideBySide(
  contract: Contract,
  jobs: readonly NamedJob[],
  watch: GroupWatch,
  onEnd: (job: NamedJob, result: JobResult | Error) => Promise<void>,
): Promise<void> {
  const beforeJudging = turns();
  const under: { job: NamedJob; ended: Promise<void> }[] = [];
  for (const job of jobs) {
    const before = under.filter((each) => shareBudget(each.job.job.options, job.job.options));
    if (before.length > 0)
      watch.onHeldBack(
        job.name,
        before.map((each) => each.job.name),
      );
    const ended = Promise.all(before.map((each) => each.ended))
      .then(() =>
        conductWatched(contract, job.plan, job.job, {
          signal: watch.signal,
          beforeJudging,
          onNews: (news) => watch.onNews(job.name, news),
        }),
      )
      .catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))))
      .then((result) => onEnd(job, result));
    under.push({ job, ended });
  }
  await Promise.all(under.map(({ ended }) => ended));
}

/**
 * Gives turns, one in each round of the event loop. A hundred runs that waited for the same minute end together: judged
 * in one go they would keep the answers of others waiting until these seem to have come too late.
 */
function turns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}

/** Whether two runs send with the same key to the same origin. */
function shareBudget(one: RunOptions, other: RunOptions): boolean {
  const origins = originsOf(one);
  return one.apiKey === other.apiKey && originsOf(other).some((origin) => origins.includes(origin));
}

function originsOf({ baseUrl, apiUrl }: RunOptions): string[] {
  return [baseUrl, apiUrl].filter((each) => each !== undefined).map((each) => new URL(each).origin);
}
