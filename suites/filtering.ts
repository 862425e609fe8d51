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
  /** Without the animals of this run: a service may show new animals later. */
  animals: readonly ReceivedAnimal[];
  /** The ids of these animals, in their order. */
  ids: readonly string[];
  /** At which place of them each id comes first. */
  places: ReadonlyMap<string, number>;
}

const unfiltered = ofRun((evidence): readonly ListPage[] => {
  const own = addedIn(evidence);
  return evidence.judged
    .filter((each) => isSoundList(each) && queryOf(each, 'status') === undefined)
    .map((list) => {
      const animals = animalsOf(list).filter((animal) => !own.has(idOf(animal)));
      const ids = animals.map(idOf);
      return { list, animals, ids, places: new Map(ids.map((id, place) => [id, place] as const).reverse()) };
    });
});

const isAlike = (one: Judged, other: Judged) => queryOf(one, 'limit') === queryOf(other, 'limit');

/** An animal that a filter should find, and a list that shows it. */
interface FilterMatch {
  animal: ReceivedAnimal;
  list: Judged;
}

/**
 * An animal with a status that is in an unfiltered list of the same page size, and in one that was not sent before the
 * filtered list. If it exists, and the pages have an order, an empty filtered list is wrong.
 */
export function existing(
  filtered: Judged,
  status: string | undefined,
  evidence: Evidence,
): FilterMatch | undefined {
  // Others may give an animal this status after the filtered list.
  if (isOfOthers(filtered)) return undefined;
  const lists = unfiltered(evidence);
  // A service may order pages as it likes, and filter after it cuts them.
  const [first] = lists;
  if (!first || !isCommonOrder(evidence)(first) || isOrderedApart(evidence)) return undefined;
  for (const shown of shownWith(evidence).get(status)?.values() ?? []) {
    const alike = shown.find(({ list }) => isAlike(list, filtered));
    if (alike && shown.some(({ list }) => !isLater(filtered, list))) return alike;
  }
  return undefined;
}

/** The lists without a filter that show animals with a status, by the status and the id of the animal. */
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
 * An animal that the filter leaves out: the first list of the run shows it with this status, a later list of the same
 * page size shows it again, and the filtered page has room for it. A service may order pages as it likes and filter after
 * it cuts the page, so only an order that all lists have in common shows that the animal was on the page. The only other explanation is that
 * somebody changed the status and changed it back in between.
 */
export function leftOut(
  filtered: Judged,
  status: string | undefined,
  evidence: Evidence,
): FilterMatch | undefined {
  const lists = unfiltered(evidence);
  const before = lists.find(({ list }) => isLater(filtered, list));
  const after = lists.find(({ list }) => isLater(list, filtered) && isAlike(list, filtered));
  if (!before || !after || animalsOf(filtered).length >= animalsOf(after.list).length) return undefined;
  if (!isSameOrder(before, after) || !isCommonOrder(evidence)(before)) return undefined;
  if (isOrderedApart(evidence)) return undefined;
  const found = new Set(animalsOf(filtered).map(idOf));
  // With another status later it is unsteady.
  const animal = before.animals.find(
    (each) => each.status === status && after.places.has(idOf(each)) && !found.has(idOf(each)),
  );
  return animal && !isUnsteady(evidence) ? { animal, list: after.list } : undefined;
}

/** Whether a filtered list has another order than a list without a filter: then it may be cut from another page. */
const isOrderedApart = ofRun((evidence): boolean => {
  const filtered = evidence.judged
    .filter((each) => isSoundList(each) && queryOf(each, 'status') !== undefined)
    .map((each) => animalsOf(each).map(idOf));
  const lists = distinct(filtered, (ids) => ids);
  return distinct(unfiltered(evidence), ({ ids }) => ids).some(({ places }) =>
    lists.some((ids) => {
      const found = ids.flatMap((id) => places.get(id) ?? []);
      return found.some((place, index) => place < (found[index - 1] ?? 0));
    }),
  );
});

/** One list of each order: most lists of a run or a recording are the same. */
function distinct<List>(lists: readonly List[], idsOf: (list: List) => readonly string[]): List[] {
  return [...new Map(lists.map((each) => [idsOf(each).join(), each])).values()];
}

/** Whether all pages that are at least as large begin with the animals of a page. Many filtered lists ask for the same one. */
const isCommonOrder = ofRun((evidence): ((first: ListPage) => boolean) => {
  const known = new Map<ListPage, boolean>();
  return (first) => {
    const isCommon =
      known.get(first) ??
      unfiltered(evidence).every((page) => page.ids.length < first.ids.length || isSameOrder(first, page));
    known.set(first, isCommon);
    return isCommon;
  };
});

/** Whether the larger page begins with the animals of the smaller one, and most of those are still there. */
function isSameOrder(smaller: ListPage, larger: ListPage): boolean {
  const left = smaller.ids.filter((id) => larger.places.has(id));
  return 2 * left.length > smaller.ids.length && left.every((id, index) => id === larger.ids[index]);
}

/** A status of an animal, as a list or a fetch shows it. */
interface StatusFilter {
  status: string;
  isListed: boolean;
}

/** The statuses that responses show of each animal that this run did not add, in the order in which they were sent. */
const statusesIn = ofRun((evidence): readonly (readonly StatusFilter[])[] => {
  const own = addedIn(evidence);
  const statuses = new Map<string, StatusFilter[]>();
  for (const each of evidence.judged.filter(isSound))
    for (const animal of [...animalsOf(each), animalOf(each)]) {
      if (animal.id === undefined || own.has(idOf(animal))) continue;
      const shown = { status: stringifyJson(animal.status), isListed: Array.isArray(each.value) };
      const known = statuses.get(idOf(animal));
      if (known) known.push(shown);
      else statuses.set(idOf(animal), [shown]);
    }
  return [...statuses.values()];
});

const areSeveral = (shown: readonly StatusFilter[]) => new Set(shown.map(({ status }) => status)).size > 1;

/** Whether an animal that this run did not add has two statuses: then others may change them during the run. */
export const isUnsteady = ofRun((evidence): boolean => statusesIn(evidence).some(areSeveral));

/**
 * Whether such an animal has two statuses although fetches may be wrong: where the lists right before and right after a fetch
 * agree, it shows no change.
 */
export const isChanged = ofRun((evidence): boolean =>
  statusesIn(evidence).some((shown) => areSeveral(withoutFetchedApart(shown))),
);

function withoutFetchedApart(shown: readonly StatusFilter[]): StatusFilter[] {
  const listed = shown.filter(({ isListed }) => isListed);
  let lists = 0;
  return shown.filter(({ isListed }) => {
    lists += Number(isListed);
    const [before, after] = [listed[lists - 1], listed[lists]];
    return isListed || before === undefined || before.status !== after?.status;
  });
}
