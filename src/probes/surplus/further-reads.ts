import type { Contract, Operation, Parameter } from '../../model/contract.ts';
import { expecting, OPEN } from '../../model/http/expectation.ts';
import type { Probe } from '../../model/probe.ts';
import { documented, probe, queryParameters, success } from '../probe.ts';
import { type Draw, shuffled } from '../variations/random.ts';
import { SIZES } from '../variations/rounds.ts';
import { alternated } from './merged.ts';
import type { RightRequest } from './right-request.ts';

/**
 * Valid reads of an operation with further values of its query: page sizes with and without members of enumerations, in either
 * order. What else it needs is as in the right request.
 */
export function furtherQueries(operation: Operation, right: RightRequest, draw: Draw): Probe[] {
  const query = queryParameters(operation).filter((parameter) => valuesOf(parameter).length > 1);
  if (operation.method !== 'GET' || query.length === 0) return [];
  const names = query.map(({ name }) => name);
  const others = right.query.filter(([name]) => !names.includes(name));
  return newestFirst(largeAloneFirst(combinationsOf(query, draw), query)).map((pairs, index) => {
    const sent = draw(2) === 0 ? pairs : pairs.toReversed();
    const words = sent.map((pair) => pair.join('='));
    return probe(operation, `further ${words.join('&')}#${index + 1}`, 'surplus', {
      title: words.length === 0 ? 'without parameters, again' : words.join(' and '),
      ...validity(operation),
      ...right,
      query: [...others, ...sent],
    });
  });
}

/** What is due for valid values together: where a document leaves open when responses come, only that no 5xx does. */
export function validity(operation: Operation): Pick<Probe, 'validity' | 'expectation'> {
  return operation.mayRefuse
    ? { validity: 'open', expectation: OPEN }
    : { validity: 'valid', expectation: expecting(success(operation)) };
}

/** The most combinations of values for an operation. */
const MOST_COMBINATIONS = 200;

/**
 * Different combinations of parameter values in a random order, all of them if they are few. Five parameters may have millions,
 * so the list of all combinations is never made.
 */
function combinationsOf(parameters: readonly Parameter[], draw: Draw): Probe['query'][] {
  const lists = parameters.map((parameter) => ({ name: parameter.name, values: valuesOf(parameter) }));
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

/** From this share of the maximum on, a page is large: a filter may find too few entries to fill it. */
const LARGE = 1 / 4;

/** Puts each large page without a filter before the same page with a filter. */
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
    const isAlone = (candidate: Probe['query']) =>
      candidate.length === 1 &&
      query.some((pair) => String(pair) === String(candidate[0])) &&
      isLarge(candidate);
    const alone = ordered.findIndex((candidate, place) => place > index && isAlone(candidate));
    const swapped = ordered[alone];
    if (swapped) [ordered[index], ordered[alone]] = [swapped, query];
  }
  return ordered;
}

/** Sorts queries by how often earlier ones have their rarest value: new values come first. */
function newestFirst(queries: readonly Probe['query'][]): Probe['query'][] {
  const sentBefore = new Map<string, number>();
  const ranked = queries.map((query) => {
    const counts = query.map((pair) => sentBefore.get(String(pair)) ?? 0);
    for (const pair of query) sentBefore.set(String(pair), (sentBefore.get(String(pair)) ?? 0) + 1);
    return { query, rank: Math.min(...counts, queries.length) };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ query }) => query);
}

/** Values of a parameter; undefined leaves it out. */
function valuesOf({ schema, required }: Parameter): (string | undefined)[] {
  const none = required ? [] : [undefined];
  if (schema.enum) return [...schema.enum.map(String), ...none];
  const { type, minimum = 1, maximum } = schema;
  if (type !== 'integer' || maximum === undefined) return none;
  const near = [minimum, minimum + 1, maximum - 1, maximum];
  const sizes = [...new Set([...SIZES, ...near])].filter((size) => size >= minimum && size <= maximum);
  return [...sizes.map(String), ...none];
}

/** How many entries of the first list are read by their ids. */
export const LISTED = 20;

/** A link of the contract from an entry of a list to a read by id. */
export interface EntryLink {
  source: Operation;
  target: Operation;
  parameter: string;
  /** The pointer to the id of the entry at a place. */
  pointerAt: (place: number) => string;
  /** How many entries the longest list has; 1 if the contract has no bound. */
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
function longestOf(operation: Operation): number {
  return Math.max(1, ...queryParameters(operation).map(({ schema }) => schema.maximum ?? 1));
}

/** The request of a plan for the longest list, with no parameter but the largest size. */
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

/** Reads of entries of the first list and of the longest one, by the links of the contract. */
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

/** Reads of an entry whose id a double cannot hold, which are sent only if the longest list shows one. */
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

/** A read by id of the entry at a place of a list, counted from 0. */
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
