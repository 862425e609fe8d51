import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';
import type { Interface } from './contract-of.ts';
import { conductWatched, type Job, type JobResult, type Watch } from './job.ts';
import type { RunOptions } from './options.ts';
import type { RunPlan } from './plan.ts';

/** One run among several. */
export interface NamedJob {
  name: string;
  judging: Interface;
  plan: RunPlan;
  job: Job;
}

/** How several runs are watched, by name. */
interface GroupWatch {
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
    const before = running.filter((run) => isShared(run, budget));
    if (before.length > 0)
      watch.onHeldBack(
        job.name,
        before.map((run) => run.name),
      );
    const conducted = () =>
      conductWatched(job.judging.contract, job.plan, job.job, {
        signal: watch.signal,
        beforeJudging,
        onEvent: (event) => watch.onEvent(job.name, event),
      }).catch((error: unknown) => (error instanceof Error ? error : new Error(String(error))));
    const ended = Promise.all(before.map((run) => run.ended)).then(() =>
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
 * The options of several runs. A run that shares its key and an origin with another run is frugal: the next window is left to the
 * other run, which would otherwise wait for a further window.
 */
export function sharingWindows(runs: readonly RunOptions[]): RunOptions[] {
  const budgets = runs.map(budgetOf);
  return runs.map((options, index) => {
    const budget = budgets[index];
    const isSharing = budgets.some(
      (other) => budget !== undefined && other !== budget && isShared(other, budget),
    );
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
    .filter((address) => address !== undefined)
    .map((address) => new URL(address).origin);
  return { apiKey, origins };
}

/** Whether two runs send with the same key to the same origin. */
function isShared(a: LimitOwner, b: LimitOwner): boolean {
  return a.apiKey === b.apiKey && b.origins.some((origin) => a.origins.includes(origin));
}

/** Runs at the same time. Each keeps its exchanges in memory, mostly while it waits for a window. */
export const MAX_AT_ONCE = 100;

/** Runs that start without waiting, however busy the thread is. */
export const FEW = 8;

/** The next run starts once the thread had nothing to do for this share of an interval. */
const MIN_IDLE = 0.5;
const INTERVAL_MS = 5;

/** Calls a run when its turn comes, and returns what it returns. */
type RunStarter = <T>(run: () => Promise<T>) => Promise<T>;

/**
 * Starts runs in order, as many at a time as one thread can serve. A thread that starts a thousand at once reads their
 * responses so late that these seem to time out.
 * @param idle waits until the thread has time for another run
 */
export function startInTurn(idle: () => Promise<void> = idleThread): RunStarter {
  const atOnce = pLimit(MAX_AT_ONCE);
  const oneByOne = pLimit(1);
  return (run) =>
    atOnce(async () => {
      if (atOnce.activeCount > FEW) await oneByOne(idle);
      return run();
    });
}

async function idleThread(): Promise<void> {
  let share = 1;
  do {
    const before = performance.eventLoopUtilization();
    await sleep(INTERVAL_MS);
    share = performance.eventLoopUtilization(before).utilization;
  } while (share > 1 - MIN_IDLE);
}
