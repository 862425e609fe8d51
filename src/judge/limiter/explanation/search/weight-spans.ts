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
  let isNarrower = true;
  const narrow = (kind: string, lo: number, hi: number) => {
    const known = spanOf(spans, kind);
    if (lo <= known.lo && hi >= known.hi) return;
    spans.set(kind, { lo: Math.max(lo, known.lo), hi: Math.min(hi, known.hi) });
    isNarrower = true;
  };
  const above = falls.flatMap(takenAtMost);
  const below = falls.flatMap(takenAtLeast);
  for (let round = 0; isNarrower && round < MAX_ROUNDS && isAnyPossible(spans); round += 1) {
    isNarrower = false;
    for (const taken of above) boundAbove(taken, spans, narrow);
    for (const taken of below) boundBelow(taken, spans, narrow);
  }
  return spans;
}

/** What requests of some kinds take together. */
interface Taken {
  ofKind: Counted['ofKind'];
  sum: number;
}

/** They take no more than Remaining fell by. When a window may have begun meanwhile, it shows nothing. */
function takenAtMost({ least, ways, isUsedUp }: Fall): Taken[] {
  const sum = Math.max(...ways.map(({ hi }) => hi));
  return isUsedUp || sum === Number.POSITIVE_INFINITY ? [] : [{ ofKind: least.ofKind, sum }];
}

/** They take what Remaining fell by, but for what others may have taken. */
function takenAtLeast({ most, ways }: Fall): Taken[] {
  const fallen = Math.min(...ways.map(({ lo }) => lo));
  const counted = fallen > 0 ? most() : undefined;
  const sum = fallen - (counted?.byOthers ?? 0);
  return counted && sum > 0 ? [{ ofKind: counted.ofKind, sum }] : [];
}

type Narrow = (kind: string, lo: number, hi: number) => void;

/** What the others take at least, a request cannot take. */
function boundAbove({ ofKind, sum }: Taken, spans: WeightSpans, narrow: Narrow): void {
  let rest = sum;
  for (const [kind, requests] of ofKind) rest -= requests * spanOf(spans, kind).lo;
  for (const [kind, requests] of ofKind)
    narrow(kind, 0, spanOf(spans, kind).lo + Math.floor(rest / requests));
}

/** What the others cannot have taken, a request takes. */
function boundBelow({ ofKind, sum }: Taken, spans: WeightSpans, narrow: Narrow): void {
  let rest = sum;
  let unbounded: string | undefined;
  for (const [kind, requests] of ofKind) {
    const { hi } = spanOf(spans, kind);
    if (hi < Number.POSITIVE_INFINITY) rest -= requests * hi;
    else if (unbounded === undefined) unbounded = kind;
    else return;
  }
  for (const [kind, requests] of ofKind) {
    if (unbounded !== undefined && unbounded !== kind) continue;
    const own = unbounded === kind ? 0 : spanOf(spans, kind).hi;
    narrow(kind, own + Math.ceil(rest / requests), Number.POSITIVE_INFINITY);
  }
}
