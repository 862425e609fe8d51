import {
  type Check,
  type Evidence,
  type Examined,
  eachExchange,
  isLater,
  isSound,
  type Judged,
  sameJson,
} from '../../src/suite.ts';
import { additionsIn, animalOf, animalsOf, changedSince, idOf, isCreation, isList } from '../animals.ts';
import { unsteadyIn } from './differing-lists.ts';
import { isFetch, type Known, lastingFields, listsOf, wrongEntry } from './listed-entry.ts';

/** The first exchange with each animal, by its id. */
function firstById(seen: readonly Judged[]): Map<string, Judged> {
  return new Map(seen.map((judged) => [idOf(animalOf(judged)), judged] as const).reverse());
}

const creationsOf = (evidence: Evidence) =>
  firstById(additionsIn(evidence).filter((addition) => isSound(addition) && isCreation(addition.probe)));
const readsOf = ({ judged }: Evidence) =>
  firstById(judged.filter((read) => isSound(read) && isFetch(read.probe)));

/**
 * The field in which a fetched animal differs from an earlier list. Fields in which a later list agrees with the fetch, or in
 * which lists differ from what was added, do not count.
 */
export function differsFromListed(read: Judged, earlier: Judged, evidence: Evidence): string | undefined {
  const fetched = animalOf(read);
  const listed = animalsOf(earlier).find((animal) => idOf(animal) === idOf(fetched));
  if (!listed) return undefined;
  const lists = listsOf(evidence);
  const isChanged = (name: string) =>
    lists.some(
      (list) =>
        isLater(list, earlier) &&
        animalsOf(list).some(
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

/** GET /pets (listPets): animals are listed as they were added. */
export const stored: Check = {
  requirement: REQUIREMENT,
  phase: 'functional',
  probes: (probe) => isList(probe) || isCreation(probe) || isFetch(probe),
  // A service that stores an animal with changes is reported by `getPet.stored`, as it is also fetched with them.
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
