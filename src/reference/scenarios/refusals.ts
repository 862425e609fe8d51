import type { Change } from '../changes/change.ts';
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
 * What each 429 takes. Requests that a client sends side by side arrive meanwhile, so that they are not mistaken for
 * requests after the 429.
 */
const REFUSAL_MS = 250;

/** The window closes for the key, whatever the plan: requests with it get 429 until it opens again. */
export function refusing({ after = 0, closings, wait, retryAfter = 'seconds' }: Refusals): readonly Change[] {
  const closing: Change = {
    settings: { limiter: { retryAfter } },
    limit: (verdict, call) => {
      if (call.key !== 'valid') return verdict;
      const state = call.recall('closings', () => ({ admitted: 0, left: closings, opensAt: 0 }));
      const isOpen = call.now >= state.opensAt;
      if (isOpen && (state.left === 0 || state.admitted < after)) {
        state.admitted += 1;
        return verdict;
      }
      if (isOpen) {
        state.left -= 1;
        state.opensAt = call.now + wait;
      }
      return { ...verdict, allowed: false, remaining: 0, resetAt: state.opensAt, retryAt: state.opensAt };
    },
  };
  const slow: Change = {
    around: async (call, next) => {
      const answer = await next(call);
      if (answer.status === 429) await call.pause(REFUSAL_MS);
      return answer;
    },
  };
  return [closing, slow];
}
