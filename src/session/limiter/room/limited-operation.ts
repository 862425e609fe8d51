import { type Exchange, isSuccess, type Reason } from '../../../model/exchange.ts';
import { type Window, windowOf } from '../../../model/limits/rate-plan.ts';
import type { Probe } from '../../../model/probe.ts';
import type { Learnt } from '../../learnt/learnt.ts';
import type { Parts } from '../../parts/parts.ts';
import { highestListed, mostToExhaust } from '../../terms/budget.ts';
import type { SessionOptions } from '../../terms/types.ts';

/** Remaining may be this old (ms), and stay the same meanwhile. */
export const MAX_AGE_MS = 1_000;

/** Why petspec waits for a new Remaining. */
export const OLD = 'Remaining stays the same and may be up to a second old';

/** No request was refused although the run sent as many as it announced. */
export const MOST_SENT: Reason = {
  kind: 'most-sent',
  reason:
    'no request was refused, and petspec sent as many as it announced; a limiter whose window ended meanwhile lets them all through',
};

/**
 * Chooses the probe that uses up the limit of a window, and lowers the budget to what that takes at most.
 * @param limit requests per window, if known
 * @returns undefined if the limit cannot be used up; the candidates are skipped then
 */
export async function chooseLimited(
  candidates: readonly Probe[],
  parts: Choosing & Pick<Parts, 'options' | 'budget' | 'unsent'>,
  window: Window,
  limit: number | undefined,
): Promise<{ probe: Probe; limit: number } | undefined> {
  const { options, budget, learnt, unsent } = parts;
  const usable = usableLimit(learnt, options.ratePlans, window, limit);
  if (typeof usable !== 'number') return unsent.skipAll(candidates, usable);
  const { planned, further = 0 } = options;
  budget.lower('withKey', mostToExhaust(planned, usable) + further);
  const probe = await choose(candidates, parts);
  if (probe) return { probe, limit: usable };
  return unsent.skipAll(candidates, {
    kind: 'not-exhaustible',
    reason: 'no read is seen to be covered by the limit, and petspec does not use it up by adding anything',
  });
}

/** The parts that are needed to find the operation that the limit covers. */
type Choosing = Pick<Parts, 'operations' | 'learnt' | 'clock' | 'end' | 'sender'>;

/** The limit, or why it is not used up. */
function usableLimit(
  { exchanges, limits }: Learnt,
  ratePlans: SessionOptions['ratePlans'],
  window: Window,
  limit: number | undefined,
): number | Reason {
  const kind = 'not-exhaustible';
  const withKey = exchanges.filter(isWithKey);
  const [first] = withKey;
  if (first && !withKey.some(isSuccess))
    return {
      kind,
      reason: 'no request with the key succeeded, so petspec does not use up its limit',
      cause: first.probe,
    };
  const name = window === 'minute' ? '--limit' : '--day-limit';
  if (limit === undefined)
    return {
      kind,
      reason: `the number of requests per ${window} of this key is unknown (--plan or ${name})`,
    };
  if (limits?.[window] === undefined && limit > highestListed(ratePlans, window))
    return {
      kind,
      reason: `the headers state ${limit} requests per ${window}, more than any listed plan allows; petspec uses them up only with ${name} ${limit}`,
    };
  return limit;
}

/**
 * The first operation that the limit covers: its Remaining falls, or it is refused. If every operation was requested
 * twice in a row and none shows either, the headers are wrong and any operation will do.
 */
async function choose(candidates: readonly Probe[], parts: Choosing): Promise<Probe | undefined> {
  const { operations, learnt, sender } = parts;
  const { exchanges } = learnt;
  for (const probe of candidates) {
    const isUsed = () => lastOf(exchanges, probe.operation)?.response?.status === 429;
    // Two requests in a row show what the second one uses up.
    for (let more = 0; more < 2 && !isUsed() && !isClear(exchanges, probe.operation); more += 1)
      await sender.send(probe);
    if (isUsed() || fallsAlone(exchanges, probe.operation)) return probe;
  }
  const isWrong = operations
    .filter(({ address }) => address === 'baseUrl')
    .every(({ id }) => pairsOf(exchanges, id).length > 0 && !fallsOn(exchanges, id));
  return isWrong ? candidates[0] : fallingLater(candidates, parts);
}

/** Remaining may be rounded: one of so many requests in a row makes it fall. */
const ROUNDED = 10;

/** The probe of the last response's operation, if Remaining falls on it once it cannot be as old as in that response. */
async function fallingLater(
  candidates: readonly Probe[],
  { learnt, clock, end, sender }: Choosing,
): Promise<Probe | undefined> {
  const before = learnt.exchanges.findLast(({ address }) => address === 'baseUrl');
  const probe = candidates.find(({ operation }) => operation === before?.operation);
  if (!probe || !before?.response) return undefined;
  const ms = before.receivedAt + MAX_AGE_MS - clock.now();
  const unwaited = ms <= 0 ? undefined : await end.waitFor(ms, OLD);
  for (let more = 0; more < ROUNDED && unwaited === undefined; more += 1) {
    const after = await sender.send(probe);
    if ((after?.rate.remaining ?? Number.POSITIVE_INFINITY) < (before.rate.remaining ?? 0)) return probe;
  }
  return undefined;
}

