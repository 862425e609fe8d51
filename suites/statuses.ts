import {
  type Evidence,
  hasEndedBefore,
  isOfOthers,
  isSound,
  type Json,
  type Judged,
  sameJson,
} from '../src/suite.ts';
import { addedIn, animalsOf, idOf, isList, ofRun, queryOf } from './animals.ts';

/** An animal with its status, as one list shows it. */
interface ListedStatus {
  by: Judged;
  isFiltered: boolean;
  index: number;
  status: Json;
}

/** A status that only lists without a filter show. */
export interface OtherStatus {
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
