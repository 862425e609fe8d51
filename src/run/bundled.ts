import { VirtualClock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import type { Change, LogEntry } from '../reference/index.ts';
import { startReference } from '../reference/index.ts';
import { type Conducted, conduct, type Surroundings } from './conduct.ts';
import { ofBundled, type RunOptions, statedLimits } from './options.ts';
import type { RunPlan } from './plan.ts';

/** The key of the bundled reference where the user names none: no secret, it opens nothing. */
export const REFERENCE_KEY = 'petspec-reference-key';

/** What is particular about a run against the bundled reference. */
export interface Bundled {
  changes?: readonly Change[];
  /** ms since the epoch, by its virtual clock. */
  start?: number;
  /** Told of every request that the reference got, at the end of the run. */
  onLog?: (log: readonly LogEntry[]) => void;
}

/**
 * A run against the bundled reference, in virtual time. Its figures are those of the stated plan, else of the
 * smallest one, as a user would have to say of any other target.
 */
export async function conductBundled(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  surroundings: Partial<Surroundings> & Bundled = {},
): Promise<Conducted> {
  const { changes = [], start = Date.now(), onLog, ...rest } = surroundings;
  const clock = rest.clock ?? new VirtualClock(start);
  const stated = ofBundled(contract.ratePlans, options);
  const [smallest = 'free'] = Object.keys(contract.ratePlans);
  const limits = { ...contract.ratePlans[smallest], ...statedLimits(contract.ratePlans, stated) };
  const reference = await startReference({
    clock,
    apiKey: options.apiKey ?? REFERENCE_KEY,
    plan: { minute: limits.minute ?? 1, day: limits.day ?? Number.MAX_SAFE_INTEGER },
    changes,
  });
  try {
    return await conduct(contract, plan, stated, reference, { random: sameEachTime(), ...rest, clock });
  } finally {
    onLog?.(reference.log);
    await reference.close();
  }
}

/** Numbers far from the ids of the reference, the same ones in each run: its store is a new one, too. */
function sameEachTime(): () => bigint {
  let last = 1n << 62n;
  return () => last++;
}
