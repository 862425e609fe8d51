import type { RatePlan } from '../model/contract.ts';
import type { Exchange } from '../model/exchange.ts';
import { announcedBurst } from '../model/rate-limit.ts';
import { DAY_S, MINUTE_S, type Window, windowOf } from '../model/rate-plan.ts';
import type { Figures } from './models/model.ts';
import type { Span } from './models/span.ts';
import { clockSkewOf, type Track, type Traffic, trackOf } from './observations.ts';
import { useByOthers } from './others.ts';

export const MINUTE_MS = MINUTE_S * 1_000;

/** One window of what is counted together. */
export interface CountedWindow {
  track: Track;
  figures: Figures;
}

/** What a request is counted together with, by name. */
export type Partition = (exchange: Exchange) => string;

/** The likeliest ways to count that the interface leaves open: one for each address, one for both, or one for each operation. */
export const byAddress: Partition = ({ address }) => address;
export const together: Partition = () => 'all';
export const byOperation: Partition = ({ operation }) => operation;

export const PARTITIONS: readonly Partition[] = [byAddress, together, byOperation];

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);

/** If a run has more operations than this, petspec tries none as the only one that is counted apart. */
const MAX_APART = 8;

/**
 * Other ways to count that the interface leaves open: reads and writes apart, or one operation apart from the others, for
 * each address or for both; or each path by itself.
 */
export function furtherPartitions({
  judged,
  contract,
}: Pick<Traffic, 'judged' | 'contract'>): readonly Partition[] {
  const operations = [...new Set(judged.map(({ exchange }) => exchange.operation))];
  const single = operations.length > MAX_APART ? [] : operations;
  // By its template: a router that limits a path knows no single animal.
  const paths = new Map(contract.operations.map(({ id, path }) => [id, path]));
  const byPath: Partition = ({ operation, address }) => `${address} ${paths.get(operation) ?? operation}`;
  const ways = [byAddress, together].flatMap((area): Partition[] => [
    (each) => `${READS.has(each.method) ? 'reads' : 'writes'} ${area(each)}`,
    ...single.map(
      (one): Partition =>
        (each) =>
          each.operation === one ? `only ${one}` : area(each),
    ),
  ]);
  return [...ways, byPath];
}

/** The limits of the windows that the headers describe, and that of the minute if the plan states it. */
function figuresOf(
  exchanges: readonly Exchange[],
  { limits }: Pick<Traffic, 'limits'>,
): { window: Window; limit: number }[] {
  const told = exchanges.flatMap((each) => {
    const window = each.key === 'valid' ? windowOf(each, limits) : undefined;
    return window && each.rate.limit !== undefined ? [{ window, limit: each.rate.limit }] : [];
  });
  const stated = limits?.minute === undefined ? [] : [{ window: 'minute' as const, limit: limits.minute }];
  const all = [...stated, ...told];
  return all.filter(
    ({ window, limit }, index) =>
      all.findIndex((each) => each.window === window && each.limit === limit) === index,
  );
}

/** What is taken to be known when the counts of a run are made. */
export interface CountAssumptions {
  /** How far the limiter's clock is ahead of ours (ms); by default, what Date shows. */
  clock?: Span | undefined;
  /** How long (ms) the shorter window lasts; by default a minute. */
  windowMs?: number;
}

/** The counts of a run if its requests are counted together in some way. Those of several ways are the same objects. */
export function countsIn(
  traffic: Traffic,
  { clock, windowMs = MINUTE_MS }: CountAssumptions = {},
): (partition: Partition) => readonly CountedWindow[] {
  const all = traffic.judged.map(({ exchange }) => exchange);
  // What comes after an upgrade of the plan is another limiter.
  const upgraded = upgradeOf(all, traffic.contract.ratePlans)?.id ?? Number.POSITIVE_INFINITY;
  const exchanges = all.filter(({ id }) => id < upgraded);
  // A long exhaustion does not keep all of its exchanges, and what is left explains nothing.
  if (exchanges.some(({ id }, index) => id !== (exchanges[0]?.id ?? 0) + index)) return () => [];
  const skew = clock ?? clockSkewOf(exchanges);
  const known = new Map<string, readonly CountedWindow[]>();
  return (partition) =>
    [...new Set(exchanges.map(partition))].flatMap((name) => {
      const isOwn = (each: Exchange) => partition(each) === name;
      const own = exchanges.filter(isOwn);
      const key = own.map(({ id }) => id).join();
      const counts = known.get(key) ?? countsOf(exchanges, isOwn, traffic, skew, windowMs);
      known.set(key, counts);
      return counts;
    });
}

function countsOf(
  exchanges: readonly Exchange[],
  isOwn: (exchange: Exchange) => boolean,
  traffic: Traffic,
  skew: Span,
  windowMs: number,
): CountedWindow[] {
  const own = exchanges.filter(isOwn);
  const others = useByOthers(exchanges, isOwn, traffic.sharedKey);
  const spelled = new Set(
    traffic.judged.flatMap(({ probe, exchange }) => (probe.spelling ? exchange.id : [])),
  );
  const isSpelled = ({ id }: Exchange) => spelled.has(id);
  const burst = announcedBurst(own);
  const figures = figuresOf(own, traffic);
  // A limit that changes has a requirement of its own. One of two windows is not stated, and may be either's.
  const windows = new Set(figures.map(({ window }) => window));
  const limits = new Set(figures.map(({ limit }) => limit));
  if (windows.size < figures.length || limits.size < figures.length) return [];
  return figures.map(({ window, limit }) => ({
    track: trackOf(own, window, limit, { ...traffic, isSpelled }, skew, others),
    figures: { limit, windowMs: window === 'minute' ? windowMs : DAY_S * 1_000, burst },
  }));
}

/**
 * The first response that states the limit of a higher plan, if all before it state one plan's and all after it the
 * higher one's: the plan was upgraded meanwhile (interface: Rate limit headers, "Higher limits come from a plan
 * upgrade").
 */
export function upgradeOf(
  exchanges: readonly Exchange[],
  ratePlans: Readonly<Record<string, RatePlan>>,
): Exchange | undefined {
  const told = exchanges.filter((each) => each.key === 'valid' && each.rate.limit !== undefined);
  const [first] = told;
  const isOf =
    ({ minute, day }: RatePlan) =>
    ({ rate: { limit } }: Exchange) =>
      limit === minute || limit === day;
  const plans = Object.values(ratePlans).filter(({ minute }) => minute !== undefined);
  const highest = Math.max(...plans.map(({ minute }) => Number(minute)));
  for (const before of plans.filter((plan) => first && isOf(plan)(first))) {
    const at = told.findIndex((each) => !isOf(before)(each));
    const higher = plans.filter((plan) => Number(plan.minute) > Number(before.minute));
    // Responses that were under way cross.
    const since = told[at]?.receivedAt ?? 0;
    const later = told.filter(({ sentAt }) => sentAt > since);
    const changed = told[at];
    if (changed === undefined) continue;
    const isUpgrade = (isOfHigher: (exchange: Exchange) => boolean) => [changed, ...later].every(isOfHigher);
    if (higher.some((plan) => isUpgrade(isOf(plan)))) return changed;
    // A limit above those of all plans is agreed individually.
    const custom = Number(changed.rate.limit);
    if (custom > highest && isUpgrade(({ rate: { limit } }) => limit === custom)) return changed;
  }
  return undefined;
}
