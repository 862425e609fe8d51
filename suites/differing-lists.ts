import {
  type Evidence,
  hasEndedBefore,
  isOfOthers,
  isSound,
  type Json,
  type Judged,
  sameJson,
  stringifyJson,
} from '../src/suite.ts';
import { addedIn, animalsOf, idOf, isList, ofRun, queryOf, type ReceivedAnimal } from './animals.ts';

/** An animal with its status, as one list shows it. */
interface ListedStatus {
  by: Judged;
  isFiltered: boolean;
  index: number;
  status: Json;
}

/** A status that only lists without a filter show. */
interface OtherStatus {
  index: number;
  due: Json;
  /** A list with a filter before it and one after it that show the other status, or one before it. */
  others: readonly Judged[];
}

/** Others may change a status, also back and forth. But nobody changes so many each time that petspec asks with a filter. */
const MIN_ANIMALS = 8;

/** Lists with a filter may come from a copy that is a day old. But such a share of one status does not change in a day. */
const MIN_SHARE = 3 / 4;

/**
 * The lists without a filter that show animals with another status than lists with a filter, each between two lists with a
 * filter, or after one that is between two without. Empty if few animals differ, or a small share of each status, or if
 * lists of one kind show any animal with two statuses: then others change them.
 */
export const otherStatusesIn = ofRun((evidence): ReadonlyMap<Judged, OtherStatus> => {
  /** By the status that lists with a filter show. */
  const byStatus = new Map<Json, { animals: number; differing: number; found: [Judged, OtherStatus][] }>();
  for (const showings of showingsById(evidence).values()) {
    const filtered = showings.filter(({ isFiltered }) => isFiltered);
    const all = showings.filter(({ isFiltered }) => !isFiltered);
    if (!isSteady(filtered) || !isSteady(all)) return new Map();
    const [one, other] = [filtered[0], all[0]];
    if (!one || !other) continue;
    const group = byStatus.get(one.status) ?? { animals: 0, differing: 0, found: [] };
    byStatus.set(one.status, group);
    group.animals += 1;
    if (sameJson(one.status, other.status)) continue;
    group.differing += 1;
    const contradiction = contradicted(all, filtered);
    if (contradiction) group.found.push(contradiction);
  }
  const found = [...byStatus.values()].flatMap((group) =>
    group.differing >= MIN_SHARE * group.animals ? group.found : [],
  );
  // Of each list the first animal that differs.
  return new Map(found.length < MIN_ANIMALS ? [] : found.reverse());
});

/** What the lists of a run show of the animals that it did not add, in the order in which they were asked for. */
function showingsById(evidence: Evidence): Map<string, ListedStatus[]> {
  const own = addedIn(evidence);
  const showings = new Map<string, ListedStatus[]>();
  const lists = evidence.judged.filter((each) => isList(each.probe) && isSound(each) && !isOfOthers(each));
  for (const by of lists) {
    const isFiltered = queryOf(by, 'status') !== undefined;
    for (const [index, animal] of animalsOf(by).entries()) {
      const id = idOf(animal);
      if (animal.status === undefined || own.has(id)) continue;
      const showing = { by, isFiltered, index, status: animal.status };
      const others = showings.get(id);
      if (others) others.push(showing);
      else showings.set(id, [showing]);
    }
  }
  return showings;
}

/** Whether all of them show one status. */
function isSteady(showings: readonly ListedStatus[]): boolean {
  return showings.every(({ status }) => sameJson(status, showings[0]?.status));
}

/** A list of the one kind between two of the other kind, or after one that is between two of its own kind. */
function contradicted(
  own: readonly ListedStatus[],
  others: readonly ListedStatus[],
): [Judged, OtherStatus] | undefined {
  for (const { by, index } of own) {
    const before = others.find((each) => hasEndedBefore(each.by, by));
    if (!before) continue;
    const after = others.find((each) => hasEndedBefore(by, each.by));
    const isBetween = own.some((each) => hasEndedBefore(each.by, before.by));
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

/** A value that one list shows for a field, although lists before and after it show another one. */
interface Unsteady {
  index: number;
  name: string;
  due: Json | undefined;
  /** A list before and one after it. */
  others: readonly [Judged, Judged];
}

/**
 * The animals that one list shows with another value than lists before and after it, by list. No operation changes these
 * fields, and whoever changes them elsewhere does not change them back for a moment.
 * @param lists in the order in which they were sent
 * @param fields those that never change
 */
export function unsteadyIn(
  lists: readonly Judged[],
  fields: readonly string[],
): ReadonlyMap<Judged, Unsteady> {
  const showings = new Map<string, ListedAnimal[]>();
  for (const list of lists)
    for (const [index, animal] of animalsOf(list).entries()) {
      const known = showings.get(idOf(animal));
      if (known) known.push({ list, index, animal });
      else showings.set(idOf(animal), [{ list, index, animal }]);
    }
  const found = new Map<Judged, Unsteady>();
  for (const own of showings.values())
    for (const name of fields) {
      const byValue = withOneValue(own, name);
      if (byValue.length < 2) continue;
      const repeated = byValue.filter(({ length }) => length > 1);
      for (const each of own) {
        const unsteady = found.has(each.list) ? undefined : unsteadyBetween(each, repeated, name);
        if (unsteady) found.set(each.list, unsteady);
      }
    }
  return found;
}

/** The showings of each value, in the order in which the values came first. */
function withOneValue(all: readonly ListedAnimal[], name: string): ListedAnimal[][] {
  const byValue = new Map<string, ListedAnimal[]>();
  for (const each of all) {
    const value = stringifyJson(each.animal[name]);
    const known = byValue.get(value);
    if (known) known.push(each);
    else byValue.set(value, [each]);
  }
  return [...byValue.values()];
}

/** @param repeated the showings of each value that came more than once, in the order in which the values came first */
function unsteadyBetween(
  { list, index, animal }: ListedAnimal,
  repeated: readonly (readonly ListedAnimal[])[],
  name: string,
): Unsteady | undefined {
  const { id } = list.exchange;
  for (const showings of repeated) {
    const [first, last] = [showings[0], showings.at(-1)];
    // Most values end before this list, or begin after it: they are not searched.
    if (!first || first.list.exchange.id > id) return undefined;
    if (!last || last.list.exchange.id < id) continue;
    const due = first.animal[name];
    if (sameJson(due, animal[name])) continue;
    const before = showings.find((each) => hasEndedBefore(each.list, list));
    const after = before && showings.findLast((each) => hasEndedBefore(list, each.list));
    if (after) return { index, name, due, others: [before.list, after.list] };
  }
  return undefined;
}
