import { mode, pairs } from 'd3-array';
import type { Observation } from '../models/model.ts';
import { PAUSE_MS } from '../turns.ts';

/** By how much Remaining fell for requests that were sent alone, each time. */
export interface FallsAlone {
  ofKind: ReadonlyMap<string, readonly number[]>;
  ofOperation: ReadonlyMap<string, readonly number[]>;
}

/** Every model is tried with the same observations. */
const known = new WeakMap<readonly Observation[], FallsAlone>();

/** What requests take off, as those show that were sent alone, after one that tells as well. */
export function fallsAlone(inTurn: readonly Observation[]): FallsAlone {
  const before = known.get(inTurn);
  if (before) return before;
  const [ofKind, ofOperation] = [new Map<string, number[]>(), new Map<string, number[]>()];
  for (const [earlier, { exchange, kind, outcome, remaining }] of pairs(inTurn)) {
    const isAlone = [exchange, earlier.exchange].every(({ burst, inFlight }) => !burst && inFlight === 1);
    // After a pause, a window may have ended.
    const isNext = exchange.sentAt - earlier.exchange.receivedAt < PAUSE_MS;
    if (
      !isAlone ||
      !isNext ||
      outcome !== 'let-through' ||
      earlier.remaining === undefined ||
      remaining === undefined
    )
      continue;
    const fall = earlier.remaining - remaining;
    if (fall < 0) continue;
    ofKind.set(kind, [...(ofKind.get(kind) ?? []), fall]);
    ofOperation.set(exchange.operation, [...(ofOperation.get(exchange.operation) ?? []), fall]);
  }
  const falls = { ofKind, ofOperation };
  known.set(inTurn, falls);
  return falls;
}

/** What a request of a kind takes off as a rule; undefined if none was sent alone. */
export function usualFall(
  { ofKind, ofOperation }: FallsAlone,
  kind: string,
  operation: string,
): number | undefined {
  const falls = ofKind.get(kind) ?? ofOperation.get(operation);
  if (!falls) return undefined;
  const usual = modes.get(falls) ?? mode(falls);
  modes.set(falls, usual);
  return usual;
}

/** Each step of a search asks for the same. */
const modes = new WeakMap<readonly number[], number>();

/** What was sent while Remaining did not rise, and by how much it fell at least. */
interface Stretch {
  fallen: number;
  withKey: number;
  wrongKeys: number;
}

/** Fewer with a wrong key may have been counted before or after those beside them. */
const TELLING = 4;

/** Every model is tried with the same observations. */
const seemingCounts = new WeakMap<readonly Observation[], boolean>();

/**
 * Whether requests with a wrong key seem to take one off: whenever Remaining did not rise while several were sent, it
 * fell by more than the others took. A search tries first what seems so, and then the other.
 * @param inTurn in the order in which they were sent
 */
export function seemsCounted(inTurn: readonly Observation[]): boolean {
  const before = seemingCounts.get(inTurn);
  if (before !== undefined) return before;
  const telling = stretchesOf(inTurn).filter(({ wrongKeys }) => wrongKeys >= TELLING);
  const seems =
    telling.length > 0 && telling.every(({ fallen, withKey, wrongKeys }) => fallen - withKey > wrongKeys / 2);
  seemingCounts.set(inTurn, seems);
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
