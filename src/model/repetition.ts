/**
 * How to see a violation again if the first exchange of its evidence does not show it alone. Exchanges are named by their
 * ids, in the order in which they are sent again.
 */
export type Repetition =
  /** One after the other. */
  | { kind: 'in-turn'; exchanges: readonly number[] }
  /** One after the other. Shows the record of each response in which this field has this value. */
  | { kind: 'record'; exchanges: readonly number[]; field: string; value: string }
  /** All at the same time. */
  | { kind: 'together'; exchanges: readonly number[] }
  /** One request this many times. Shows each whole response, or its rate limit headers. */
  | { kind: 'again'; exchange: number; times: number; shows: 'answers' | 'limits' }
  /** One after the other, the last one until this many with the key went to its address. Shows the rate limit headers. */
  | { kind: 'in-turn-and-again'; exchanges: readonly number[]; times: number }
  /** Until the limit refuses it, and once more after the time that Retry-After states. */
  | { kind: 'after-refusal' };

/** The exchanges that a repetition names. */
export function repeated(repetition: Repetition): readonly number[] {
  if (repetition.kind === 'after-refusal') return [];
  return repetition.kind === 'again' ? [repetition.exchange] : repetition.exchanges;
}
