import { mode, pairs } from 'd3-array';
import type { Observation } from '../models/model.ts';
import { PAUSE_MS } from '../unseen.ts';

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
