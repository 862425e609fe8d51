import {
  type Evidence,
  isLater,
  isOfOthers,
  isSound,
  type Json,
  type Judged,
  stringifyJson,
} from '../src/suite.ts';
import { addedIn, animalOf, animalsOf, idOf, ofRun, queryOf, type ReceivedAnimal } from './animals.ts';

const isSoundList = (judged: Judged) =>
  isSound(judged) && judged.probe.operation === 'listPets' && judged.probe.key === 'valid';

/** A list without a filter. */
interface ListPage {
  list: Judged;
  /** Without animals of this run, as a service may list new animals later. */
  animals: readonly ReceivedAnimal[];
  /** The ids of these animals, in their order. */
  ids: readonly string[];
  /** The first place of each id in `ids`. */
  places: ReadonlyMap<string, number>;
}

const unfiltered = ofRun((evidence): readonly ListPage[] => {
  const added = addedIn(evidence);
  return evidence.judged
    .filter((judged) => isSoundList(judged) && queryOf(judged, 'status') === undefined)
    .map((list) => {
      const animals = animalsOf(list).filter((animal) => !added.has(idOf(animal)));
      const ids = animals.map(idOf);
      return { list, animals, ids, places: new Map(ids.map((id, place) => [id, place] as const).reverse()) };
    });
});

const hasSameLimit = (left: Judged, right: Judged) => queryOf(left, 'limit') === queryOf(right, 'limit');

/** An animal that a filter should find, and an unfiltered list that shows it. */
interface FilterMatch {
  animal: ReceivedAnimal;
  list: Judged;
}

/**
 * An animal with the filtered status in an unfiltered list of the same page size, and in one that was not sent before the
 * filtered list. If there is one, and pages have an order, an empty filtered list is wrong.
 */
export function existing(
  filtered: Judged,
  status: string | undefined,
  evidence: Evidence,
): FilterMatch | undefined {
  // In a recording, others may give an animal this status after the filtered list.
  if (isOfOthers(filtered)) return undefined;
  const lists = unfiltered(evidence);
  // A service may order pages in any way, and filter a page after cutting it.
  const [first] = lists;
  if (!first || !isCommonOrder(evidence)(first) || isOrderedApart(evidence)) return undefined;
  for (const shown of shownWith(evidence).get(status)?.values() ?? []) {
    const alike = shown.find(({ list }) => hasSameLimit(list, filtered));
    if (alike && shown.some(({ list }) => !isLater(filtered, list))) return alike;
  }
  return undefined;
}

/** Animals in unfiltered lists, by status and id. */
const shownWith = ofRun((evidence) => {
  const byStatus = new Map<Json | undefined, Map<string, FilterMatch[]>>();
  for (const { list, animals } of unfiltered(evidence))
    for (const animal of animals) {
      const byId = byStatus.get(animal.status) ?? new Map<string, FilterMatch[]>();
      byStatus.set(animal.status, byId);
      const shown = byId.get(idOf(animal));
      if (shown) shown.push({ animal, list });
      else byId.set(idOf(animal), [{ animal, list }]);
    }
  return byStatus;
});

/**
 * An animal that the filter leaves out: the first list of the run shows it with this status, a later list of the same page size
 * shows it again, and the filtered page has room for it. A service may order pages in any way and filter a page after cutting
 * it, so the animal was on the page only if all lists have the same order. The only other explanation is that somebody changed
 * the status and changed it back in between.
 */
export function leftOut(
  filtered: Judged,
  status: string | undefined,
  evidence: Evidence,
): FilterMatch | undefined {
  const lists = unfiltered(evidence);
  const before = lists.find(({ list }) => isLater(filtered, list));
  const after = lists.find(({ list }) => isLater(list, filtered) && hasSameLimit(list, filtered));
  if (!before || !after || animalsOf(filtered).length >= animalsOf(after.list).length) return undefined;
  if (!isSameOrder(before, after) || !isCommonOrder(evidence)(before)) return undefined;
  if (isOrderedApart(evidence)) return undefined;
  const listed = new Set(animalsOf(filtered).map(idOf));
  // If the later list shows it with another status, `isUnsteady` finds that.
  const animal = before.animals.find(
    (animal) => animal.status === status && after.places.has(idOf(animal)) && !listed.has(idOf(animal)),
  );
  return animal && !isUnsteady(evidence) ? { animal, list: after.list } : undefined;
}

