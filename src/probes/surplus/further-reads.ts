import type { Contract, Operation, Parameter } from '../../model/contract.ts';
import { expecting } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { documented, probe, success } from '../probe.ts';
import { type Draw, shuffled } from '../variations/random.ts';
import { SIZES } from '../variations/rounds.ts';
import { alternated } from './merged.ts';

/**
 * Valid reads of an operation with other values of its query than before: sizes with members of enumerations and without, in both
 * orders.
 */
export function furtherQueries(operation: Operation, draw: Draw): Probe[] {
  const query = operation.parameters.filter((each) => each.in === 'query');
  if (operation.method !== 'GET' || operation.parameters.length > query.length || query.length === 0)
    return [];
  return newestFirst(largeAloneFirst(combinationsOf(query, draw), query)).map((each, index) => {
    const sent = draw(2) === 0 ? each : each.toReversed();
    const words = sent.map((pair) => pair.join('='));
    return probe(operation, `further ${words.join('&')}#${index + 1}`, 'surplus', {
      title: words.length === 0 ? 'without parameters, again' : words.join(' and '),
      expectation: expecting(success(operation)),
      query: sent,
    });
  });
}

/** Combinations of values for an operation, at most. */
const MOST_COMBINATIONS = 200;

/**
 * Different combinations of the values of parameters, in a drawn order: all of them if they are few. Five parameters may have
 * millions, so they are never multiplied out.
 */
function combinationsOf(parameters: readonly Parameter[], draw: Draw): Probe['query'][] {
  const lists = parameters.map((each) => ({ name: each.name, values: valuesOf(each) }));
  const count = lists.reduce((product, { values }) => product * values.length, 1);
  const places = shuffled(
    Array.from({ length: Math.min(count, MOST_COMBINATIONS) }, (_, place) => place),
    draw,
  );
  const combined = places.map((place) => {
    let rest = place;
    return lists.flatMap(({ name, values }) => {
      const index = count > MOST_COMBINATIONS ? draw(values.length) : rest % values.length;
      rest = Math.floor(rest / values.length);
      const value = values[index];
      return value === undefined ? [] : [[name, value] as const];
    });
  });
  return [...new Map(combined.map((query) => [JSON.stringify(query), query])).values()];
}

/** A page is large if a filter may leave fewer than it holds: beyond this share of the maximum. */
const LARGE = 1 / 4;

/** Puts each large page without a filter before the same one with a filter, which may leave too few to fill it. */
function largeAloneFirst(
  queries: readonly Probe['query'][],
  parameters: readonly Parameter[],
): Probe['query'][] {
  const largest = new Map(parameters.map(({ name, schema }) => [name, schema.maximum ?? 0]));
  const isLarge = (query: Probe['query']) =>
    query.some(([name, value]) => Number(value) > LARGE * (largest.get(name) ?? Number.POSITIVE_INFINITY));
  const ordered = [...queries];
  for (const [index, query] of ordered.entries()) {
    if (query.length < 2 || !isLarge(query)) continue;
    const isAlone = (other: Probe['query']) =>
      other.length === 1 && query.some((pair) => String(pair) === String(other[0])) && isLarge(other);
    const alone = ordered.findIndex((other, place) => place > index && isAlone(other));
    const found = ordered[alone];
    if (found) [ordered[index], ordered[alone]] = [found, query];
  }
  return ordered;
}

/** Sorts queries by how often those before have their rarest value: what was never sent comes first. */
function newestFirst(queries: readonly Probe['query'][]): Probe['query'][] {
  const seen = new Map<string, number>();
  const ranked = queries.map((query) => {
    const counts = query.map((pair) => seen.get(String(pair)) ?? 0);
    for (const pair of query) seen.set(String(pair), (seen.get(String(pair)) ?? 0) + 1);
    return { query, rank: Math.min(...counts, queries.length) };
  });
  return ranked.sort((one, other) => one.rank - other.rank).map(({ query }) => query);
}

