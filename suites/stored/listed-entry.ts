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
} from '../../src/suite.ts';
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
} from '../animals.ts';
import { otherStatusesIn, type unsteadyIn } from './differing-lists.ts';

/** Requests that fetch an animal by its id. */
export const isFetch = (probe: Probe) => probe.operation === 'getPet' && probe.stage === 'read';

/** The fields that every animal has and that never change, unlike a status. */
export function lastingFields({ contract }: Evidence): readonly string[] {
  return contract.operations.find(({ id }) => id === 'createPet')?.body?.schema.required ?? [];
}

/** The sound lists of a run. */
export const listsOf = ({ judged }: Evidence) => judged.filter((list) => isSound(list) && isList(list.probe));

/** What other exchanges of a run show about animals in a list. */
export interface Known {
  evidence: Evidence;
  /** Names of the fields that no operation changes. */
  fields: readonly string[];
  /** Fetches by the id of the animal. */
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

/** What is wrong with an animal in a list, compared with additions, fetches and other lists. */
export function wrongEntry(entry: AnimalEntry, known: Known): Deviating {
  const added = differsFromAdded(entry, known);
  // In a recording, others may change any animal.
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
    repetition: repetitionOf([creation], list, animal),
  };
}

function differsFromFetched(
  { list, animal, index, creation }: AnimalEntry,
  { reads, evidence }: Known,
): Deviating {
  const read = reads.get(idOf(animal));
  if (creation || !read || isLater(read, list)) return undefined;
  const field = contradictsRead(animal, read, evidence);
  if (field === undefined) return undefined;
  return {
    ...deviation(`${field} differs from the fetched animal`, field, animal, animalOf(read)[field], index),
    repetition: repetitionOf([read], list, animal),
  };
}

function changesBetweenLists({ list, animal, index, creation }: AnimalEntry, { unsteady }: Known): Deviating {
  const changing = unsteady.get(list);
  if (creation || changing?.index !== index) return undefined;
  const { name, due, others } = changing;
  return {
    ...deviation(`${name} differs from what lists before and after it show`, name, animal, due, index),
    repetition: repetitionOf(others, list, animal),
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
    repetition: repetitionOf(status.others, list, animal),
  };
}

function lacksStatus({ list, animal, index, creation }: AnimalEntry, { evidence }: Known): Deviating {
  const showing = showingStatus(list, animal, creation, evidence);
  if (showing.length === 0) return undefined;
  return {
    reason: 'a list leaves out the status of an animal that has one',
    expected: `the status of the animal with id ${idOf(animal)}, as other responses show it`,
    received: 'no status',
    pointer: `/${index}`,
    repetition: repetitionOf(showing, list, animal),
  };
}

/** How to repeat a finding: see the animal in earlier exchanges, then in the list. */
function repetitionOf(earlier: readonly Judged[], list: Judged, animal: ReceivedAnimal) {
  const exchanges = idsOf([...earlier, list]);
  return { kind: 'record' as const, exchanges, field: 'id', value: idOf(animal) };
}

/** The sound responses that show an animal, with and without a status. */
interface StatusResponses {
  withStatus: Set<Judged>;
  without: Set<Judged>;
}

/** Responses by the id of the animal, in the order of the requests. */
const shownIn = ofRun(({ judged }): ReadonlyMap<string, StatusResponses> => {
  const byId = new Map<string, StatusResponses>();
  for (const response of judged) {
    if (!isSound(response) || !(isList(response.probe) || isFetch(response.probe))) continue;
    for (const animal of [...animalsOf(response), animalOf(response)]) {
      const shown = byId.get(idOf(animal)) ?? { withStatus: new Set(), without: new Set() };
      (animal.status === undefined ? shown.without : shown.withStatus).add(response);
      byId.set(idOf(animal), shown);
    }
  }
  return byId;
});

/**
 * The exchanges that show that an animal has a status although a list shows none. Either it was added with a status that
 * another response confirms, or an earlier list showed no status, and then a response before this list showed one.
 */
function showingStatus(
  list: Judged,
  animal: ReceivedAnimal,
  creation: Judged | undefined,
  evidence: Evidence,
): Judged[] {
  if (animal.status !== undefined) return [];
  const { withStatus = [], without = [] } = shownIn(evidence).get(idOf(animal)) ?? {};
  if (creation) {
    const hadStatus = sentBody(creation).status !== undefined && animalOf(creation).status !== undefined;
    const confirming = [...withStatus].find((response) => isLater(response, creation));
    return hadStatus && confirming ? [creation, confirming] : [];
  }
  const shown = [...withStatus].find(
    (response) => isLater(list, response) && [...without].some((earlier) => isLater(response, earlier)),
  );
  return shown ? [shown] : [];
}

/** The field in which a listed animal differs from the fetched one, if a later list agrees with the fetch. */
function contradictsRead(listed: ReceivedAnimal, read: Judged, evidence: Evidence): string | undefined {
  const fetched = animalOf(read);
  // If somebody had changed the animal, all later lists would show the change.
  const agrees = (name: string) =>
    listsOf(evidence).some(
      (list) =>
        !isLater(read, list) &&
        animalsOf(list).some(
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
  const inField = fieldDeviation(reason, name, animal, due, `/${index}`);
  return { ...inField, expected: `${inField.expected} at id ${idOf(animal)}` };
}
