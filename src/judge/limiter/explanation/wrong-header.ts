import { type Finding, notTested } from '../../../model/finding.ts';
import type { Evidence } from '../../evidence/check.ts';
import { judgeConstant, judgePlan, judgeRemaining, judgeResetTime } from '../seen/headers.ts';
import { judgeFalls } from './remaining-falls.ts';

const PLAN = 'rate-limit.plan';

/** The requirement that a header violates by itself: then the headers together are not explained. */
export function wrongHeader(evidence: Evidence): string | undefined {
  return Object.entries(BY_THEMSELVES).find(([, judge]) => judge(evidence).status === 'violated')?.[0];
}

/** What a header violates by itself, in words. */
function whatHeaderViolates(evidence: Evidence, requirement: string): string | undefined {
  const finding = BY_THEMSELVES[requirement]?.(evidence);
  return finding?.status === 'violated' ? finding.reason : undefined;
}

const BY_THEMSELVES: Readonly<Record<string, (evidence: Evidence) => Finding>> = {
  'rate-limit.remaining': judgeRemaining,
  'rate-limit.constant': judgeConstant,
  [PLAN]: judgePlan,
  'rate-limit.reset': judgeResetTime,
  'rate-limit.falls': judgeFalls,
};

/** The headers contradict the limit that the user stated, and the interface has no requirement that says so. */
export function misstated(evidence: Evidence, exchanges: readonly number[]): Finding | undefined {
  const why = hasRequirement(evidence, PLAN) ? undefined : whatHeaderViolates(evidence, PLAN);
  return why === undefined ? undefined : notTested('rate-plan-unknown', why, undefined, exchanges);
}

/** Whether the interface has a requirement: an interface of the user's has few about limits. */
export function hasRequirement({ contract }: Evidence, requirement: string): boolean {
  return contract.requirements.some(({ id }) => id === requirement);
}

/** A finding whose cause is a requirement of the interface; otherwise its reason says what is wrong. */
export function withKnownCause(evidence: Evidence, finding: Finding): Finding {
  const { cause, reason } = finding;
  if (cause === undefined || hasRequirement(evidence, cause)) return finding;
  return { ...finding, reason: whatHeaderViolates(evidence, cause) ?? reason, cause: undefined };
}
