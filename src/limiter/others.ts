import type { Exchange } from '../model/exchange.ts';
import { fellBetween, inTurns, type TurnRemaining, toldBy } from './turns.ts';
import { uncountedBy } from './uncounted.ts';
import { PAUSE_MS, unseenUse } from './unseen.ts';

/** What others may have used of the limit before each request, by its id. */
export type UseByOthers = (exchange: Exchange) => number;

/**
 * How much others may have used, at most. If the key is shared, or the run showed earlier that it is, there is no bound.
 * If not, others may still have used it while petspec waited: as much as could have stayed unseen before.
 * @param exchanges of a run, in the order in which they were sent
 * @param isOwn whether one is counted together with the request in question
 */
export function useByOthers(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
  sharedKey: boolean,
): UseByOthers {
  const shown = sharedKey ? 0 : (sharingShown(exchanges, isOwn)?.id ?? Number.POSITIVE_INFINITY);
  const whileWaiting = new Map(unseenUse(exchanges, isOwn));
  return ({ id }) => (id >= shown ? Number.POSITIVE_INFINITY : (whileWaiting.get(id) ?? 0));
}

/** So many falls that are alike show what each of these requests takes. */
const STEADY = 3;

/**
 * The first request from which on others are seen to use the key. Remaining fell by more than petspec sent: on a request
 * that was alone, or twice in a row while some overlapped. Or it fell by more than one, after it fell by one for each of
 * several alike.
 */
export function sharingShown(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
): Exchange | undefined {
  const turns = inTurns(exchanges, isOwn, uncountedBy(exchanges, isOwn));
  const all = turns.flatMap((turn) => toldBy(turn) ?? []);
  if (takesSeveral(all)) return undefined;
  let [from] = all;
  /** The first since then by which Remaining had fallen by too much, and has stayed so. */
  let since: TurnRemaining | undefined;
  const ones = new Map<string, number>();
  for (const [index, told] of all.entries()) {
    const [before, after] = [all[index - 1], all[index + 1]];
    const fall =
      before?.kind === told.kind && told.sent - before.counted === 1 ? fellBetween(before, told) : 0;
    const seen = ones.get(told.kind) ?? 0;
    if (fall > 1 && seen >= STEADY) return told.first;
    if (fall === 1) ones.set(told.kind, seen + 1);
    // Start again when Remaining rises: a window ended, or the limit was refilled.
    if (from === undefined || told.remaining > from.remaining) from = told;
    since = isExcess(from, told) ? (since ?? told) : undefined;
    if (told.isAlone && since) return since.first;
    if (isExcess(before, told) && isExcess(told, after)) return told.first;
  }
  return undefined;
}

/** Whether each request that is sent alone takes the same number off, and not one, and several no more: then that is its cost. */
function takesSeveral(all: readonly TurnRemaining[]): boolean {
  const falls = all.slice(1).flatMap((told, index) => {
    const before = all[index];
    const fall = before && told.sent - before.counted === 1 ? fellBetween(before, told) : 0;
    return fall > 0 ? fall : [];
  });
  const [cost = 1] = falls;
  const isTaken = (told: TurnRemaining, before: TurnRemaining | undefined) =>
    before === undefined || fellBetween(before, told) <= cost * (told.sent - before.counted);
  const isEach = falls.length >= STEADY && cost !== 1 && new Set(falls).size === 1;
  return isEach && all.every((told, index) => isTaken(told, all[index - 1]));
}

/** Whether Remaining fell by more than petspec sent. */
function isExcess(before: TurnRemaining | undefined, after: TurnRemaining | undefined): boolean {
  return (
    before !== undefined && after !== undefined && fellBetween(before, after) > after.sent - before.counted
  );
}

/** The exchanges since petspec last waited: in so short a time, a limiter that refills gradually gives back little. */
export function sincePause(exchanges: readonly Exchange[]): readonly Exchange[] {
  let last = Number.NEGATIVE_INFINITY;
  let start = 0;
  for (const [index, { sentAt, receivedAt }] of exchanges.entries()) {
    if (sentAt - last >= PAUSE_MS) start = index;
    last = Math.max(last, receivedAt);
  }
  return exchanges.slice(start);
}
