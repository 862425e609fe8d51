import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import pLimit from 'p-limit';

/** Runs that go on at a time. Each keeps its exchanges in memory, mostly while it waits for a window. */
export const MAX_AT_ONCE = 100;

/** Runs that start at once, however busy the thread is. */
export const FEW = 8;

/** The next run starts once the thread had nothing to do for this share of an interval. */
const MIN_IDLE = 0.5;
const INTERVAL_MS = 5;

/** Calls a run when its turn comes, and returns what it returns. */
export type RunStarter = <T>(run: () => Promise<T>) => Promise<T>;

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