/** Whether a filtered list has another order than an unfiltered one, so that it may be cut from another page. */
const isOrderedApart = ofRun((evidence): boolean => {
  const filtered = evidence.judged
    .filter((judged) => isSoundList(judged) && queryOf(judged, 'status') !== undefined)
    .map((list) => animalsOf(list).map(idOf));
  const lists = distinct(filtered, (ids) => ids);
  return distinct(unfiltered(evidence), ({ ids }) => ids).some(({ places }) =>
    lists.some((ids) => {
      const order = ids.flatMap((id) => places.get(id) ?? []);
      return order.some((place, index) => place < (order[index - 1] ?? 0));
    }),
  );
});

/** One list of each sequence of ids, as most lists of a run or a recording are the same. */
function distinct<List>(lists: readonly List[], idsOf: (list: List) => readonly string[]): List[] {
  return [...new Map(lists.map((list) => [idsOf(list).join(), list])).values()];
}

/** Whether all pages of at least the same size begin with the animals of a page. Many filtered lists ask for the same page. */
const isCommonOrder = ofRun((evidence): ((first: ListPage) => boolean) => {
  const remembered = new Map<ListPage, boolean>();
  return (first) => {
    const isCommon =
      remembered.get(first) ??
      unfiltered(evidence).every((page) => page.ids.length < first.ids.length || isSameOrder(first, page));
    remembered.set(first, isCommon);
    return isCommon;
  };
});

/** Whether the larger page begins with the animals of the smaller one, of which a minority may be gone. */
function isSameOrder(smaller: ListPage, larger: ListPage): boolean {
  const remaining = smaller.ids.filter((id) => larger.places.has(id));
  return (
    2 * remaining.length > smaller.ids.length && remaining.every((id, index) => id === larger.ids[index])
  );
}

/** The status of an animal in a list or a fetch. */
interface SeenStatus {
  status: string;
  isListed: boolean;
}

/** The statuses of each animal that this run did not add, in the order of the requests. */
const statusesIn = ofRun((evidence): readonly (readonly SeenStatus[])[] => {
  const added = addedIn(evidence);
  const statuses = new Map<string, SeenStatus[]>();
  for (const judged of evidence.judged.filter(isSound))
    for (const animal of [...animalsOf(judged), animalOf(judged)]) {
      if (animal.id === undefined || added.has(idOf(animal))) continue;
      const shown = { status: stringifyJson(animal.status), isListed: Array.isArray(judged.value) };
      const earlier = statuses.get(idOf(animal));
      if (earlier) earlier.push(shown);
      else statuses.set(idOf(animal), [shown]);
    }
  return [...statuses.values()];
});

const hasSeveralStatuses = (shown: readonly SeenStatus[]) =>
  new Set(shown.map(({ status }) => status)).size > 1;

/** Whether an animal that this run did not add has two statuses, so that others may change statuses during the run. */
export const isUnsteady = ofRun((evidence): boolean => statusesIn(evidence).some(hasSeveralStatuses));

/**
 * Like `isUnsteady`, but without fetches that may be wrong: a fetch does not count if the lists right before and right after it
 * agree.
 */
export const isChanged = ofRun((evidence): boolean =>
  statusesIn(evidence).some((shown) => hasSeveralStatuses(withoutDoubtfulFetches(shown))),
);

function withoutDoubtfulFetches(shown: readonly SeenStatus[]): SeenStatus[] {
  const listed = shown.filter(({ isListed }) => isListed);
  let lists = 0;
  return shown.filter(({ isListed }) => {
    lists += Number(isListed);
    const [before, after] = [listed[lists - 1], listed[lists]];
    return isListed || before === undefined || before.status !== after?.status;
  });
}
