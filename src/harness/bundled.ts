import type { Contract } from '../contract/types.ts';
import type { Deviation } from '../reference/index.ts';
import { startReference } from '../reference/index.ts';
import { VirtualClock } from '../session/clock.ts';
import { DAY } from '../session/plan-limits.ts';
import { type Conducted, conduct, type Surroundings } from './conduct.ts';
import { type RunOptions, statedLimits } from './options.ts';
import type { RunPlan } from './plan.ts';

/** The key of the bundled reference where the user names none: no secret, it opens nothing. */
export const REFERENCE_KEY = 'petspec-reference-key';

/**
 * A run against the bundled reference, in virtual time. Its figures are those of the stated plan, else of the
 * smallest one, as a user would have to say of any other target.
 */
export async function conductBundled(
  contract: Contract,
  plan: RunPlan,
  options: RunOptions,
  surroundings: Partial<Surroundings> & { deviations?: readonly Deviation[]; start?: number } = {},
): Promise<Conducted> {
  const { deviations = [], start = Date.now(), ...rest } = surroundings;
  const clock = rest.clock ?? new VirtualClock(start);
  const [smallest = 'free'] = Object.keys(contract.plans);
  const name = options.plan ?? smallest;
  const limits = { ...contract.plans[smallest], ...statedLimits(contract.plans, { ...options, plan: name }) };
  const reference = await startReference({
    clock,
    apiKey: options.apiKey ?? REFERENCE_KEY,
    plan: { minute: limits.minute ?? 1, day: limits.day ?? Number.MAX_SAFE_INTEGER },
    deviations,
  });
  try {
    // Virtual time costs nothing: until midnight is not too long.
    const maxWait = options.exhaust === 'day' ? Math.max(options.maxWait, 2 * DAY) : options.maxWait;
    const stated = { ...options, maxWait, plan: name };
    return await conduct(contract, plan, stated, reference, { random: sameEachTime(), ...rest, clock });
  } finally {
    await reference.close();
  }
}

/** Numbers far from the ids of the reference, the same ones in each run: its store is a new one, too. */
function sameEachTime(): () => bigint {
  let last = 1n << 62n;
  return () => last++;
}
