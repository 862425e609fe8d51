import {
  type Check,
  type Evidence,
  type Examined,
  eachExchange,
  headerValue,
  isSuccess as isAccepted,
  isLate,
  isOfOthers,
  isSound,
  type Judged,
  observe,
  type Probe,
  parseHttpDate,
  type Repetition,
} from '../src/suite.ts';
import {
  additionsIn,
  animalOf,
  animalsOf,
  changedSince,
  fieldDeviation,
  idOf,
  isSuccess,
  ofRun,
  type ReceivedAnimal,
  sentBody,
} from './animals.ts';
import { isChanged } from './filtering.ts';
import { isFetch } from './listed-entry.ts';
import { statuses } from './listing.ts';
import { differsFromListed } from './stored.ts';

/** An id in its usual form. In another one, nothing says which animal it names. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** Reads by id, whether or not this run created the animal. */
const isById = ({ key, path: { petId = '' } }: Probe) =>
  key === 'valid' && (isLate(petId) || INTEGER.test(petId));

/** The probe that created or listed what this one reads. What has the next id may be anybody's. */
function sourceOf(probe: Probe): string | undefined {
  const { petId } = probe.path;
  if (!isLate(petId) || petId.late !== 'response' || petId.isNext) return undefined;
  return petId.sources[0]?.probe;
}

/** Whether a time is on a day, `YYYY-MM-DD`, in some time zone: zones are up to 14 hours ahead of UTC and 12 behind. */
function isOnDay(ms: number, day: string): boolean {
  const hours = (ms - Date.parse(day)) / 3_600_000;
  return hours >= -14 && hours < 24 + 12;
}

function listedAt(list: Judged, id: string): ReceivedAnimal {
  return animalsOf(list).find((animal) => idOf(animal) === id) ?? {};
}

function fetchedAs(name: string, origin: string, fetched: ReceivedAnimal, due: ReceivedAnimal) {
  return fieldDeviation(`${name} differs from the ${origin} animal`, name, fetched, due[name]);
}

/** Whether a response tells which animal is read: of an addition, the status may be wrong. */
function tellsAnimal(source: Judged): boolean {
  const { probe, exchange, deviations } = source;
  return isSound(source) || (probe.creates && isAccepted(exchange) && deviations[0]?.kind === 'status');
}

/** The fetches of animals that the run added, in the order in which they were sent. */
const readsOfAdded = ofRun((evidence): readonly Judged[] => {
  const added = new Set(
    additionsIn(evidence)
      .filter(isSound)
      .map(({ probe }) => probe.id),
  );
  return evidence.judged.filter(({ probe }) => isFetch(probe) && added.has(sourceOf(probe) ?? ''));
});

/** Reads of two added animals: a wrong read may depend on the read before it, or only on its id. */
function withAnother(read: Judged, evidence: Evidence): { repetition?: Repetition } {
  const all = readsOfAdded(evidence).filter(({ exchange }) => exchange.url !== read.exchange.url);
  const other = all.findLast(({ exchange }) => exchange.id < read.exchange.id) ?? all[0];
  if (!other) return {};
  const exchanges = [other.exchange.id, read.exchange.id];
  return { repetition: { kind: 'in-turn', exchanges } };
}

/** GET /pets/{petId} (getPet): an animal is fetched as it was added. */
export const fetching: readonly Check[] = [
  eachExchange(
    { requirement: 'getPet.stored', probes: isById, needs: ['createPet.id'] },
    (read, evidence): Examined => {
      if (!isSuccess(read)) return undefined;
      const fetched = animalOf(read);
      const asked = decodeURIComponent(new URL(read.exchange.url).pathname.split('/').at(-1) ?? '');
      const sources = evidence.judged.filter(
        (each) => each.probe.id === sourceOf(read.probe) && tellsAnimal(each),
      );
      // A creation that failed was sent again, and the animal of the second one is read.
      const source = sources.find((each) => idOf(animalOf(each)) === asked) ?? sources[0];
      if (idOf(fetched) !== asked) {
        return {
          reason: 'the response is another animal',
          expected: `id: ${asked}`,
          received: `id: ${idOf(fetched)}`,
          pointer: '/id',
          ...(source?.probe.creates ? withAnother(read, evidence) : {}),
        };
      }
      if (!source) return 'held';
      // Others may change an animal that they did not add just now.
      if (!source.probe.creates && isOfOthers(read)) return 'held';
      if (!source.probe.creates) {
        const name = differsFromListed(read, source, evidence);
        if (name === undefined) return 'held';
        const exchanges = [source.exchange.id, read.exchange.id];
        return {
          ...fetchedAs(name, 'listed', fetched, listedAt(source, asked)),
          repetition: { kind: 'record', exchanges, field: 'id', value: asked },
        };
      }
      const { properties = {}, required = [] } = source.operation.body?.schema ?? {};
      // A status may change in time: soon, if those of other animals do, but else not before the read right after the creation.
      const mayHaveChanged = read.probe.stage !== 'read' || isChanged(evidence);
      const mayDiffer = mayHaveChanged && fetched.status !== undefined;
      const all = Object.keys(properties).filter((name) => !mayDiffer || name !== 'status');
      // Others may change a status at any time, but no operation changes the rest.
      const changed = changedSince(source, fetched, isOfOthers(read) ? required : all);
      return changed === undefined ? 'held' : fetchedAs(changed, 'added', fetched, sentBody(source));
    },
  ),

  eachExchange(
    { requirement: 'getPet.sunset', probes: isFetch, of: 'answered' },
    (read, { today }): Examined => {
      const sunset = headerValue(read.exchange.response?.headers ?? [], 'Sunset');
      const removal = read.operation.removal;
      if (sunset === undefined || removal === undefined) return undefined;
      const date = parseHttpDate(sunset, today);
      if (date && isOnDay(date.ms, removal)) return 'held';
      return {
        reason: 'Sunset is not on the day of the removal',
        expected: `Sunset: an HTTP-date on ${removal}`,
        received: `Sunset: ${sunset}`,
        headers: ['Sunset'],
      };
    },
  ),

  observe('open.deprecation', isFetch, ([read]) => {
    const headers = read?.exchange.response?.headers ?? [];
    const sent = ['Deprecation', 'Sunset'].flatMap((name) =>
      headers.filter(([each]) => each.toLowerCase() === name.toLowerCase()),
    );
    return sent.length === 0
      ? 'no Deprecation or Sunset header'
      : sent.map(([name, value]) => `${name}: ${value}`).join(', ');
  }),
  observe(
    'open.pet-id',
    (probe) => probe.id === 'getPet:non-integer' || probe.id === 'getPet:largest',
    statuses,
  ),
];
