import {
  type Check,
  type Evidence,
  eachExchange,
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
import { isListWithKey, tooFew } from './too-few.ts';

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
