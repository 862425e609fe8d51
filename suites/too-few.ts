import {
  type Evidence,
  type Examined,
  hasEndedBefore,
  isLater,
  isSound,
  type Judged,
  type Probe,
} from '../src/suite.ts';
import { animalsOf, inAnimals, queryOf } from './animals.ts';

/** Requests for a list, whether or not their parameters are valid. */
export const isListWithKey = (probe: Probe): boolean =>
  probe.operation === 'listPets' && probe.key === 'valid';

const countOf = (list: Judged): number => animalsOf(list).length;

/**
 * What shows that a page without parameters, with fewer animals than the default size, should have more. It conforms if the store
 * has no more, or if the service does not fill its pages.
 */
export function tooFew(list: Judged, size: number, evidence: Evidence): Examined {
  const larger = filledPage(evidence);
  const filled = larger ? countOf(larger) : 0;
  if (larger && filled >= 2 * size)
    return fewer(list, size, `limit=${filled} returned ${filled}`, [list, larger]);
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
    repetition: { kind: 'in-turn', exchanges, shows: 'entries' },
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
 * The largest page with exactly as many animals as requested. It shows that the service fills its pages, unless a smaller page
 * without a filter has fewer.
 */
function filledPage({ judged }: Evidence): Judged | undefined {
  const lists = judged.filter((each) => isSound(each) && isListWithKey(each.probe));
  const requested = (list: Judged) => Number(queryOf(list, 'limit'));
  const [largest] = lists
    .filter((each) => countOf(each) === requested(each))
    .sort((one, other) => requested(other) - requested(one));
  if (!largest) return undefined;
  const isUnfilled = (list: Judged) =>
    list.probe.validity === 'valid' &&
    list.probe.query.length === 1 &&
    animalsOf(list).length < requested(list) &&
    requested(list) <= requested(largest);
  return lists.some(isUnfilled) ? undefined : largest;
}
