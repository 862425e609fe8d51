import {
  type Check,
  type Evidence,
  type Examined,
  eachExchange,
  hasEndedBefore,
  isLate,
  isSound,
  type Judged,
  type Probe,
} from '../src/suite.ts';
import { animalOf, animalsOf, idOf, isList, ofRun, returnedBody, sentBody } from './animals.ts';

const ADDED = 201;
/** Statuses that say that nothing was added. Any other status leaves it open. */
const REFUSED: readonly unknown[] = [400, 401];

/** An animal, and the response that shows it. */
interface NamedAnimal {
  by: Judged;
  animal: ReturnType<typeof animalOf>;
}

/** The additions that sent a name that only this run sends, by that name. */
const additionsByName = ofRun(({ judged }) => {
  const byName = new Map<string, Judged[]>();
  for (const addition of judged) {
    const name = ownNameOf(addition);
    if (name !== undefined) byName.set(name, [...(byName.get(name) ?? []), addition]);
  }
  // An addition may return the name of another addition, which was then accepted, too.
  for (const addition of judged) {
    const { name } = returnedBody(addition);
    if (addition.probe.creates && typeof name === 'string') byName.get(name)?.push(addition);
  }
  return byName;
});

/** The animals with one of these names in lists and fetches, by name, in the order of the requests. */
const showingsByName = ofRun((evidence) => {
  const names = additionsByName(evidence);
  const byName = new Map<string, NamedAnimal[]>();
  for (const by of evidence.judged) {
    if (names.size === 0 || !isSound(by) || !(isList(by.probe) || by.probe.operation === 'getPet')) continue;
    for (const animal of [...animalsOf(by), animalOf(by)]) {
      const { name } = animal;
      if (typeof name !== 'string' || !names.has(name)) continue;
      byName.set(name, [...(byName.get(name) ?? []), { by, animal }]);
    }
  }
  return byName;
});

/** The name that an addition sent, if no other run sends it; in a recording, names may be anybody's. */
function ownNameOf(judged: Judged): string | undefined {
  const { probe, exchange } = judged;
  if (!probe.creates || exchange.recorded || !hasOwnName(probe)) return undefined;
  const { name } = sentBody(judged);
  return typeof name === 'string' ? name : undefined;
}

function hasOwnName({ body }: Probe): boolean {
  if (!body || !('json' in body) || typeof body.json !== 'object' || body.json === null) return false;
  const name: unknown = Reflect.get(body.json, 'name');
  return isLate(name) && name.late === 'own' && name.as === 'text';
}

/** The statuses of the additions with this name; undefined if the status of one does not say whether it added an animal. */
function statusesOf(name: string, evidence: Evidence): unknown[] | undefined {
  const additions = additionsByName(evidence).get(name) ?? [];
  const statuses = [...new Set(additions)].map(({ exchange }) =>
    exchange.isRepeated ? undefined : exchange.response?.status,
  );
  return statuses.every((status) => status === ADDED || REFUSED.includes(status)) ? statuses : undefined;
}

/** A finding if a later response shows the animal of a refused addition. */
function shownAnyway(refused: Judged, evidence: Evidence): Examined {
  const name = ownNameOf(refused);
  if (name === undefined) return undefined;
  const statuses = statusesOf(name, evidence);
  if (!statuses || statuses.includes(ADDED)) return undefined;
  const shown = showingsByName(evidence)
    .get(name)
    ?.find(({ by }) => hasEndedBefore(refused, by));
  if (!shown) return undefined;
  return {
    reason: `${refused.probe.title}: refused with ${refused.exchange.response?.status}, but the animal was added`,
    expected: 'no animal with a name that only refused requests sent',
    received: `the animal with id ${idOf(shown.animal)} in exchange ${shown.by.exchange.id}`,
    repetition: {
      kind: 'in-turn',
      exchanges: [refused.exchange.id, shown.by.exchange.id],
    },
  };
}

/** Extends a check: it also finds the animals of additions that were refused with this status. */
export function nothingAdded(check: Check, status: number, probes: Check['probes']): Check {
  const { requirement, phase, needs } = check;
  const added = eachExchange({ requirement, probes }, (judged, evidence) =>
    judged.exchange.response?.status === status ? shownAnyway(judged, evidence) : undefined,
  );
  return {
    ...{ requirement, phase, needs, probes: check.probes },
    judge(evidence) {
      const finding = check.judge(evidence);
      if (finding.status === 'violated') return finding;
      const shown = added.judge(evidence);
      return shown.status === 'violated' ? shown : finding;
    },
  };
}

/** A finding if a later list shows several animals with the name of a single addition. */
export function addedTwice(creation: Judged, evidence: Evidence): Examined {
  const name = ownNameOf(creation);
  if (name === undefined) return undefined;
  const statuses = statusesOf(name, evidence);
  if (statuses?.filter((status) => status === ADDED).length !== 1) return undefined;
  const showings = showingsByName(evidence).get(name) ?? [];
  for (const { by, animal } of showings) {
    if (!hasEndedBefore(creation, by)) continue;
    const twin = showings.find((showing) => showing.by === by && idOf(showing.animal) !== idOf(animal));
    if (!twin) continue;
    return {
      reason: 'one addition added two animals',
      expected: 'one animal with one id',
      received: `ids ${idOf(animal)} and ${idOf(twin.animal)} in exchange ${by.exchange.id}`,
      repetition: {
        kind: 'in-turn',
        exchanges: [creation.exchange.id, by.exchange.id],
      },
    };
  }
  return undefined;
}
