import { setImmediate } from 'node:timers/promises';
import type { Change } from '../changes/change.ts';
import type { Call } from '../http/call.ts';
import type { LimiterSettings } from '../settings.ts';

interface Refusals {
  /** Requests with the key that are admitted before the first refusal. */
  after?: number;
  /** How often the window closes. Each time it closes on the first request that finds it open. */
  closings: number;
  /** How long it stays closed, in ms. */
  wait: number;
  retryAfter?: LimiterSettings['retryAfter'];
}

/**
 * How long each 429 is held, and how often the process then reads what has arrived. Requests that a client sends side by side
 * arrive meanwhile, also on a busy machine, so they are not mistaken for requests after the 429.
 */
const HELD = { ms: 250, turns: 20 };

/** What a scenario remembers of its window. */
interface ScenarioWindow {
  admitted: number;
  closingsLeft: number;
  /** ms since the epoch; Infinity while the request that closed it is held. */
  opensAt: number;
  /** The numbers of the requests to refuse. */
  refused: Set<number>;
}

/** The window closes for the key, whatever the plan: requests with it get 429 until it opens again. */
export function refusing({ after = 0, closings, wait, retryAfter = 'seconds' }: Refusals): Change {
  const windowOf = (call: Call) =>
    call.recall(
      'window of the scenario',
      (): ScenarioWindow => ({ admitted: 0, closingsLeft: closings, opensAt: 0, refused: new Set() }),
    );
  return {
    settings: { limiter: { retryAfter } },
    around: async (call, next) => {
      const window = windowOf(call);
      if (call.key !== 'valid' || isAdmitted(window, call, after)) return next(call);
      const began = performance.now();
      await hold(call);
      const now = call.now + performance.now() - began;
      // The wait begins with the response, however long it was held.
      if (window.opensAt === Number.POSITIVE_INFINITY) window.opensAt = now + wait;
      window.refused.add(call.number);
      return next({ ...call, now });
    },
    limit: (verdict, call) => {
      const { refused, opensAt } = windowOf(call);
      if (!refused.has(call.number)) return verdict;
      return { ...verdict, allowed: false, remaining: 0, resetAt: opensAt, retryAt: opensAt };
    },
  };
}

/** Whether a request finds the window open. The request itself may close it. */
function isAdmitted(window: ScenarioWindow, { now }: Call, after: number): boolean {
  if (now < window.opensAt) return false;
  if (window.closingsLeft > 0 && window.admitted >= after) {
    window.closingsLeft -= 1;
    window.opensAt = Number.POSITIVE_INFINITY;
    return false;
  }
  window.admitted += 1;
  return true;
}

async function hold(call: Call): Promise<void> {
  await call.pause(HELD.ms);
  for (let turn = 0; turn < HELD.turns; turn += 1) await setImmediate();
}
