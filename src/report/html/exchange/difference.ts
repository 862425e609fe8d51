/** Two texts, split into their common start, their difference, and their common end. */
export interface Difference {
  before: string;
  /** The parts that differ. Either may be empty. */
  expected: string;
  received: string;
  after: string;
}

/** The longest texts, in characters, that are compared. In longer ones nobody sees the difference. */
const MAX_LENGTH = 2_000;

const WORD = /[\p{L}\p{N}_-]/u;

/** Where two texts differ, in whole words. Undefined if they start with different words. */
export function differenceOf(expected: string, received: string): Difference | undefined {
  if (expected.length > MAX_LENGTH || received.length > MAX_LENGTH || expected === received) return undefined;
  const [left, right] = [Array.from(expected), Array.from(received)];
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  while (start > 0 && (isWithinWord(left, start) || isWithinWord(right, start))) start -= 1;
  if (start === 0) return undefined;
  let end = 0;
  while (end < shorter - start && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  while (end > 0 && (isWithinWord(left, left.length - end) || isWithinWord(right, right.length - end)))
    end -= 1;
  return {
    before: left.slice(0, start).join(''),
    expected: left.slice(start, left.length - end).join(''),
    received: right.slice(start, right.length - end).join(''),
    after: end === 0 ? '' : left.slice(-end).join(''),
  };
}

function isWithinWord(characters: readonly string[], index: number): boolean {
  return WORD.test(characters[index - 1] ?? '') && WORD.test(characters[index] ?? '');
}
