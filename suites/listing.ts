import {
  type Check,
  type Evidence,
  type Examined,
  eachExchange,
  hasEndedBefore,
  isLater,
  isOfOthers,
  isSound,
  type Judged,
  observe,
  type Probe,
  type Repetition,
  stringifyJson,
} from '../src/suite.ts';
import { animalsOf, idOf, inAnimals, isSuccess, queryOf } from './animals.ts';
import { existing, leftOut } from './filtering.ts';
import { stored } from './stored/stored.ts';

/** Requests for a list with the right key; parameters may be invalid. */
const isListWithKey = (probe: Probe): boolean => probe.operation === 'listPets' && probe.key === 'valid';

const asks = (name: string) => (probe: Probe) =>
  isListWithKey(probe) && probe.query.some(([parameter]) => parameter === name);

/** GET /pets (listPets): page size, default, maximum, the status filter, no animal twice. */
export const listing: readonly Check[] = [
  eachExchange(
    { requirement: 'listPets.limit', probes: (probe) => asks('limit')(probe) && probe.validity === 'valid' },
    (list, evidence) => {
      const limit = Number(queryOf(list, 'limit'));
      const count = animalsOf(list).length;
      if (count > limit)
        return {
          ...tooMany(`limit=${limit} returned more animals than requested`, limit, count),
          ...afterFirst(list, evidence),
        };
      return count === limit ? 'held' : undefined;
    },
  ),

  eachExchange(
    {
      requirement: 'listPets.limit.default',
      probes: (probe) => isListWithKey(probe) && probe.validity === 'valid' && !asks('limit')(probe),
      needs: ['listPets.limit'],
    },
    (list, evidence) => {
      const size = limitOf(evidence, 'default');
      const count = animalsOf(list).length;
      if (count > size)
        return tooMany(`without limit, the page has more than the default of ${size} animals`, size, count);
      if (count === size) return 'held';
      // In a recording, the store may have had fewer animals at the time.
      if (isOfOthers(list)) return undefined;
      return list.probe.query.length > 0 ? undefined : tooFew(list, size, evidence);
    },
  ),

  eachExchange(
    {
      requirement: 'listPets.page',
      probes: isListWithKey,
      needs: ['listPets.limit', 'listPets.limit.default'],
    },
    (list, evidence) => {
      const most = limitOf(evidence, 'maximum');
      const count = animalsOf(list).length;
      // Requests with a valid limit or without one are judged by other requirements.
      if (count > most && list.probe.validity === 'open')
        return tooMany(`a page has more than the maximum of ${most} animals`, most, count);
      return count === most ? 'held' : undefined;
    },
  ),

  eachExchange(
    {
      requirement: 'listPets.status',
      probes: (probe) => asks('status')(probe) && probe.validity === 'valid',
    },
    (list, evidence) => {
      const wanted = queryOf(list, 'status');
      const animals = animalsOf(list);
      const stranger = animals.findIndex(({ status }) => status !== wanted);
      if (stranger >= 0) {
        const otherStatus = animals[stranger]?.status;
        return {
          reason: `status=${wanted} returned an animal with another status`,
          expected: `only animals with status ${wanted}`,
          received: `an animal with ${otherStatus === undefined ? 'no status' : `status ${stringifyJson(otherStatus)}`}`,
          pointer: `/${stranger}/status`,
          ...afterFirst(list, evidence),
        };
      }
      const missing = leftOut(list, wanted, evidence);
      if (animals.length > 0 && !missing) return 'held';
      const match = missing ?? existing(list, wanted, evidence);
      if (!match) return undefined;
      const id = idOf(match.animal);
      const expected = `the animals with status ${wanted}, such as the one with id ${id}`;
      const exchanges = [list.exchange.id, match.list.exchange.id];
      const repetition = { kind: 'record', exchanges, field: 'id', value: id } as const;
      if (animals.length > 0)
        return {
          repetition,
          reason: `status=${wanted} left out an animal that has this status`,
          expected,
          received: `${animals.length} other animals`,
          pointer: '',
        };
      return {
        repetition,
        reason: `status=${wanted} returned nothing, although such animals exist`,
        expected,
        received: 'an empty list',
        pointer: '',
      };
    },
  ),

  // A service that assigns an id twice may list both animals.
  eachExchange(
    { requirement: 'listPets.distinct', probes: isListWithKey, needs: ['createPet.id'] },
    (list) => {
      const ids = animalsOf(list).map(idOf);
      const seen = new Set<string>();
      const twice = ids.findIndex((id) => seen.size === seen.add(id).size);
      if (twice < 0) return ids.length > 1 ? 'held' : undefined;
      return {
        reason: 'an id occurs twice in one list',
        expected: 'every id once',
        received: `id ${ids[twice]} at index ${ids.indexOf(ids[twice] ?? '')} and ${twice}`,
        pointer: `/${twice}/id`,
      };
    },
  ),

  stored,

  observe('open.paging', isListWithKey, ([first]) => {
    const names = first?.exchange.response?.headers
      .map(([name]) => name)
      .filter((name) => /^link$|page|total|next|cursor/i.test(name));
    return names && names.length > 0 ? `headers ${names.join(', ')}` : 'no header for a following page';
  }),
  observe('open.ordering', isListWithKey, (lists) => orderOf(lists)),
  observe('open.limit-out-of-range', (probe) => asks('limit')(probe) && probe.validity === 'open', statuses),
  observe('open.status-unknown', (probe) => asks('status')(probe) && probe.validity === 'open', statuses),
];

