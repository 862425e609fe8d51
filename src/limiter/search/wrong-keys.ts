import type { Observation } from '../models/model.ts';

/** What was sent while Remaining did not rise, and by how much it fell at least. */
interface Stretch {
  fallen: number;
  withKey: number;
  wrongKeys: number;
}

/** Fewer with a wrong key may have been counted before or after those beside them. */
const TELLING = 4;

/** Every model is tried with the same observations. */
const known = new WeakMap<readonly Observation[], boolean>();

/**
 * Whether requests with a wrong key seem to take one off: whenever Remaining did not rise while several were sent, it
 * fell by more than the others took. A search tries first what seems so, and then the other.
 * @param inTurn in the order in which they were sent
 */
export function seemsCounted(inTurn: readonly Observation[]): boolean {
  const before = known.get(inTurn);
  if (before !== undefined) return before;
  const telling = stretchesOf(inTurn).filter(({ wrongKeys }) => wrongKeys >= TELLING);
  const seems =
    telling.length > 0 && telling.every(({ fallen, withKey, wrongKeys }) => fallen - withKey > wrongKeys / 2);
  known.set(inTurn, seems);
  return seems;
}

function stretchesOf(inTurn: readonly Observation[]): Stretch[] {
  const stretches: Stretch[] = [];
  let first: number | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  let [fallen, withKey, wrongKeys] = [0, 0, 0];
  for (const { outcome, remaining, exchange, beside } of inTurn) {
    if (exchange.key !== 'valid') wrongKeys += 1;
    else if (outcome === 'let-through') withKey += 1;
    if (remaining === undefined) continue;
    // Those beside it may be counted before it or after it.
    if (first === undefined || remaining > lowest + beside) {
      [first, lowest, fallen, withKey, wrongKeys] = [remaining, remaining, 0, 0, 0];
      stretches.push({ fallen, withKey, wrongKeys });
      continue;
    }
    lowest = Math.min(lowest, remaining);
    fallen = Math.max(fallen, first - remaining - beside);
    stretches[stretches.length - 1] = { fallen, withKey, wrongKeys };
  }
  return stretches;
}
