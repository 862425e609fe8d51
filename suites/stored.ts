import {
  type Check,
  type Evidence,
  type Examined,
  eachExchange,
  idsOf,
  isLater,
  isOfOthers,
  isSound,
  type Json,
  type Judged,
  type Probe,
  sameJson,
} from '../src/suite.ts';
import {
  type Animal,
  animalOf,
  animalsOf,
  changedSince,
  fieldDeviation,
  idOf,
  isSuccess,
  queryOf,
  sentBody,
} from './animals.ts';
import { otherStatusesIn } from './statuses.ts';
import { unsteadyIn } from './steady.ts';

const isList = (probe: Probe) =>
  probe.operation === 'listPets' && probe.key === 'valid' && probe.validity === 'valid';
const isCreation = (probe: Probe) => probe.operation === 'createPet' && probe.stage === 'create';
const isRead = (probe: Probe) => probe.operation === 'getPet' && probe.stage === 'read';

/** Fields that every animal has and that never change. A status may change. */
function lastingFields({ contract }: Evidence): readonly string[] {
  return contract.operations.find(({ id }) => id === 'createPet')?.body?.schema.required ?? [];
}

/** The first exchange for each animal, by its id. */
function byId(seen: readonly Judged[]): Map<string, Judged> {
  return new Map(seen.map((each) => [idOf(animalOf(each)), each] as const).reverse());
}

const creationsOf = ({ judged }: Evidence) =>
  byId(judged.filter((each) => isSound(each) && isCreation(each.probe) && isSuccess(each)));
const readsOf = ({ judged }: Evidence) =>
  byId(judged.filter((each) => isSound(each) && isRead(each.probe) && isSuccess(each)));
const listsOf = ({ judged }: Evidence) => judged.filter((each) => isSound(each) && isList(each.probe));

/** Whether a sound response shows an animal with a status, or without one. */
function shows(each: Judged, id: string, hasStatus: boolean): boolean {
  if (!isSound(each) || !(isList(each.probe) || isRead(each.probe))) return false;
  return [...animalsOf(each), animalOf(each)].some(
    (animal) => animal.id !== undefined && idOf(animal) === id && (animal.status !== undefined) === hasStatus,
  );
}

/**
 * The exchanges that show that an animal has a status although a list shows it without one. Either it was added with a
 * status that another response confirms, or a response shows a status after an earlier list showed none, and before this
 * list. Any other status conforms.
 */
function showsStatus(
  list: Judged,
  animal: Animal,
  creation: Judged | undefined,
  { judged }: Evidence,
): Judged[] {
  if (animal.status !== undefined) return [];
  const id = idOf(animal);
  if (creation) {
    const hadStatus = sentBody(creation).status !== undefined && animalOf(creation).status !== undefined;
    const confirming = judged.find((each) => isLater(each, creation) && shows(each, id, true));
    return hadStatus && confirming ? [creation, confirming] : [];
  }
  const shown = judged.find(
    (each) =>
      isLater(list, each) &&
      shows(each, id, true) &&
      judged.some((earlier) => isLater(each, earlier) && shows(earlier, id, false)),
  );
  return shown ? [shown] : [];
}

/** The field in which a listed animal differs from the fetched one, if another list agrees with the fetched one. */
function contradictsRead(listed: Animal, read: Judged, evidence: Evidence): string | undefined {
  const fetched = animalOf(read);
  // If somebody changed the animal, all later lists show the change.
  const agrees = (name: string) =>
    listsOf(evidence).some(
      (each) =>
        !isLater(read, each) &&
        animalsOf(each).some(
          (animal) => idOf(animal) === idOf(listed) && sameJson(animal[name], fetched[name]),
        ),
    );
  return lastingFields(evidence).find((name) => !sameJson(listed[name], fetched[name]) && agrees(name));
}

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

