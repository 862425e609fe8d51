import { mode, pairs } from 'd3-array';
import { addTo } from '../../model/large/grouped.ts';
import { rememberingEach } from '../../model/remembering.ts';
import type { Observation } from '../models/model.ts';
import { PAUSE_MS } from '../turns.ts';

/** By how much Remaining fell for each request that was sent alone. */
export interface FallsAlone {
  ofKind: ReadonlyMap<string, readonly number[]>;
  ofOperation: ReadonlyMap<string, readonly number[]>;
}

/** The falls of Remaining between two successive requests that were sent alone. Remembered, as every model is tried with them. */
export const fallsAlone = rememberingEach((inTurn: readonly Observation[]): FallsAlone => {
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
    addTo(ofKind, kind, fall);
    addTo(ofOperation, exchange.operation, fall);
  }
  return { ofKind, ofOperation };
});

/** By how much Remaining falls most often for a request of a kind, else of its operation; undefined if none was sent alone. */
export function usualFall(
  { ofKind, ofOperation }: FallsAlone,
  kind: string,
  operation: string,
): number | undefined {
  const falls = ofKind.get(kind) ?? ofOperation.get(operation);
  return falls && modeOf(falls);
}

/** Remembered, as every step of a search asks for it. */
const modeOf = rememberingEach((falls: readonly number[]) => mode(falls));

/** Requests that were sent while Remaining did not rise, and by how much it fell at least. */
interface Stretch {
  fallen: number;
  withKey: number;
  wrongKeys: number;
}

/** With fewer wrong keys, overlapping requests may explain the fall. */
const TELLING = 4;

/**
 * Whether requests with a wrong key seem to take one off: in every stretch with several of them, Remaining fell by more than the
 * requests with the key explain. A search tries first what seems so, then the opposite.
 * @param inTurn in the order in which they were sent
 */
export const seemsCounted = rememberingEach((inTurn: readonly Observation[]): boolean => {
  const telling = stretchesOf(inTurn).filter(({ wrongKeys }) => wrongKeys >= TELLING);
  return (
    telling.length > 0 && telling.every(({ fallen, withKey, wrongKeys }) => fallen - withKey > wrongKeys / 2)
  );
});

function stretchesOf(inTurn: readonly Observation[]): Stretch[] {
  const stretches: Stretch[] = [];
  let first: number | undefined;
  let lowest = Number.POSITIVE_INFINITY;
  let [fallen, withKey, wrongKeys] = [0, 0, 0];
  for (const { outcome, remaining, exchange, beside } of inTurn) {
    if (exchange.key !== 'valid') wrongKeys += 1;
    else if (outcome === 'let-through') withKey += 1;
    if (remaining === undefined) continue;
    // Overlapping requests may be counted before or after this one.
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
