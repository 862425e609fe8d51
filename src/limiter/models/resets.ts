import { common, type Span } from './span.ts';

/** What a Reset may mean where requests come back one by one. */
export type ResetMeaning = 'next' | 'full' | 'window-end' | 'window-from-now';

/** The meanings that a Reset leaves possible, given the time that each would say. */
export function possibleMeanings(
  meanings: readonly ResetMeaning[],
  reset: Span | undefined,
  timeOf: (meaning: ResetMeaning) => Span,
): readonly ResetMeaning[] {
  return reset === undefined
    ? meanings
    : meanings.filter((each) => common(reset, timeOf(each)) !== undefined);
}
