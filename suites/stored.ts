import {
  type Check,
  type Evidence,
  type Examined,
  eachExchange,
  isLater,
  isSound,
  type Judged,
  sameJson,
} from '../src/suite.ts';
import { additionsIn, animalOf, animalsOf, changedSince, idOf, isCreation, isList } from './animals.ts';
import { unsteadyIn } from './differing-lists.ts';
import { isFetch, type Known, lastingFields, listsOf, wrongEntry } from './listed-entry.ts';

/** The first exchange for each animal, by its id. */
function byId(seen: readonly Judged[]): Map<string, Judged> {
  return new Map(seen.map((each) => [idOf(animalOf(each)), each] as const).reverse());
}

const creationsOf = (evidence: Evidence) =>
  byId(additionsIn(evidence).filter((each) => isSound(each) && isCreation(each.probe)));
const readsOf = ({ judged }: Evidence) => byId(judged.filter((each) => isSound(each) && isFetch(each.probe)));

/**
 * The field in which a fetched animal differs from an earlier list. The fetch is wrong, unless a later list agrees with it
 * or lists also differ from what was added.
 */
export function differsFromListed(read: Judged, earlier: Judged, evidence: Evidence): string | undefined {
  const fetched = animalOf(read);
  const listed = animalsOf(earlier).find((animal) => idOf(animal) === idOf(fetched));
  if (!listed) return undefined;
  const lists = listsOf(evidence);
  const isChanged = (name: string) =>
    lists.some(
      (each) =>
        isLater(each, earlier) &&
        animalsOf(each).some(
          (animal) => idOf(animal) === idOf(fetched) && sameJson(animal[name], fetched[name]),
        ),
    );
  const creations = creationsOf(evidence);
  const isChangedInLists = (name: string) =>
    lists.flatMap(animalsOf).some((animal) => {
      const creation = creations.get(idOf(animal));
      return creation !== undefined && changedSince(creation, animal, [name]) !== undefined;
    });
  return lastingFields(evidence).find(
    (name) => !sameJson(listed[name], fetched[name]) && !isChanged(name) && !isChangedInLists(name),
  );
}

const REQUIREMENT = 'listPets.stored';

/** GET /pets (listPets): an animal is listed as it was added. */
export const stored: Check = {
  requirement: REQUIREMENT,
  phase: 'functional',
  probes: (probe) => isList(probe) || isCreation(probe) || isFetch(probe),
  // If the service stored an animal with changes, it is also fetched with changes.
  needs: ['createPet.id', 'getPet.stored', 'listPets.distinct'],
  judge(evidence) {
    const fields = lastingFields(evidence);
    const creations = creationsOf(evidence);
    const known: Known = {
      evidence,
      fields,
      reads: readsOf(evidence),
      unsteady: unsteadyIn(listsOf(evidence), fields),
    };
    const examine = (list: Judged): Examined => {
      let isExercised = false;
      for (const [index, animal] of animalsOf(list).entries()) {
        const creation = creations.get(idOf(animal));
        isExercised ||= creation !== undefined && isLater(list, creation);
        const wrong = wrongEntry({ list, animal, index, creation }, known);
        if (wrong) return wrong;
      }
      return isExercised ? 'held' : undefined;
    };
    return eachExchange({ requirement: REQUIREMENT, probes: isList }, examine).judge(evidence);
  },
};
