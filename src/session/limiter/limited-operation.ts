import { type Exchange, isSuccess, type Reason } from '../../model/exchange.ts';
import type { Probe } from '../../model/probe.ts';
import { type Window, windowOf } from '../../model/rate-plan.ts';
import { highestListed } from '../budget.ts';
import type { Sender } from '../sender.ts';

/** The limit, where it may be used up; else why it is not. */
export function usableLimit(
  { exchanges, options, limits }: Sender,
  window: Window,
  limit: number | undefined,
): number | Reason {
  const withKey = exchanges.filter((each) => each.key === 'valid' && each.address === 'baseUrl');
  const [first] = withKey;
  if (first && !withKey.some(isSuccess))
    return { reason: 'no request with the key succeeded, so its limit is not used up', cause: first.probe };
  const name = window === 'minute' ? '--limit' : '--day-limit';
  if (limit === undefined)
    return { reason: `the requests per ${window} of this key are not known (--plan or ${name})` };
  const highest = highestListed(options.ratePlans, window);
  if (limits()?.[window] === undefined && limit > highest)
    return {
      reason: `the headers tell of ${limit} requests per ${window}, more than any listed plan allows; petspec uses them up only with ${name} ${limit}`,
    };
  return limit;
}

/**
 * The first operation that the limit is seen to cover: its Remaining falls, or it is refused. Where none is seen to be,
 * though every operation was asked twice in a row, the headers lie and any one will do.
 */
export async function choose(candidates: readonly Probe[], sender: Sender): Promise<Probe | undefined> {
  for (const probe of candidates) {
    const isUsed = () => lastOf(sender, probe.operation)?.response?.status === 429;
    // Two in a row are needed to see what one of them uses up.
    for (let more = 0; more < 2 && pairsOf(sender, probe.operation).length === 0 && !isUsed(); more += 1)
      await sender.send(probe);
    if (isUsed() || fallsOn(sender, probe.operation)) return probe;
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
