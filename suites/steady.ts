import type { Judged } from '../src/judge/judged.ts';
import { hasEndedBefore } from '../src/judge/sequence.ts';
import { type Json, sameJson } from '../src/model/json.ts';
import { type Animal, animalsOf, idOf } from './animals.ts';

/** An animal as one list shows it. */
interface Showing {
  list: Judged;
  index: number;
  animal: Animal;
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
  const showings = new Map<string, Showing[]>();
  for (const list of lists)
    for (const [index, animal] of animalsOf(list).entries()) {
      const known = showings.get(idOf(animal));
      if (known) known.push({ list, index, animal });
      else showings.set(idOf(animal), [{ list, index, animal }]);
    }
  const found = new Map<Judged, Unsteady>();
  for (const own of showings.values())
    for (const name of fields) {
      const [first] = own;
      if (own.every((each) => sameJson(each.animal[name], first?.animal[name]))) continue;
      for (const each of own) {
        const unsteady = found.has(each.list) ? undefined : unsteadyAmong(each, own, name);
        if (unsteady) found.set(each.list, unsteady);
      }
    }
  return found;
}

function unsteadyAmong(
  { list, index, animal }: Showing,
  all: readonly Showing[],
  name: string,
): Unsteady | undefined {
  const others = all.filter((each) => !sameJson(each.animal[name], animal[name]));
  const before = others.filter((each) => hasEndedBefore(each.list, list));
  for (const earlier of before) {
    const later = others.find(
      (each) => hasEndedBefore(list, each.list) && sameJson(each.animal[name], earlier.animal[name]),
    );
    if (later) return { index, name, due: earlier.animal[name], others: [earlier.list, later.list] };
  }
  return undefined;
}
