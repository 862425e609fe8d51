import { common, type Span } from './span.ts';

/** What a Reset may mean where requests come back one by one. */
export type Meaning = 'next' | 'full' | 'window-end' | 'window-from-now';

/** The meanings that a Reset leaves possible, given the time that each would say. */
export function possibleMeanings(
  meanings: readonly Meaning[],
  reset: Span | undefined,
  timeOf: (meaning: Meaning) => Span,
): readonly Meaning[] {
  return reset === undefined
    ? meanings
    : meanings.filter((each) => common(reset, timeOf(each)) !== undefined);
}
