import { pairs } from 'd3-array';
import type { Exchange } from '../model/exchange.ts';
import { byOperation, type CountedWindow, type Partition } from './counts.ts';
import type { Figures, Model, Observation } from './models/model.ts';
import type { Span } from './models/span.ts';
import { aloneIn, type Traffic } from './observations.ts';
import { attempt } from './search/search.ts';
import { SHORTEST_MS } from './window-lengths.ts';

/** Whether a model may explain a count: false if a quick check rules it out. */
export type MayExplain = (model: Model, count: CountedWindow) => boolean;

/**
 * Rules out models before the many ways to count are searched. Every way counts the requests of one operation together, so a model
 * has to explain each sequence by itself: requests of one operation that were sent one after the other, with no other request in
 * between. Earlier requests do not matter, as a run may begin with any request.
 * @param countsOf the counts of the run for a window length
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
    results: new Map<Model, boolean>(),
  }));
  return (model, { figures, track }) => {
    const operations = new Set<string | undefined>(
      track.observations.map(({ exchange }) => exchange.operation),
    );
    return byOperations
      .filter((count) => operations.has(count.operation) && isSame(count.figures, figures))
      .every(({ sequences, results }) => {
        const explainsAll =
          results.get(model) ?? sequences.every((sequence) => !attempt(model, figures, sequence).misfit);
        results.set(model, explainsAll);
        return explainsAll;
      });
  };
}

function isSame(a: Figures, b: Figures): boolean {
  return a.limit === b.limit && a.windowMs === b.windowMs && a.burst === b.burst;
}

/** The sequences of a count, the shortest first, as they take the fewest steps. */
function sequencesOf(
  observations: readonly Observation[],
  isAlone: (exchange: Exchange) => boolean,
): readonly (readonly Observation[])[] {
  const sequences: Observation[][] = [];
  let next: number | undefined;
  for (const observation of observations) {
    const { exchange, others } = observation;
    const isTelling = isAlone(exchange) && exchange.variation === undefined && others === 0;
    if (isTelling && exchange.id === next) sequences.at(-1)?.push(observation);
    else if (isTelling) sequences.push([observation]);
    next = isTelling ? exchange.id + 1 : undefined;
  }
  return sequences.map(withoutUnknownCosts).sort((a, b) => a.length - b.length);
}

/**
 * A refused request would have cost what the same request costs when it is let through. Before the first such request of the sequence,
 * the cost is unknown, so the refusal is no evidence.
 */
function withoutUnknownCosts(sequence: readonly Observation[]): readonly Observation[] {
  const first = sequence.findIndex(
    ({ outcome, exchange }) => outcome === 'let-through' && exchange.key === 'valid',
  );
  const end = first < 0 ? sequence.length : first;
  return sequence.map((observation, index) =>
    observation.outcome === 'refused' && index < end ? { ...observation, outcome: 'unknown' } : observation,
  );
}

/** Remaining may be rounded both before and after a request. */
const ROUNDED = 2;

/**
 * Whether Remaining falls by the same number for all requests of a kind that follow another request of the count. If not, requests
 * between them belong to the count, too, so this way to count is wrong.
 */
export function isSteady(observations: readonly Observation[], { limit }: Figures): boolean {
  const falls = new Map<string, Span>();
  const isAlone = aloneIn(observations.map(({ exchange }) => exchange));
  for (const [before, after] of pairs(observations)) {
    if (!isPlain(before, isAlone) || !isPlain(after, isAlone) || after.others > 0) continue;
    const { at, kind } = after;
    const fall = Number(before.remaining) - Number(after.remaining);
    const returned = (limit * (at.hi - before.at.lo)) / SHORTEST_MS;
    // A window may have ended, or less was left than the request costs.
    if (fall < 0 || after.remaining === 0) continue;
    const { lo, hi } = falls.get(kind) ?? { lo: Number.POSITIVE_INFINITY, hi: 0 };
    const range = { lo: Math.min(lo, fall + returned), hi: Math.max(hi, fall) };
    if (range.hi - range.lo > ROUNDED) return false;
    falls.set(kind, range);
  }
  return true;
}

/**
 * Whether a request was let through alone, so that its Remaining shows nothing but its own cost. The first of several at a time is not
 * alone: its Remaining may count the others.
 */
function isPlain(
  { exchange, outcome, remaining, beside, held }: Observation,
  isAlone: (exchange: Exchange) => boolean,
): boolean {
  return (
    outcome === 'let-through' &&
    remaining !== undefined &&
    (beside === 0 || isAlone(exchange)) &&
    held === 0 &&
    exchange.variation === undefined
  );
}
