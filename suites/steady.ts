import { hasEndedBefore, type Judged } from '../src/judge/evidence/judged.ts';
import { type Json, sameJson, stringifyJson } from '../src/model/json.ts';
import { animalsOf, idOf, type ReceivedAnimal } from './animals.ts';

/** An animal as one list shows it. */
interface ListedAnimal {
  list: Judged;
  index: number;
  animal: ReceivedAnimal;
}

/** A value that one list shows for a field, although lists before and after it show another one. */
export interface Unsteady {
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
