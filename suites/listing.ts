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
import { stored } from './stored.ts';

/** Requests for a list, whether or not their parameters are valid. */
const isListWithKey = (probe: Probe): boolean => probe.operation === 'listPets' && probe.key === 'valid';

const asks = (name: string) => (probe: Probe) =>
  isListWithKey(probe) && probe.query.some(([each]) => each === name);

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
      // A store that others fill may have had fewer at the time.
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
      // Requests with a valid limit or none have requirements of their own.
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
        const other = animals[stranger]?.status;
        return {
          reason: `status=${wanted} returned an animal with another status`,
          expected: `only animals with status ${wanted}`,
          received: `an animal with ${other === undefined ? 'no status' : `status ${stringifyJson(other)}`}`,
          pointer: `/${stranger}/status`,
          ...afterFirst(list, evidence),
        };
      }
      const missing = leftOut(list, wanted, evidence);
      if (animals.length > 0 && !missing) return 'held';
      const such = missing ?? existing(list, wanted, evidence);
      if (!such) return undefined;
      const id = idOf(such.animal);
      const expected = `the animals with status ${wanted}, such as the one with id ${id}`;
      const exchanges = [list.exchange.id, such.list.exchange.id];
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

  eachExchange({ requirement: 'listPets.distinct', probes: isListWithKey }, (list) => {
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
  }),

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

/** The status that each request got, and the length of a list, in words. */
export function statuses(seen: readonly Judged[]): string {
  const words = seen.map((each) => {
    const count = Array.isArray(each.value)
      ? ` with ${each.value.length} ${each.value.length === 1 ? 'entry' : 'entries'}`
      : '';
    return `${each.probe.title}: ${each.exchange.response?.status}${count}`;
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

/** If every list is the same as the first, whatever the request: it takes both requests to see it. */
function afterFirst(list: Judged, { judged }: Evidence): { repetition?: Repetition } {
  const lists = judged.filter((each) => isSound(each) && isListWithKey(each.probe) && isSuccess(each));
  const [first] = lists;
  const bodyOf = ({ exchange }: Judged) => exchange.response?.body;
  if (!first || first === list || lists.some((each) => bodyOf(each) !== bodyOf(first))) return {};
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
 * What shows that a page without parameters, with fewer animals than the default size, should have more. It conforms if the store
 * has no more, or if the service does not fill its pages.
 */
function tooFew(list: Judged, size: number, evidence: Evidence): Examined {
  const stated = statedDefault(size, evidence);
  if (stated) return fewer(list, size, `limit=${size} returned ${size}`, [list, stated]);
  const before = fullBefore(list, size, evidence);
  return before && fewer(list, size, `the same request returned ${size} before`, [...before, list]);
}

function fewer(list: Judged, size: number, comparison: string, shownBy: readonly Judged[]): Examined {
  const exchanges = shownBy.map(({ exchange }) => exchange.id).sort((one, other) => one - other);
  return {
    reason: `without limit, the page has fewer than the default of ${size} animals, although more exist`,
    expected: inAnimals(size),
    received: `${inAnimals(countOf(list))}, while ${comparison}`,
    pointer: '',
    repetition: { kind: 'in-turn', exchanges },
  };
}

/**
 * An earlier page without parameters that was full, and the list right before this one, if this one has at most half as many
 * animals, and a list after it shows that there are still twice as many. Others may hide or remove a few, but only the requests
 * before make such a difference.
 */
function fullBefore(list: Judged, size: number, { judged }: Evidence): Judged[] | undefined {
  const lists = judged.filter((each) => isSound(each) && isListWithKey(each.probe));
  const isStillThere = lists.some((each) => hasEndedBefore(list, each) && countOf(each) >= 2 * size);
  if (!isStillThere || countOf(list) > size / 2) return undefined;
  const isFull = (each: Judged) => each.probe.query.length === 0 && countOf(each) === size;
  const full = lists.find((each) => isLater(list, each) && isFull(each));
  const last = lists.findLast((each) => hasEndedBefore(each, list));
  return full && [...new Set([full, last ?? full])];
}

/**
 * A full page whose request states the default: without a limit it would be the same page. A full page of another size shows
 * nothing, as a service may fill some pages and leave gaps in others, nor does this one if another has gaps. Others may remove a few
 * animals in between, so the store has to have twice as many.
 */
function statedDefault(size: number, { judged }: Evidence): Judged | undefined {
  const lists = judged.filter((each) => isSound(each) && isListWithKey(each.probe));
  const most = Math.max(0, ...lists.map(countOf));
  const alone = lists.filter(({ probe }) => probe.validity === 'valid' && probe.query.length === 1);
  const requested = (list: Judged) => Number(queryOf(list, 'limit'));
  const isUnfilled = (list: Judged) => countOf(list) < Math.min(requested(list), most);
  if (most < 2 * size || alone.some(isUnfilled)) return undefined;
  return alone.find((each) => requested(each) === size && countOf(each) === size);
}
