import type { LimiterSettings } from '../settings.ts';
import type { Variant } from './variant.ts';

export const COUNTING = 'Rate limits by plan: how requests per minute and per day are counted is not said';
export const COVERAGE = 'Rate limits by plan: "Which endpoints the plan limits cover: not shown."';
export const HEADERS =
  'Rate limit headers: "the current window" does not say which of the two, or when a sliding one resets';
export const WAITING =
  'Rate limit headers: "a `Retry-After` header" does not say in which format, or how it is rounded';
export const REMAINING =
  'Rate limit headers: "Requests remaining" does not say how exact the number is, or how old it may be';
export const PLAN =
  'Rate limit headers: "Higher limits come from a plan upgrade"; when one takes effect is not said';
export const START = 'Rate limits by plan: how much of the limit was used before the run is not said';
export const CLOCK = 'Rate limit headers: "Unix timestamp" does not say by whose clock';

/** What only requests beyond the limit show. */
export const BEYOND_THE_LIMIT = [
  'TooManyRequests',
  'Retry-After',
  'Retry-After.schema',
  'rate-limit.early',
  'rate-limit.recovery',
];

/** A variant that only sets the limiter. */
export function variant(
  id: string,
  summary: string,
  freedom: string,
  limiter: Partial<LimiterSettings>,
): Variant {
  return { id, summary, freedom, settings: { limiter } };
}

/** Variants that set the limiter, and have the same freedom, by id; `more` is another change, a start, or what stays untested. */
export function limitersAllowedBy(
  freedom: string,
  rows: Readonly<
    Record<
      string,
      readonly [
        summary: string,
        limiter: Partial<LimiterSettings>,
        more?: Omit<Variant, 'id' | 'summary' | 'freedom' | 'settings'>,
      ]
    >
  >,
): Variant[] {
  return Object.entries(rows).map(([id, [summary, limiter, more]]) => ({
    ...variant(id, summary, freedom, limiter),
    ...more,
  }));
}
