import {
  type Evidence,
  hasEndedBefore,
  isOfOthers,
  isSound,
  type Json,
  type Judged,
  sameJson,
  stringifyJson,
} from '../../src/suite.ts';
import { addedIn, animalsOf, idOf, isList, ofRun, queryOf, type ReceivedAnimal } from '../animals.ts';

/** The status of an animal, as one list shows it. */
interface ListedStatus {
  by: Judged;
  isFiltered: boolean;
  index: number;
  status: Json;
}

/** An animal whose status in an unfiltered list differs from the one in lists with a filter. */
interface OtherStatus {
  index: number;
  due: Json;
  /** Lists with a filter that show the other status: one before and one after the unfiltered list, or only one before it. */
  others: readonly Judged[];
}

/** Other users may change a status back and forth, but not of so many animals each time that petspec asks with a filter. */
const MIN_ANIMALS = 8;

/** Lists with a filter may come from a copy that is a day old, but so large a share of one status does not change in a day. */
const MIN_SHARE = 3 / 4;

/**
 * Unfiltered lists that show animals with another status than lists with a filter. Each is between two lists with a filter, or
 * after a list with a filter that is between two unfiltered ones. Empty if few animals differ, or only a small share of each
 * status; also if lists of one kind show an animal with two statuses, because then other users change statuses.
 */
export const otherStatusesIn = ofRun((evidence): ReadonlyMap<Judged, OtherStatus> => {
  /** By the status that lists with a filter show. */
  const byStatus = new Map<Json, { animals: number; differing: number; found: [Judged, OtherStatus][] }>();
  for (const showings of showingsById(evidence).values()) {
    const filtered = showings.filter(({ isFiltered }) => isFiltered);
    const unfiltered = showings.filter(({ isFiltered }) => !isFiltered);
    if (!isSteady(filtered) || !isSteady(unfiltered)) return new Map();
    const [withFilter, withoutFilter] = [filtered[0], unfiltered[0]];
    if (!withFilter || !withoutFilter) continue;
    const group = byStatus.get(withFilter.status) ?? { animals: 0, differing: 0, found: [] };
    byStatus.set(withFilter.status, group);
    group.animals += 1;
    if (sameJson(withFilter.status, withoutFilter.status)) continue;
    group.differing += 1;
    const contradiction = contradictionOf(unfiltered, filtered);
    if (contradiction) group.found.push(contradiction);
  }
  const contradictions = [...byStatus.values()].flatMap((group) =>
    group.differing >= MIN_SHARE * group.animals ? group.found : [],
  );
  // The first animal of each list wins.
  return new Map(contradictions.length < MIN_ANIMALS ? [] : contradictions.reverse());
});

/** The statuses that lists show of animals that the run did not add, by id, in the order of the requests. */
function showingsById(evidence: Evidence): Map<string, ListedStatus[]> {
  const added = addedIn(evidence);
  const showings = new Map<string, ListedStatus[]>();
  const lists = evidence.judged.filter(
    (judged) => isList(judged.probe) && isSound(judged) && !isOfOthers(judged),
  );
  for (const by of lists) {
    const isFiltered = queryOf(by, 'status') !== undefined;
    for (const [index, animal] of animalsOf(by).entries()) {
      const id = idOf(animal);
      if (animal.status === undefined || added.has(id)) continue;
      const showing = { by, isFiltered, index, status: animal.status };
      const earlier = showings.get(id);
      if (earlier) earlier.push(showing);
      else showings.set(id, [showing]);
    }
  }
  return showings;
}

/** Whether all lists show the same status. */
function isSteady(showings: readonly ListedStatus[]): boolean {
  return showings.every(({ status }) => sameJson(status, showings[0]?.status));
}

/** A list of one kind (`showings`) between two of the other kind (`contrasting`), or after one that is between two of its kind. */
function contradictionOf(
  showings: readonly ListedStatus[],
  contrasting: readonly ListedStatus[],
): [Judged, OtherStatus] | undefined {
  for (const { by, index } of showings) {
    const before = contrasting.find((showing) => hasEndedBefore(showing.by, by));
    if (!before) continue;
    const after = contrasting.find((showing) => hasEndedBefore(by, showing.by));
    const isBetween = showings.some((showing) => hasEndedBefore(showing.by, before.by));
    if (after || isBetween)
      return [by, { index, due: before.status, others: after ? [before.by, after.by] : [before.by] }];
  }
  return undefined;
}

/** An animal as one list shows it. */
interface ListedAnimal {
  list: Judged;
  index: number;
  animal: ReceivedAnimal;
}

/** A field of which one list shows another value than lists before and after it. */
interface Unsteady {
  index: number;
  name: string;
  due: Json | undefined;
  /** A list before it and one after it. */
  others: readonly [Judged, Judged];
}

/**
 * Finds animals that one list shows with another value than lists before and after it, by list. No operation changes these
 * fields, and somebody who changes them elsewhere does not change them back right away.
 * @param lists in the order in which they were sent
 * @param fields the fields that never change
 */
export function unsteadyIn(
  lists: readonly Judged[],
  fields: readonly string[],
): ReadonlyMap<Judged, Unsteady> {
  const showings = new Map<string, ListedAnimal[]>();
  for (const list of lists)
    for (const [index, animal] of animalsOf(list).entries()) {
      const earlier = showings.get(idOf(animal));
      if (earlier) earlier.push({ list, index, animal });
      else showings.set(idOf(animal), [{ list, index, animal }]);
    }
  const unsteadyByList = new Map<Judged, Unsteady>();
  for (const shown of showings.values())
    for (const name of fields) {
      const byValue = groupedByValue(shown, name);
      if (byValue.length < 2) continue;
      const repeated = byValue.filter(({ length }) => length > 1);
      for (const showing of shown) {
        const unsteady = unsteadyByList.has(showing.list)
          ? undefined
          : unsteadyBetween(showing, repeated, name);
        if (unsteady) unsteadyByList.set(showing.list, unsteady);
      }
    }
  return unsteadyByList;
}

/** Groups showings by the value of a field, in the order in which the values first came. */
function groupedByValue(showings: readonly ListedAnimal[], name: string): ListedAnimal[][] {
  const byValue = new Map<string, ListedAnimal[]>();
  for (const showing of showings) {
    const value = stringifyJson(showing.animal[name]);
    const sameValue = byValue.get(value);
    if (sameValue) sameValue.push(showing);
    else byValue.set(value, [showing]);
  }
  return [...byValue.values()];
}

/** @param repeated the showings of each value that came more than once, in the order in which the values first came */
function unsteadyBetween(
  { list, index, animal }: ListedAnimal,
  repeated: readonly (readonly ListedAnimal[])[],
  name: string,
): Unsteady | undefined {
  const { id } = list.exchange;
  for (const showings of repeated) {
    const [first, last] = [showings[0], showings.at(-1)];
    // Most values end before this list or begin after it, so they need no search.
    if (!first || first.list.exchange.id > id) return undefined;
    if (!last || last.list.exchange.id < id) continue;
    const due = first.animal[name];
    if (sameJson(due, animal[name])) continue;
    const before = showings.find((showing) => hasEndedBefore(showing.list, list));
    const after = before && showings.findLast((showing) => hasEndedBefore(list, showing.list));
    if (after) return { index, name, due, others: [before.list, after.list] };
  }
  return undefined;
}
