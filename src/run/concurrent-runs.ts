import type { Interface } from './contract-of.ts';
import { conductWatched, type Job, type JobResult, type Watch } from './job.ts';
import type { RunOptions } from './options.ts';
import type { RunPlan } from './plan.ts';
import { startInTurn } from './starts.ts';

/** One run among several. */
export interface NamedJob {
  name: string;
  judging: Interface;
  plan: RunPlan;
  job: Job;
}

/** How several runs are watched, by name. */
export interface GroupWatch {
  onEvent: (name: string, event: Parameters<Watch['onEvent']>[0]) => void;
  /** A run waits for others that use the same key. */
  onHeldBack: (name: string, others: readonly string[]) => void;
  /** When it aborts, every run finishes with the results so far. */
  signal: AbortSignal;
}

/**
 * Conducts several runs in this thread, each with its own session, budget and ledger: most of the time they wait for
 * responses and for windows. Runs that use the same key at the same origin would use up each other's limit and be
 * misjudged, so they run one after the other, in order.
 * @param onEnd called and awaited with the result of each run; an error is a bug of petspec
 */
export async function conductSideBySide(
  jobs: readonly NamedJob[],
  watch: GroupWatch,
  onEnd: (job: NamedJob, result: JobResult | Error) => Promise<void>,
): Promise<void> {
  const beforeJudging = turns();
  const start = startInTurn();
  const running: (LimitOwner & { name: string; ended: Promise<void> })[] = [];
  for (const job of jobs) {
    const budget = budgetOf(job.job.options);
    const before = running.filter((each) => isShared(each, budget));
    if (before.length > 0)
      watch.onHeldBack(
        job.name,
        before.map((each) => each.name),
      );
    const conducted = () =>
      conductWatched(job.judging.contract, job.plan, job.job, {
        signal: watch.signal,
        beforeJudging,
        onEvent: (event) => watch.onEvent(job.name, event),
      }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    const ended = Promise.all(before.map((each) => each.ended)).then(() =>
      start(async () => onEnd(job, await conducted())),
    );
    running.push({ ...budget, name: job.name, ended });
  }
  await Promise.all(running.map(({ ended }) => ended));
}

/**
 * Gives turns, one in each round of the event loop. A hundred runs that wait for the same minute end together. Judged
 * without a break, they would delay the responses of other runs until these seem to time out.
 */
function turns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => {
    last = last.then(() => new Promise((resolve) => setImmediate(resolve)));
    return last;
  };
}

/**
 * The options of several runs. One that uses the same key as another at the same origin leaves the window after its recovery to
 * that one, which would wait for the next window.
 */
export function sharingWindows(all: readonly RunOptions[]): RunOptions[] {
  const budgets = all.map(budgetOf);
  return all.map((options, index) => {
    const own = budgets[index];
    const isSharing = budgets.some((each) => own !== undefined && each !== own && isShared(each, own));
    return isSharing && options.budget === undefined ? { ...options, frugal: true } : options;
  });
}

/** Whose limit a run uses up. */
interface LimitOwner {
  apiKey: string | undefined;
  origins: readonly string[];
}

function budgetOf({ apiKey, baseUrl, apiUrl, servers = {} }: RunOptions): LimitOwner {
  const origins = [baseUrl, apiUrl, ...Object.values(servers)]
    .filter((each) => each !== undefined)
    .map((each) => new URL(each).origin);
  return { apiKey, origins };
}

/** Whether two runs send with the same key to the same origin. */
function isShared(one: LimitOwner, other: LimitOwner): boolean {
  return one.apiKey === other.apiKey && other.origins.some((origin) => one.origins.includes(origin));
}