/** Whether nothing kept a request from its usual response: it succeeded, or got what its operation always responds. */
export function isLetThrough(
  exchange: Exchange | undefined,
  usualStatus: number | undefined,
): exchange is Exchange {
  const status = exchange?.response?.status;
  return (
    status !== undefined && status !== 429 && (status === usualStatus || (status >= 200 && status <= 299))
  );
}

/** Whether a request had the key and went to the base address, where the limit counts it. */
export function isWithKey({ address, key }: Exchange): boolean {
  return address === 'baseUrl' && key === 'valid';
}

/** The first request with the key that the limit refused. */
export function refusalIn(exchanges: readonly Exchange[]): Exchange | undefined {
  return exchanges.find((exchange) => isWithKey(exchange) && exchange.response?.status === 429);
}

/** Responses of an operation to requests with the key. */
export function ofOperation(exchanges: readonly Exchange[], operation: string): Exchange[] {
  return exchanges.filter((exchange) => isPlainResponse(operation, exchange));
}

/** The last response of an operation to a request with the key. */
export function lastOf(exchanges: readonly Exchange[], operation: string): Exchange | undefined {
  return exchanges.findLast((exchange) => isPlainResponse(operation, exchange));
}

/** Whether a request of an operation with the key, sent as its probe says, got a response. */
function isPlainResponse(operation: string, exchange: Exchange): boolean {
  const { key, variation, response } = exchange;
  return key === 'valid' && exchange.operation === operation && !variation && response !== undefined;
}

type ExchangePair = readonly [before: Exchange, after: Exchange];

/**
 * Pairs of consecutive responses of an operation: only those show what it uses up, as an operation that the limit does not cover
 * may state a count that other requests use up.
 */
function pairsOf(exchanges: readonly Exchange[], operation: string): ExchangePair[] {
  const inTurn = exchanges.filter(
    ({ address, variation, response }) => address === 'baseUrl' && !variation && response !== undefined,
  );
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

/** Whether no request of another kind was in flight meanwhile, which may have lowered Remaining. */
function isAlone([before, after]: ExchangePair, exchanges: readonly Exchange[]): boolean {
  const [from, until] = [Math.min(before.sentAt, after.sentAt), after.receivedAt];
  return exchanges.every(
    ({ operation, key, sentAt, receivedAt }) =>
      (operation === after.operation && key === 'valid') || receivedAt <= from || sentAt >= until,
  );
}

function fallsAlone(exchanges: readonly Exchange[], operation: string): boolean {
  return pairsOf(exchanges, operation).some((pair) => isFall(pair) && isAlone(pair, exchanges));
}

/** Whether it is clear if Remaining falls on an operation: it never changes, or only the operation explains its changes. */
function isClear(exchanges: readonly Exchange[], operation: string): boolean {
  const pairs = pairsOf(exchanges, operation);
  // Simultaneous requests may be counted in another order than their responses arrive, so a rise says nothing.
  const isTelling = (pair: ExchangePair) => isFall(pair) || pair[0].receivedAt <= pair[1].sentAt;
  const isChanging = pairs.some(([before, after]) => before.rate.remaining !== after.rate.remaining);
  return (
    pairs.length > 0 && (!isChanging || pairs.some((pair) => isTelling(pair) && isAlone(pair, exchanges)))
  );
}

function isFall([before, after]: ExchangePair): boolean {
  return (after.rate.remaining ?? 0) < (before.rate.remaining ?? 0);
}

/** Whether Remaining falls from one request of an operation to the next. */
export function fallsOn(exchanges: readonly Exchange[], operation: string): boolean {
  return pairsOf(exchanges, operation).some(isFall);
}

/** Remaining may rise this often within a window of an honest limiter. */
const MAX_RISES = 1;

/** Whether Remaining says how much is left: it falls with the requests of an operation, and rarely rises before its Reset. */
export function countsDown(exchanges: readonly Exchange[], operation: string): boolean {
  const rises = pairsOf(exchanges, operation).filter(
    ([before, after]) =>
      after.rate.reset === before.rate.reset &&
      (after.rate.remaining ?? 0) > (before.rate.remaining ?? 0) + after.inFlight,
  );
  return fallsOn(exchanges, operation) && rises.length <= MAX_RISES;
}

/** Requests per minute: those of the plan, else what headers that describe a minute state. */
export function minuteLimit({ exchanges, limits }: Pick<Learnt, 'exchanges' | 'limits'>): number | undefined {
  const stated = limits?.minute;
  if (stated !== undefined) return stated;
  const latest = exchanges.findLast(({ key, rate }) => key === 'valid' && rate.limit !== undefined);
  return latest && windowOf(latest, undefined) === 'minute' ? latest.rate.limit : undefined;
}