/** The title and status of each exchange, and the number of entries in a list, in words. */
export function statuses(seen: readonly Judged[]): string {
  const words = seen.map((judged) => {
    const count = Array.isArray(judged.value)
      ? ` with ${judged.value.length} ${judged.value.length === 1 ? 'entry' : 'entries'}`
      : '';
    return `${judged.probe.title}: ${judged.exchange.response?.status}${count}`;
  });
  return [...new Set(words)].join('; ');
}

function tooMany(reason: string, expected: number, count: number) {
  return {
    reason,
    expected: `at most ${inAnimals(expected)}`,
    received: inAnimals(count),
    pointer: `/${expected}`,
  };
}

/** A bound of the parameter `limit`, as the OpenAPI document states it. */
function limitOf({ contract }: Evidence, bound: 'default' | 'maximum'): number {
  const operation = contract.operations.find(({ id }) => id === 'listPets');
  return Number(operation?.parameters.find(({ name }) => name === 'limit')?.schema[bound]);
}

/** How to repeat a wrong list with the first list before it, if all lists of the run are equal whatever the request. */
function afterFirst(list: Judged, { judged }: Evidence): { repetition?: Repetition } {
  const lists = judged.filter((page) => isSound(page) && isListWithKey(page.probe) && isSuccess(page));
  const [first] = lists;
  const bodyOf = ({ exchange }: Judged) => exchange.response?.body;
  if (!first || first === list || lists.some((page) => bodyOf(page) !== bodyOf(first))) return {};
  const exchanges = [first.exchange.id, list.exchange.id];
  return { repetition: { kind: 'in-turn', exchanges } };
}

function orderOf(lists: readonly Judged[]): string | undefined {
  const longest = lists.map(animalsOf).sort((left, right) => right.length - left.length)[0] ?? [];
  if (longest.length < 3) return undefined;
  const ids = longest.map(({ id }) => id as number | bigint);
  if (ids.every((id, index) => index === 0 || id > (ids[index - 1] ?? id))) return 'by id, ascending';
  return ids.every((id, index) => index === 0 || id < (ids[index - 1] ?? id))
    ? 'by id, descending'
    : 'not by id';
}

const countOf = (list: Judged): number => animalsOf(list).length;

/**
 * Finds evidence that a page without parameters has fewer animals than the default size although the store has more. A page may be
 * short if the store has no more animals, or if the service does not fill pages.
 */
function tooFew(list: Judged, size: number, evidence: Evidence): Examined {
  const stated = statedDefault(size, evidence);
  if (stated) return fewer(list, size, `limit=${size} returned ${size}`, [list, stated]);
  const before = fullBefore(list, size, evidence);
  return before && fewer(list, size, `the same request returned ${size} before`, [...before, list]);
}

function fewer(list: Judged, size: number, comparison: string, shownBy: readonly Judged[]): Examined {
  const exchanges = shownBy.map(({ exchange }) => exchange.id).sort((a, b) => a - b);
  return {
    reason: `without limit, the page has fewer than the default of ${size} animals, although more exist`,
    expected: inAnimals(size),
    received: `${inAnimals(countOf(list))}, while ${comparison}`,
    pointer: '',
    repetition: { kind: 'in-turn', exchanges },
  };
}

/**
 * An earlier full page without parameters, and the last list before this one, if this one is at most half full and a later list
 * has at least twice as many animals as a full page. Other users may hide or remove a few animals, but only earlier requests make
 * such a difference.
 */
function fullBefore(list: Judged, size: number, { judged }: Evidence): Judged[] | undefined {
  const lists = judged.filter((page) => isSound(page) && isListWithKey(page.probe));
  const isStillThere = lists.some((page) => hasEndedBefore(list, page) && countOf(page) >= 2 * size);
  if (!isStillThere || countOf(list) > size / 2) return undefined;
  const isFull = (page: Judged) => page.probe.query.length === 0 && countOf(page) === size;
  const full = lists.find((page) => isLater(list, page) && isFull(page));
  const last = lists.findLast((page) => hasEndedBefore(page, list));
  return full && [...new Set([full, last ?? full])];
}

/**
 * A full page whose request states the default limit, so that a page without a limit should equal it. It shows nothing if any page
 * with only a limit has gaps: then the service does not fill its pages. Other users may remove a few animals in between, so a
 * list has to have at least twice as many.
 */
function statedDefault(size: number, { judged }: Evidence): Judged | undefined {
  const lists = judged.filter((page) => isSound(page) && isListWithKey(page.probe));
  const most = Math.max(0, ...lists.map(countOf));
  const alone = lists.filter(({ probe }) => probe.validity === 'valid' && probe.query.length === 1);
  const requested = (list: Judged) => Number(queryOf(list, 'limit'));
  const isUnfilled = (list: Judged) => countOf(list) < Math.min(requested(list), most);
  if (most < 2 * size || alone.some(isUnfilled)) return undefined;
  return alone.find((page) => requested(page) === size && countOf(page) === size);
}
