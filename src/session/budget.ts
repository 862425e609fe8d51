import type { Address, RatePlan } from '../model/contract.ts';
import type { KeyKind } from '../model/probe.ts';
import type { RequestCounts } from '../model/request-counts.ts';

/** Requests beyond a limit that is used up: one that is refused, and one that shows the recovery. */
export const BEYOND_LIMIT = 2;

/** The requests that a run may still send. */
export interface Budget {
  left(of: keyof RequestCounts): number;
  /** Counts a request that is about to be sent. False where no more may be sent. */
  spend(of: keyof RequestCounts): boolean;
  /** Allows no more than `most` in all, where that is less than before. */
  lower(of: keyof RequestCounts, most: number): void;
}

/**
 * Requests that using up a limit takes at the most, those of the plan included: a window may end in between, and then
 * what the plan has used up does not count; or a bucket refills meanwhile, by half of the limit at the most.
 */
export function mostToExhaust(planned: number, limit: number): number {
  return limit + BEYOND_LIMIT + Math.max(planned, Math.ceil(limit / 2));
}

export function openBudget(most: RequestCounts): Budget {
  const left = { withKey: most.withKey, wrongKeys: most.wrongKeys, messages: most.messages };
  const spent = { withKey: 0, wrongKeys: 0, messages: 0 };
  return {
    left: (of) => left[of],
    spend(of) {
      if (left[of] <= 0) return false;
      left[of] -= 1;
      spent[of] += 1;
      return true;
    },
    lower(of, highest) {
      left[of] = Math.min(left[of], Math.max(0, highest - spent[of]));
    },
  };
}

/** The highest figure that a listed plan has for a window. */
export function highestListed(plans: Readonly<Record<string, RatePlan>>, window: 'minute' | 'day'): number {
  return Math.max(0, ...Object.values(plans).map((each) => each[window] ?? 0));
}

/** What a request counts as. */
export function countsAs(address: Address, key: KeyKind): keyof RequestCounts {
  if (address === 'apiUrl') return 'messages';
  return key === 'valid' ? 'withKey' : 'wrongKeys';
}
