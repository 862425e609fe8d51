import type { Address, RatePlan } from '../../model/contract.ts';
import type { KeyKind } from '../../model/probe.ts';
import type { RequestCounts } from '../../model/request-counts.ts';
import { BEYOND_LIMIT } from '../../model/request-counts.ts';

/** What fails is sent again plain, or with some of its variations, so often at most. */
export const MOST_PLAIN = 8;
export const MOST_ISOLATION = 8;

/**
 * The most requests that using up a limit takes, including those of the plan: a new window may begin meanwhile, and then
 * the requests of the plan, and those that take apart what fails, do not count; or a bucket refills by up to half of the limit.
 */
export function mostToExhaust(planned: number, limit: number): number {
  const before = planned + MOST_PLAIN + MOST_ISOLATION;
  return limit + BEYOND_LIMIT + Math.max(before, Math.ceil(limit / 2));
}

/**
 * How many requests of the window after the recovery a run uses at most: four fifths, those that see findings again included.
 * The rest is for whoever uses the key next.
 */
export function mostAfterRecovery(limit: number): number {
  return Math.floor((limit * 4) / 5);
}

/**
 * What of the requests of a run is kept for the time after the recovery.
 * @param confirming what may be sent to see findings again
 * @param further what else may be sent then; its requests with the key include those that see findings again
 */
export function keptAfterRecovery(
  confirming: RequestCounts,
  further: Pick<RequestCounts, 'withKey' | 'wrongKeys'>,
): RequestCounts {
  return {
    ...confirming,
    withKey: Math.max(confirming.withKey, further.withKey),
    wrongKeys: confirming.wrongKeys + further.wrongKeys,
  };
}

export type Budget = ReturnType<typeof openBudget>;

const NOTHING: RequestCounts = { withKey: 0, wrongKeys: 0, messages: 0 };

/**
 * Counts the requests that a run may still send.
 * @param reserve what of them is kept for the time after the recovery
 */
export function openBudget(most: RequestCounts, reserve: RequestCounts = NOTHING) {
  const left = {
    withKey: most.withKey - reserve.withKey,
    wrongKeys: most.wrongKeys - reserve.wrongKeys,
    messages: most.messages - reserve.messages,
  };
  let kept = reserve;
  const sent = { withKey: 0, wrongKeys: 0, messages: 0 };
  return {
    left: (of: keyof RequestCounts): number => left[of],
    /** Counts a request that is about to be sent. False if none may be sent. */
    spend(of: keyof RequestCounts): boolean {
      if (left[of] <= 0) return false;
      left[of] -= 1;
      sent[of] += 1;
      return true;
    },
    /** Allows what was kept. */
    release(): void {
      for (const of of ['withKey', 'wrongKeys', 'messages'] as const) left[of] += kept[of];
      kept = NOTHING;
    },
    /** Lowers the maximum to `highest` in all; never raises it. */
    lower(of: keyof RequestCounts, highest: number): void {
      left[of] = Math.min(left[of], Math.max(0, highest - sent[of]));
    },
  };
}

/** The highest limit that a listed rate plan has for a window. */
export function highestListed(
  ratePlans: Readonly<Record<string, RatePlan>>,
  window: 'minute' | 'day',
): number {
  return Math.max(0, ...Object.values(ratePlans).map((each) => each[window] ?? 0));
}

/** How a request is counted. */
export function countsAs(address: Address, key: KeyKind): keyof RequestCounts {
  if (address === 'apiUrl') return 'messages';
  return key === 'valid' ? 'withKey' : 'wrongKeys';
}
