import { UsageError } from '../model/usage-error.ts';

/** Counts the exchanges that cannot be judged because of a bug of petspec. The others are judged. */
export class Bugs {
  /** The first bug. */
  first: unknown;
  /** Exchanges that are not judged. */
  count = 0;

  note(error: unknown, exchanges: number): void {
    this.first ??= error;
    this.count += exchanges;
  }
}

type AttemptResult<T> = { value: T } | { error: unknown };

/** The result of an action, or the error that it throws. @throws UsageError, which is no bug */
export function attempt<T>(act: () => T): AttemptResult<T> {
  try {
    return { value: act() };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return { error };
  }
}

/** If more items than these fail, all are left out. */
const MAX_LEFT_OUT = 8;

/**
 * Leaves out the items that make judging fail: the last item of the shortest failing beginning, and so on.
 * @param judge judges some of the items, without side effects
 */
export function withoutOdd<T>(
  items: readonly T[],
  judge: (some: readonly T[]) => AttemptResult<unknown>,
): { left: readonly T[]; error?: unknown } {
  let left = items;
  let first: { error?: unknown } = {};
  for (let removed = 0; removed <= MAX_LEFT_OUT; removed += 1) {
    const tried = judge(left);
    if ('value' in tried) return { left, ...first };
    first = 'error' in first ? first : tried;
    let [sound, failing] = [0, left.length];
    while (failing - sound > 1) {
      const middle = Math.floor((sound + failing) / 2);
      if ('value' in judge(left.slice(0, middle))) sound = middle;
      else failing = middle;
    }
    left = left.toSpliced(failing - 1, 1);
  }
  return { left: [], ...first };
}
