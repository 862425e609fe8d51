import { VirtualClock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import { type Change, type LogEntry, startInProcess, startReference } from '../reference/index.ts';
import { conduct, type Surroundings } from './conduct.ts';
import type { Conducted } from './judge-outcome.ts';
import { ofBundled, type RunOptions, statedLimits } from './options.ts';
import type { RunPlan } from './plan.ts';

/** The default key of the bundled reference. It is not a secret. */
export const REFERENCE_KEY = 'petspec-reference-key';

/** Settings of a run against the bundled reference. */
export interface Bundled {
  changes?: readonly Change[];
  /** ms since the epoch, by its virtual clock. Default: now, or a few seconds before. */
  start?: number;
  /** How to connect to it: memory is faster, but then no other process can connect. Default: `sockets`. */
  connections?: 'sockets' | 'memory';
  /** Called at the end of the run with every request that the reference received. */
  onLog?: (log: readonly LogEntry[]) => void;
}

/** A run against the bundled reference, in virtual time. The reference has the stated rate plan, or else the smallest. */
export async function conductBundled(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  surroundings: Partial<Surroundings> & Bundled = {},
): Promise<Conducted> {
  const {
    changes = [],
    connections = 'sockets',
    start = virtualStart(Date.now()),
    onLog,
    ...rest
  } = surroundings;
  const clock = rest.clock ?? new VirtualClock(start);
  const stated = ofBundled(contract.ratePlans, options);
  const [smallest = 'free'] = Object.keys(contract.ratePlans);
  const limits = { ...contract.ratePlans[smallest], ...statedLimits(contract.ratePlans, stated) };
  const begin = connections === 'memory' ? startInProcess : startReference;
  const reference = await begin({
    clock,
    apiKey: options.apiKey ?? REFERENCE_KEY,
    plan: { minute: limits.minute ?? 1, day: limits.day ?? Number.MAX_SAFE_INTEGER },
    changes,
  });
  try {
    return await conduct(contract, plan, stated, reference, { random: fixedNumbers(), ...rest, clock });
  } finally {
    onLog?.(reference.log);
    await reference.close();
  }
}

const MINUTE_MS = 60_000;

/** The share of a minute in which runs begin; the rest of it is enough to use up the limit of any listed plan. */
const EARLY = 5 / 6;

/**
 * When a run begins by the virtual clock, ms since the epoch: never after `now`, at most ten seconds before it, and in the
 * order of the runs. If the window ended soon, the run would wait for the next one, and send more than at another time.
 */
export function virtualStart(now: number): number {
  const inMinute = now % MINUTE_MS;
  return now - inMinute + Math.floor(inMinute * EARLY);
}

/** Numbers far from the ids of the reference. They repeat in each run, and so does the store. */
export function fixedNumbers(): () => bigint {
  let last = 1n << 62n;
  return () => last++;
}
