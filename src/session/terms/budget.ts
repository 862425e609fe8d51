import type { Address, RatePlan } from '../../model/contract.ts';
import type { RequestCounts } from '../../model/limits/request-counts.ts';
import { BEYOND_LIMIT } from '../../model/limits/request-counts.ts';
import type { KeyKind } from '../../model/probe.ts';

/** The most requests that are sent again plain, and with some of their variations, to find out why they fail. */
export const MOST_PLAIN = 8;
export const MOST_ISOLATION = 8;

/**
 * The most requests that using up a limit takes, including those of the plan. If a new window begins meanwhile, the requests of
 * the plan and those that isolate variations do not count; or a bucket refills by up to half of the limit.
 */
export function mostToExhaust(planned: number, limit: number): number {
  const before = planned + MOST_PLAIN + MOST_ISOLATION;
  return limit + BEYOND_LIMIT + Math.max(before, Math.ceil(limit / 2));
}

/**
 * The most requests of the window after the recovery that a run uses, confirmations included: four fifths. The rest is for
 * whoever uses the key next.
 */
export function mostAfterRecovery(limit: number): number {
  return Math.floor((limit * 4) / 5);
}

/**
 * The requests of a run that are reserved for the time after the recovery.
 * @param confirming requests that may confirm findings
 * @param further other requests after the recovery; those with the key include the confirmations
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

/** Counts the requests that a run may still send. @param reserve requests that are reserved for the time after the recovery */
export function openBudget(most: RequestCounts, reserve: RequestCounts = NOTHING) {
  const left = {
    withKey: most.withKey - reserve.withKey,
    wrongKeys: most.wrongKeys - reserve.wrongKeys,
    messages: most.messages - reserve.messages,
  };
  let reserved = reserve;
  const sent = { withKey: 0, wrongKeys: 0, messages: 0 };
  return {
    left: (kind: keyof RequestCounts): number => left[kind],
    /** Counts a request that is about to be sent. False if none may be sent. */
    spend(kind: keyof RequestCounts): boolean {
      if (left[kind] <= 0) return false;
      left[kind] -= 1;
      sent[kind] += 1;
      return true;
    },
    /** Requests of this kind that are still reserved. */
    reserved: (kind: keyof RequestCounts): number => reserved[kind],
    /** Allows the reserved requests. */
    release(): void {
      for (const kind of ['withKey', 'wrongKeys', 'messages'] as const) left[kind] += reserved[kind];
      reserved = NOTHING;
    },
    /** Lowers the maximum for the whole run to `highest`; never raises it. */
    lower(kind: keyof RequestCounts, highest: number): void {
      left[kind] = Math.min(left[kind], Math.max(0, highest - sent[kind]));
    },
  };
}

/** The highest limit that a listed rate plan has for a window. */
export function highestListed(
  ratePlans: Readonly<Record<string, RatePlan>>,
  window: 'minute' | 'day',
): number {
  return Math.max(0, ...Object.values(ratePlans).map((plan) => plan[window] ?? 0));
}

/** The kind of request that a request counts as. */
export function countsAs(address: Address, key: KeyKind): keyof RequestCounts {
  if (address === 'apiUrl') return 'messages';
  return key === 'valid' ? 'withKey' : 'wrongKeys';
}
