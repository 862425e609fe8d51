import {
  type Evidence,
  type Examined,
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
  animalOf,
  animalsOf,
  changedSince,
  fieldDeviation,
  idOf,
  isList,
  ofRun,
  type ReceivedAnimal,
  sentBody,
} from './animals.ts';
import { otherStatusesIn, type unsteadyIn } from './differing-lists.ts';

/** Requests that fetch an animal by its id. */
export const isFetch = (probe: Probe) => probe.operation === 'getPet' && probe.stage === 'read';

/** Fields that every animal has and that never change. A status may change. */
export function lastingFields({ contract }: Evidence): readonly string[] {
  return contract.operations.find(({ id }) => id === 'createPet')?.body?.schema.required ?? [];
}

/** The lists of a run that are sound. */
export const listsOf = ({ judged }: Evidence) => judged.filter((each) => isSound(each) && isList(each.probe));

/** What the other exchanges of a run show about the animals in a list. */
export interface Known {
  evidence: Evidence;
  /** Names of the fields that no operation changes. */
  fields: readonly string[];
  /** By the id of the animal. */
  reads: ReadonlyMap<string, Judged>;
  unsteady: ReturnType<typeof unsteadyIn>;
}

/** An animal in a list, and its addition if the run added it. */
interface AnimalEntry {
  list: Judged;
  animal: ReceivedAnimal;
  index: number;
  creation: Judged | undefined;
}

type Deviating = Exclude<Examined, 'held'>;

/** What is wrong with an animal in a list, by what was added, fetched or listed besides. */
export function wrongEntry(entry: AnimalEntry, known: Known): Deviating {
  const added = differsFromAdded(entry, known);
  // What others fetch or list they may also change.
  if (added || isOfOthers(entry.list)) return added;
  return (
    differsFromFetched(entry, known) ??
    changesBetweenLists(entry, known) ??
    differsInStatus(entry, known) ??
    lacksStatus(entry, known)
  );
}

function differsFromAdded({ list, animal, index, creation }: AnimalEntry, { fields }: Known): Deviating {
  if (!creation || !isLater(list, creation)) return undefined;
  const changed = changedSince(creation, animal, fields);
  if (changed === undefined) return undefined;
  return {
    ...deviation(
      `${changed} differs from the added animal`,
      changed,
      animal,
      sentBody(creation)[changed],
      index,
    ),
    repetition: beside([creation], list, animal),
  };
}

function differsFromFetched(
  { list, animal, index, creation }: AnimalEntry,
  { reads, evidence }: Known,
): Deviating {
  const read = reads.get(idOf(animal));
  if (creation || !read || isLater(read, list)) return undefined;
  const other = contradictsRead(animal, read, evidence);
  if (other === undefined) return undefined;
  return {
    ...deviation(`${other} differs from the fetched animal`, other, animal, animalOf(read)[other], index),
    repetition: beside([read], list, animal),
  };
}

function changesBetweenLists({ list, animal, index, creation }: AnimalEntry, { unsteady }: Known): Deviating {
  const changing = unsteady.get(list);
  if (creation || changing?.index !== index) return undefined;
  const { name, due, others } = changing;
  return {
    ...deviation(`${name} differs from what lists before and after it show`, name, animal, due, index),
    repetition: beside(others, list, animal),
  };
}

function differsInStatus({ list, animal, index }: AnimalEntry, { evidence }: Known): Deviating {
  const status = otherStatusesIn(evidence).get(list);
  if (status?.index !== index) return undefined;
  return {
    ...fieldDeviation(
      'status differs from what lists with a filter show',
      'status',
      animal,
      status.due,
      `/${index}`,
    ),
    repetition: beside(status.others, list, animal),
  };
}

function lacksStatus({ list, animal, index, creation }: AnimalEntry, { evidence }: Known): Deviating {
  const showing = showsStatus(list, animal, creation, evidence);
  if (showing.length === 0) return undefined;
  return {
    reason: 'a list leaves out the status of an animal that has one',
    expected: `the status of the animal with id ${idOf(animal)}, as other responses show it`,
    received: 'no status',
    pointer: `/${index}`,
    repetition: beside(showing, list, animal),
  };
}

/** How to see an animal in other exchanges, and then in a list. */
function beside(others: readonly Judged[], list: Judged, animal: ReceivedAnimal) {
  const exchanges = idsOf([...others, list]);
  return { kind: 'record' as const, exchanges, field: 'id', value: idOf(animal) };
}

/** The sound responses that show an animal with a status, and those that show it without one. */
interface StatusResponses {
  withStatus: Set<Judged>;
  without: Set<Judged>;
}

/** By the id of the animal; in the order in which they were sent. */
const shownIn = ofRun(({ judged }): ReadonlyMap<string, StatusResponses> => {
  const byId = new Map<string, StatusResponses>();
  for (const each of judged) {
    if (!isSound(each) || !(isList(each.probe) || isFetch(each.probe))) continue;
    for (const animal of [...animalsOf(each), animalOf(each)]) {
      const shown = byId.get(idOf(animal)) ?? { withStatus: new Set(), without: new Set() };
      (animal.status === undefined ? shown.without : shown.withStatus).add(each);
      byId.set(idOf(animal), shown);
    }
  }
  return byId;
});

/**
 * The exchanges that show that an animal has a status although a list shows it without one. Either it was added with a
 * status that another response confirms, or a response shows a status after an earlier list showed none, and before this
 * list. Any other status conforms.
 */
function showsStatus(
  list: Judged,
  animal: ReceivedAnimal,
  creation: Judged | undefined,
  evidence: Evidence,
): Judged[] {
  if (animal.status !== undefined) return [];
  const { withStatus = [], without = [] } = shownIn(evidence).get(idOf(animal)) ?? {};
  if (creation) {
    const hadStatus = sentBody(creation).status !== undefined && animalOf(creation).status !== undefined;
    const confirming = [...withStatus].find((each) => isLater(each, creation));
    return hadStatus && confirming ? [creation, confirming] : [];
  }
  const shown = [...withStatus].find(
    (each) => isLater(list, each) && [...without].some((earlier) => isLater(each, earlier)),
  );
  return shown ? [shown] : [];
}

/** The field in which a listed animal differs from the fetched one, if another list agrees with the fetched one. */
function contradictsRead(listed: ReceivedAnimal, read: Judged, evidence: Evidence): string | undefined {
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

function deviation(
  reason: string,
  name: string,
  animal: ReceivedAnimal,
  due: Json | undefined,
  index: number,
) {
  const found = fieldDeviation(reason, name, animal, due, `/${index}`);
  return { ...found, expected: `${found.expected} at id ${idOf(animal)}` };
}