/** Values of a parameter, undefined for none. */
function valuesOf({ schema, required }: Parameter): (string | undefined)[] {
  const none = required ? [] : [undefined];
  if (schema.enum) return [...schema.enum.map(String), ...none];
  const { type, minimum = 1, maximum } = schema;
  if (type !== 'integer' || maximum === undefined) return none;
  const near = [minimum, minimum + 1, maximum - 1, maximum];
  const sizes = [...new Set([...SIZES, ...near])].filter((each) => each >= minimum && each <= maximum);
  return [...sizes.map(String), ...none];
}

/** Entries of the first list that further requests read by their ids, one after the other. */
export const LISTED = 20;

/** How an entry of a list is read by its id, as a link of the contract says. */
export interface EntryLink {
  source: Operation;
  target: Operation;
  parameter: string;
  /** The pointer to the id of the entry at a place. */
  pointerAt: (place: number) => string;
  /** Entries of the longest list; 1 if the contract has no bound. */
  longest: number;
}

/** The links of a contract from the first entry of a list. */
export function entryLinks({ operations }: Contract): EntryLink[] {
  return operations.flatMap((source) =>
    source.responses
      .flatMap(({ links }) => links)
      .filter(({ pointer }) => pointer.startsWith('/0/'))
      .flatMap(({ operation, parameter, pointer }) => {
        const target = operations.find(({ id }) => id === operation);
        const pointerAt = (place: number) => pointer.replace('/0/', `/${place}/`);
        return target ? [{ source, target, parameter, pointerAt, longest: longestOf(source) }] : [];
      }),
  );
}

/** The largest value of a size in the query. */
function longestOf({ parameters }: Operation): number {
  const sizes = parameters.filter((each) => each.in === 'query').map(({ schema }) => schema.maximum ?? 1);
  return Math.max(1, ...sizes);
}

/** The request of a plan whose list is the longest: with the largest size, and nothing else. */
export function longestList(planned: readonly Probe[], { source, longest }: EntryLink): Probe | undefined {
  return planned.find(
    ({ operation, key, validity, query }) =>
      operation === source.id &&
      key === 'valid' &&
      validity === 'valid' &&
      query.length === 1 &&
      query.every(([, value]) => value === String(longest)),
  );
}

/** Reads by the links of the contract, of entries of the first list and of the longest one. */
export function furtherReads(contract: Contract, planned: readonly Probe[], draw: Draw): Probe[] {
  const first = planned.find(({ stage }) => stage === 'first');
  const links = entryLinks(contract).filter(({ source }) => source.id === first?.operation);
  return links.flatMap((link) => {
    if (!first) return [];
    const list = longestList(planned, link);
    const near = Array.from({ length: LISTED - 1 }, (_, index) => index + 1);
    const far = Array.from({ length: Math.max(0, link.longest - LISTED) }, (_, index) => LISTED + index);
    return alternated([
      near.map((place) => entryRead(link, first, place, `further-listed-${place + 1}`)),
      list
        ? shuffled(far, draw)
            .slice(0, LISTED - 1)
            .map((place) => entryRead(link, list, place, `further-far-${place + 1}`))
        : [],
    ]);
  });
}

/** Reads of entries whose ids a double cannot hold; not sent where no list shows one. */
export function exactReads(contract: Contract, planned: readonly Probe[]): Probe[] {
  const first = planned.find(({ stage }) => stage === 'first');
  return entryLinks(contract)
    .filter(({ source }) => source.id === first?.operation)
    .flatMap((link) => {
      const list = longestList(planned, link);
      if (!list) return [];
      const read = entryRead(link, list, 0, 'further-beyond-double');
      const sources = Array.from({ length: link.longest }, (_, place) => ({
        probe: list.id,
        pointer: link.pointerAt(place),
      }));
      return {
        ...read,
        title: 'an entry of the longest list whose id a double cannot hold',
        path: { [link.parameter]: { late: 'response', sources, isBeyondDouble: true } },
      };
    });
}

/** Reads the entry at a place of a list by its id. */
export function entryRead(
  { target, parameter, pointerAt }: EntryLink,
  list: Probe,
  place: number,
  id: string,
) {
  return probe(target, id, 'surplus', {
    title: `entry ${place + 1} of the ${list.stage === 'first' ? 'list' : 'longest list'}`,
    expectation: expecting(success(target), documented(target, '404')),
    path: { [parameter]: { late: 'response', sources: [{ probe: list.id, pointer: pointerAt(place) }] } },
  });
}
