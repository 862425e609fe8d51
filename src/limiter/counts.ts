import type { RatePlan } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { announcedBurst } from '../model/limits/rate-limit.ts';
import { DAY_S, MINUTE_S, type Window, windowOf } from '../model/limits/rate-plan.ts';
import type { Figures } from './models/model.ts';
import type { Span } from './models/span.ts';
import { clockSkewOf, type Track, type Traffic, trackOf } from './observations.ts';
import { useByOthers } from './others.ts';

export const MINUTE_MS = MINUTE_S * 1_000;

/** One window of a count: of requests that are counted together. */
export interface CountedWindow {
  track: Track;
  figures: Figures;
}

/** The name of the count that a request belongs to. */
export type Partition = (exchange: Exchange) => string;

/** The likeliest ways to count, which the interface leaves open: per address, both addresses together, or per operation. */
export const byAddress: Partition = ({ address }) => address;
export const together: Partition = () => 'all';
export const byOperation: Partition = ({ operation }) => operation;

export const PARTITIONS: readonly Partition[] = [byAddress, together, byOperation];

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** With more operations than this, petspec does not try to count a single operation apart. */
const MAX_APART = 8;

/** Rarer ways to count: reads and writes apart, or one operation apart, per address or together; or per path. */
export function furtherPartitions({
  judged,
  contract,
}: Pick<Traffic, 'judged' | 'contract'>): readonly Partition[] {
  const operations = [...new Set(judged.map(({ exchange }) => exchange.operation))];
  const candidates = operations.length > MAX_APART ? [] : operations;
  // The template of the path: a router limits `/pets/{id}`, not a single animal.
  const paths = new Map(contract.operations.map(({ id, path }) => [id, path]));
  const byPath: Partition = ({ operation, address }) => `${address} ${paths.get(operation) ?? operation}`;
  const ways = [byAddress, together].flatMap((area): Partition[] => [
    (exchange) => `${READS.has(exchange.method) ? 'reads' : 'writes'} ${area(exchange)}`,
    ...candidates.map(
      (operation): Partition =>
        (exchange) =>
          exchange.operation === operation ? `only ${operation}` : area(exchange),
    ),
  ]);
  return [...ways, byPath];
}

/** The limit of each window, as the headers tell, and the minute's if the plan states it. */
function figuresOf(
  exchanges: readonly Exchange[],
  { limits }: Pick<Traffic, 'limits'>,
): { window: Window; limit: number }[] {
  const fromHeaders = exchanges.flatMap((exchange) => {
    const window = exchange.key === 'valid' ? windowOf(exchange, limits) : undefined;
    return window && exchange.rate.limit !== undefined ? [{ window, limit: exchange.rate.limit }] : [];
  });
  const stated = limits?.minute === undefined ? [] : [{ window: 'minute' as const, limit: limits.minute }];
  const figures = [...stated, ...fromHeaders];
  return figures.filter(
    ({ window, limit }, index) =>
      figures.findIndex((figure) => figure.window === window && figure.limit === limit) === index,
  );
}

/** Assumptions behind the counts of a run. */
export interface CountAssumptions {
  /** How far the limiter's clock is ahead of petspec's (ms); by default, what Date shows. */
  clock?: Span | undefined;
  /** How long (ms) the shorter window lasts; by default a minute. */
  windowMs?: number;
}

/** The counts of a run for each way to count. Equal counts of several ways are the same objects. */
export function countsIn(
  traffic: Traffic,
  { clock, windowMs = MINUTE_MS }: CountAssumptions = {},
): (partition: Partition) => readonly CountedWindow[] {
  const judged = traffic.judged.map(({ exchange }) => exchange);
  // After an upgrade of the plan, another limiter responds.
  const upgraded = upgradeOf(judged, traffic.contract.ratePlans)?.id ?? Number.POSITIVE_INFINITY;
  const exchanges = judged.filter(({ id }) => id < upgraded);
  // A long exhaustion does not keep all of its exchanges, and the others explain nothing.
  if (exchanges.some(({ id }, index) => id !== (exchanges[0]?.id ?? 0) + index)) return () => [];
  const skew = clock ?? clockSkewOf(exchanges);
  const cache = new Map<string, readonly CountedWindow[]>();
  return (partition) =>
    [...new Set(exchanges.map(partition))].flatMap((name) => {
      const isCounted = (exchange: Exchange) => partition(exchange) === name;
      const key = exchanges
        .filter(isCounted)
        .map(({ id }) => id)
        .join();
      const counts = cache.get(key) ?? countsOf(exchanges, isCounted, traffic, skew, windowMs);
      cache.set(key, counts);
      return counts;
    });
}

function countsOf(
  exchanges: readonly Exchange[],
  isCounted: (exchange: Exchange) => boolean,
  traffic: Traffic,
  skew: Span,
  windowMs: number,
): CountedWindow[] {
  const counted = exchanges.filter(isCounted);
  const others = useByOthers(exchanges, isCounted, traffic.sharedKey);
  const spelled = new Set(
    traffic.judged.flatMap(({ probe, exchange }) => (probe.spelling ? exchange.id : [])),
  );
  const isSpelled = ({ id }: Exchange) => spelled.has(id);
  const burst = announcedBurst(counted);
  const figures = figuresOf(counted, traffic);
  // A limit that changes has its own requirement. A limit that two windows share may be either's.
  const windows = new Set(figures.map(({ window }) => window));
  const limits = new Set(figures.map(({ limit }) => limit));
  if (windows.size < figures.length || limits.size < figures.length) return [];
  return figures.map(({ window, limit }) => ({
    track: trackOf(counted, window, limit, { ...traffic, isSpelled }, skew, others),
    figures: { limit, windowMs: window === 'minute' ? windowMs : DAY_S * 1_000, burst },
  }));
}

/**
 * The first response after an upgrade of the plan: all responses before it state the limits of one plan, and it and all later ones
 * those of a higher plan (interface: Rate limit headers, "Higher limits come from a plan upgrade").
 */
export function upgradeOf(
  exchanges: readonly Exchange[],
  ratePlans: Readonly<Record<string, RatePlan>>,
): Exchange | undefined {
  const limited = exchanges.filter(({ key, rate }) => key === 'valid' && rate.limit !== undefined);
  const [first] = limited;
  const isOf =
    ({ minute, day }: RatePlan) =>
    ({ rate: { limit } }: Exchange) =>
      limit === minute || limit === day;
  const plans = Object.values(ratePlans).filter(({ minute }) => minute !== undefined);
  const highest = Math.max(...plans.map(({ minute }) => Number(minute)));
  for (const before of plans.filter((plan) => first && isOf(plan)(first))) {
    const changed = limited.find((exchange) => !isOf(before)(exchange));
    if (changed === undefined) continue;
    const higher = plans.filter((plan) => Number(plan.minute) > Number(before.minute));
    // Responses to requests in flight may still state the old limit.
    const later = limited.filter(({ sentAt }) => sentAt > changed.receivedAt);
    const isUpgrade = (isOfHigher: (exchange: Exchange) => boolean) => [changed, ...later].every(isOfHigher);
    if (higher.some((plan) => isUpgrade(isOf(plan)))) return changed;
    // A limit above all plans is agreed individually.
    const custom = Number(changed.rate.limit);
    if (custom > highest && isUpgrade(({ rate: { limit } }) => limit === custom)) return changed;
  }
  return undefined;
}
