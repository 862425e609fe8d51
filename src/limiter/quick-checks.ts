import { pairs } from 'd3-array';
import type { Exchange } from '../model/exchange.ts';
import { byOperation, type CountedWindow, type Partition } from './counts.ts';
import type { Figures, Model, Observation } from './models/model.ts';
import type { Span } from './models/span.ts';
import type { Traffic } from './observations.ts';
import { attempt } from './search/search.ts';
import { SHORTEST_MS } from './window-lengths.ts';

/** Whether a model may explain a count at all. */
export type MayExplain = (model: Model, count: CountedWindow) => boolean;

/**
 * Rules out models before requests are counted in the many ways that the interface leaves open. Every way counts the requests of one
 * operation together. So a model has to explain each sequence of them by itself: requests of one operation that were sent one after the
 * other, with nothing else in between. Nothing needs to be known of what came before, as a run may begin with any request.
 * @param countsOf the counts of the run for a length of the window
 */
export function explainingSequences(
  { judged }: Pick<Traffic, 'judged'>,
  countsOf: (partition: Partition) => readonly CountedWindow[],
): MayExplain {
  const isAlone = aloneIn(judged.map(({ exchange }) => exchange));
  const byOperations = countsOf(byOperation).map(({ figures, track }) => ({
    figures,
    operation: track.observations[0]?.exchange.operation,
    sequences: sequencesOf(track.observations, isAlone),
    known: new Map<Model, boolean>(),
  }));
  return (model, { figures, track }) => {
    const operations = new Set<string | undefined>(
      track.observations.map(({ exchange }) => exchange.operation),
    );
    return byOperations
      .filter((each) => operations.has(each.operation) && isSame(each.figures, figures))
      .every(({ sequences, known }) => {
        const may = known.get(model) ?? sequences.every((each) => !attempt(model, figures, each).misfit);
        known.set(model, may);
        return may;
      });
  };
}

function isSame(one: Figures, other: Figures): boolean {
  return one.limit === other.limit && one.windowMs === other.windowMs && one.burst === other.burst;
}

/** Whether no other request was in flight with one of these. */
function aloneIn(exchanges: readonly Exchange[]): (exchange: Exchange) => boolean {
  const overlaps = ({ inFlight, burst }: Exchange) => inFlight > 1 || burst !== undefined;
  const overlapping = new Set(exchanges.filter(overlaps).map(({ id }) => id));
  for (const [one, next] of pairs(exchanges)) if (overlaps(next)) overlapping.add(one.id);
  return ({ id }) => !overlapping.has(id);
}

/** The sequences in a count, the shortest first, as they take the fewest steps. */
function sequencesOf(
  observations: readonly Observation[],
  isAlone: (exchange: Exchange) => boolean,
): readonly (readonly Observation[])[] {
  const sequences: Observation[][] = [];
  let last: number | undefined;
  for (const observation of observations) {
    const { exchange, others } = observation;
    const isTelling = isAlone(exchange) && exchange.variation === undefined && others === 0;
    if (isTelling && last !== undefined && exchange.id === last + 1) sequences.at(-1)?.push(observation);
    else if (isTelling) sequences.push([observation]);
    last = isTelling ? exchange.id : undefined;
  }
  return sequences.map(withoutUnknownCosts).sort((one, other) => one.length - other.length);
}

/**
 * What a refused request would have taken is what the same took when it was let through. Where the sequence shows no such request, it may be any
 * number, so that the refusal says nothing.
 */
function withoutUnknownCosts(sequence: readonly Observation[]): readonly Observation[] {
  const first = sequence.findIndex(
    ({ outcome, exchange }) => outcome === 'let-through' && exchange.key === 'valid',
  );
  const end = first < 0 ? sequence.length : first;
  return sequence.map((each, index) =>
    each.outcome === 'refused' && index < end ? { ...each, outcome: 'unknown' } : each,
  );
}

/** Remaining is rounded before a request and after it. */
const ROUNDED = 2;

/**
 * Whether Remaining falls alike for each request of a kind that came right after another of the count. It does not where the
 * requests between them are counted as well, though they are taken to be counted apart.
 */
export function isSteady(observations: readonly Observation[], { limit }: Figures): boolean {
  const falls = new Map<string, Span>();
  for (const [before, after] of pairs(observations)) {
    if (!isPlain(before) || !isPlain(after) || after.others > 0) continue;
    const { at, kind } = after;
    const fall = Number(before.remaining) - Number(after.remaining);
    const returned = (limit * (at.hi - before.at.lo)) / SHORTEST_MS;
    // A window may have ended; and what is left may be less than the request costs.
    if (fall < 0 || after.remaining === 0) continue;
    const { lo, hi } = falls.get(kind) ?? { lo: Number.POSITIVE_INFINITY, hi: 0 };
    const known = { lo: Math.min(lo, fall + returned), hi: Math.max(hi, fall) };
    if (known.hi - known.lo > ROUNDED) return false;
    falls.set(kind, known);
  }
  return true;
}

/** Whether a request was let through alone, and nothing but what it took off shows in Remaining. */
function isPlain({ exchange, outcome, remaining, beside, held }: Observation): boolean {
  return (
    outcome === 'let-through' &&
    remaining !== undefined &&
    (beside === 0 || exchange.inFlight === 1) &&
    held === 0 &&
    exchange.variation === undefined
  );
}