/** GET /pets (listPets): an animal is listed as it was added. */
export const stored: Check = {
  requirement: 'listPets.stored',
  phase: 'functional',
  probes: (probe) => isList(probe) || isCreation(probe) || isRead(probe),
  // If the service stored an animal with changes, it is also fetched with changes.
  needs: ['createPet.id', 'getPet.stored', 'listPets.distinct'],
  judge(evidence) {
    const fields = lastingFields(evidence);
    const known: Known = {
      evidence,
      fields,
      creations: creationsOf(evidence),
      reads: readsOf(evidence),
      unsteady: unsteadyIn(
        listsOf(evidence).toSorted((one, other) => one.exchange.id - other.exchange.id),
        fields,
      ),
    };
    const examine = (list: Judged): Examined => {
      let isExercised = false;
      for (const [index, animal] of animalsOf(list).entries()) {
        const creation = known.creations.get(idOf(animal));
        isExercised ||= creation !== undefined && isLater(list, creation);
        const wrong = wrongEntry(list, animal, index, known);
        if (wrong) return wrong;
      }
      return isExercised ? 'held' : undefined;
    };
    return eachExchange({ requirement: 'listPets.stored', probes: isList }, examine).judge(evidence);
  },
};

/** What the other exchanges of a run show about the animals in a list. */
interface Known {
  evidence: Evidence;
  /** Names of the fields that no operation changes. */
  fields: ReturnType<typeof lastingFields>;
  creations: ReturnType<typeof creationsOf>;
  reads: ReturnType<typeof readsOf>;
  unsteady: ReturnType<typeof unsteadyIn>;
}

/** What is wrong with an animal in a list, by what was added, fetched or listed besides. */
function wrongEntry(list: Judged, animal: Animal, index: number, known: Known): Examined {
  const { evidence, fields } = known;
  const creation = known.creations.get(idOf(animal));
  const read = known.reads.get(idOf(animal));
  const changed = creation && isLater(list, creation) ? changedSince(creation, animal, fields) : undefined;
  const beside = (...others: Judged[]) => ({
    kind: 'record' as const,
    exchanges: idsOf([...others, list]),
    field: 'id',
    value: idOf(animal),
  });
  if (creation && changed !== undefined)
    return {
      ...deviation(changed, 'added', animal, sentBody(creation)[changed], index),
      repetition: beside(creation),
    };
  // What others fetch or list they may also change.
  if (isOfOthers(list)) return undefined;
  const other =
    !creation && read && !isLater(read, list) ? contradictsRead(animal, read, evidence) : undefined;
  if (other !== undefined && read)
    return {
      ...deviation(other, 'fetched', animal, animalOf(read)[other], index),
      repetition: beside(read),
    };
  const changing = known.unsteady.get(list);
  if (!creation && changing?.index === index) {
    const { name, due, others } = changing;
    return {
      ...deviation(name, 'listed', animal, due, index),
      reason: `${name} differs from what lists before and after it show`,
      repetition: beside(...others),
    };
  }
  const status = otherStatusesIn(evidence).get(list);
  if (status?.index === index)
    return {
      ...fieldDeviation(
        `status differs from what lists ${queryOf(list, 'status') === undefined ? 'with' : 'without'} a filter show`,
        'status',
        animal,
        status.due,
        `/${index}`,
      ),
      repetition: beside(...status.others),
    };
  const showing = showsStatus(list, animal, creation, evidence);
  if (showing.length === 0) return undefined;
  return {
    reason: 'a list leaves out the status of an animal that has one',
    expected: `the status of the animal with id ${idOf(animal)}, as other responses show it`,
    received: 'no status',
    pointer: `/${index}`,
    repetition: beside(...showing),
  };
}

function deviation(name: string, origin: string, animal: Animal, due: Json | undefined, index: number) {
  const reason = `${name} differs from the ${origin} animal`;
  const found = fieldDeviation(reason, name, animal, due, `/${index}`);
  return { ...found, expected: `${found.expected} at id ${idOf(animal)}` };
}
