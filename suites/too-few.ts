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
