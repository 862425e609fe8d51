import type { Probe } from '../probes/types.ts';
import type { Exchange } from './exchange.ts';
import { windowOf } from './plan-limits.ts';
import type { Sender } from './sender.ts';

/**
 * The first operation that the limit is seen to cover: its Remaining falls, or is used up. Where none is seen to be,
 * though every operation was asked twice in a row, the headers lie and any one will do.
 */
export async function choose(candidates: readonly Probe[], sender: Sender): Promise<Probe | undefined> {
  for (const probe of candidates) {
    const isUsed = () => lastOf(sender, probe.operation)?.response?.status === 429;
    // Two in a row are needed to see what one of them uses up.
    for (let more = 0; more < 2 && pairsOf(sender, probe.operation).length === 0 && !isUsed(); more += 1)
      await sender.send(probe);
    const last = lastOf(sender, probe.operation);
    if (last?.response?.status === 429 || last?.rate.remaining === 0 || fallsOn(sender, probe.operation))
      return probe;
  }
  const isLying = sender
    .operationsAt('baseUrl')
    .every((operation) => pairsOf(sender, operation).length > 0 && !fallsOn(sender, operation));
  return isLying ? candidates[0] : undefined;
}

export function ofOperation({ exchanges }: Sender, operation: string): Exchange[] {
  return exchanges.filter(
    (each) => each.key === 'valid' && each.operation === operation && each.response !== undefined,
  );
}

export function lastOf({ exchanges }: Sender, operation: string): Exchange | undefined {
  return exchanges.findLast(
    (each) => each.key === 'valid' && each.operation === operation && each.response !== undefined,
  );
}

/**
 * Answers to an operation, one right after the other with nothing else between: an operation that the limit does not
 * cover may still tell of a count that others use up.
 */
function pairsOf({ exchanges }: Sender, operation: string): (readonly [before: Exchange, after: Exchange])[] {
  const inTurn = exchanges.filter(({ address, response }) => address === 'baseUrl' && response !== undefined);
  return inTurn.flatMap((after, index) => {
    const before = inTurn[index - 1];
    const isPair =
      before?.operation === operation &&
      after.operation === operation &&
      before.key === 'valid' &&
      after.key === 'valid';
    return before && isPair ? [[before, after] as const] : [];
  });
}

/** Whether Remaining falls from one request of an operation to the next. */
export function fallsOn(sender: Sender, operation: string): boolean {
  return pairsOf(sender, operation).some(
    ([before, after]) => (after.rate.remaining ?? 0) < (before.rate.remaining ?? 0),
  );
}

/** Rises within one window that an honest limiter may show, of whatever others gave back. */
const FEW_RISES = 1;

/**
 * Whether Remaining says how much is left: it falls with the requests of an operation, and does not go up again and
 * again before its Reset.
 */
export function countsDown(sender: Sender, operation: string): boolean {
  const rises = pairsOf(sender, operation).filter(
    ([before, after]) =>
      after.rate.reset === before.rate.reset &&
      (after.rate.remaining ?? 0) > (before.rate.remaining ?? 0) + after.inFlight,
  );
  return fallsOn(sender, operation) && rises.length <= FEW_RISES;
}

/** Requests per minute: the plan's figure, else what headers that describe a minute say. */
export function minuteLimit(sender: Sender): number | undefined {
  const stated = sender.limits()?.minute;
  if (stated !== undefined) return stated;
  const latest = sender.exchanges.findLast((each) => each.key === 'valid' && each.rate.limit !== undefined);
  return latest && windowOf(latest, undefined) === 'minute' ? latest.rate.limit : undefined;
}
