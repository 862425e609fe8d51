/**
 * How to see a violation again that the first exchange of its evidence does not show by itself. Exchanges are named by
 * their ids, in the order in which they are sent again.
 */
export type Repetition =
  /** Each after the one before it; every answer is shown whole, or how many entries it has, or what it says of the limit. */
  | { kind: 'in-turn'; exchanges: readonly number[]; shows: 'answers' | 'entries' | 'limits' }
  /** Each after the one before it; of every answer the record is shown that has this value as this field. */
  | { kind: 'record'; exchanges: readonly number[]; field: string; value: string }
  /** All at one time. */
  | { kind: 'together'; exchanges: readonly number[] }
  /** All at one time or in turn, again and again, until two answers have the same value of a field. */
  | { kind: 'until-same'; exchanges: readonly number[]; field: string; isTogether: boolean }
  /** One request so many times; every answer is shown, or what it says of the limit. */
  | { kind: 'again'; exchange: number; times: number; shows: 'answers' | 'limits' }
  /** Until the limit refuses it, and once more when the time is over that Retry-After states. */
  | { kind: 'after-refusal' };

/** The exchanges that a repetition names. */
export function repeated(repetition: Repetition): readonly number[] {
  switch (repetition.kind) {
    case 'again':
      return [repetition.exchange];
    case 'after-refusal':
      return [];
    default:
      return repetition.exchanges;
  }
}
