import type { Span } from '../models/span.ts';
import type { Counted } from './between.ts';

/** What the requests between two responses take off: at least `lo` in some order, and at most `hi` in every order. */
export interface Fall {
  least: Counted;
  most: () => Counted | undefined;
  /** What was left may have been less than a request costs, and then it took only that. */
  isUsedUp: boolean;
  /** One of these is enough. */
  ways: readonly Span[];
  /** So many observations at most are counted in an order that does not count the later response. */
  without: number;
}

/** What a request of each kind takes off, at least and at most; if that is more than at most, no order of the requests fits. */
export type WeightSpans = ReadonlyMap<string, Span>;

const ANY: Span = { lo: 0, hi: Number.POSITIVE_INFINITY };

/** What a request of a kind takes off: any number, if nothing is known of the kind. */
export function spanOf(spans: WeightSpans, kind: string): Span {
  return spans.get(kind) ?? ANY;
}

/** Whether some weights account for all falls, as far as is known. */
export function isAnyPossible(spans: WeightSpans): boolean {
  return [...spans.values()].every(({ lo, hi }) => lo <= hi);
}

/** In each round, what one kind takes bounds the others. A few rounds show nearly all that there is. */
const MAX_ROUNDS = 10;

/** What requests of each kind can take off if all falls of Remaining together are accounted for. */
export function weightSpansOf(falls: readonly Fall[]): WeightSpans {
  const spans = new Map<string, Span>();
  for (let round = 0, isNarrower = true; isNarrower && round < MAX_ROUNDS; round += 1) {
    isNarrower = false;
    for (const fall of falls)
      for (const [kind, { lo, hi }] of [...boundedAbove(fall, spans), ...boundedBelow(fall, spans)]) {
        const known = spanOf(spans, kind);
        if (lo <= known.lo && hi >= known.hi) continue;
        const narrower = { lo: Math.max(lo, known.lo), hi: Math.min(hi, known.hi) };
        spans.set(kind, narrower);
        if (narrower.lo > narrower.hi) return spans;
        isNarrower = true;
      }
  }
  return spans;
}

/** A request takes no more than Remaining fell by, less what those beside it take at least. */
function boundedAbove({ least, ways, isUsedUp }: Fall, spans: WeightSpans): [kind: string, span: Span][] {
  const fallen = Math.max(...ways.map(({ hi }) => hi));
  // When a window may have begun meanwhile, Remaining shows nothing.
  if (isUsedUp || fallen === Number.POSITIVE_INFINITY) return [];
  return least.ofKind.map(([kind, requests]) => {
    const others = othersTake(least, kind, (each) => spanOf(spans, each).lo);
    return [kind, { lo: 0, hi: Math.floor((fallen - others) / requests) }];
  });
}

/** A request takes at least what Remaining fell by, less what those beside it take at most. */
function boundedBelow({ most, ways }: Fall, spans: WeightSpans): [kind: string, span: Span][] {
  const fallen = Math.min(...ways.map(({ lo }) => lo));
  const counted = fallen > 0 ? most() : undefined;
  if (!counted) return [];
  return counted.ofKind.map(([kind, requests]) => {
    const others = othersTake(counted, kind, (each) => spanOf(spans, each).hi) + counted.byOthers;
    return [kind, { lo: Math.ceil((fallen - others) / requests), hi: Number.POSITIVE_INFINITY }];
  });
}

/** What the requests of the other kinds take off together. */
function othersTake({ ofKind }: Counted, kind: string, take: (kind: string) => number): number {
  let sum = 0;
  for (const [each, requests] of ofKind) if (each !== kind) sum += requests * take(each);
  return sum;
}
