import { UsageError } from '../model/usage-error.ts';

/** Bugs of petspec that keep exchanges from being judged. They are counted, and the rest is judged. */
export class Bugs {
  /** The first one. */
  first: unknown;
  /** Exchanges that are not judged. */
  count = 0;

  note(error: unknown, exchanges: number): void {
    this.first ??= error;
    this.count += exchanges;
  }
}

type AttemptResult<T> = { value: T } | { error: unknown };

/** What an action returns, or the bug that it has. @throws UsageError, which is no bug */
export function attempt<T>(act: () => T): AttemptResult<T> {
  try {
    return { value: act() };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    return { error };
  }
}

/** Where more exchanges than these are odd, all of them are left out. */
const MAX_LEFT_OUT = 8;

/**
 * Without what keeps items from being judged together: the last one of the shortest beginning that fails, and so on.
 * @param judge judges some of them, and changes nothing
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
