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
import { statuses } from './listing.ts';
import { isFetch } from './stored/listed-entry.ts';
import { differsFromListed } from './stored/stored.ts';

/** An id in its usual form. The interface does not say which animal another form names. */
const INTEGER = /^(?:0|-?[1-9]\d*)$/;

/** Reads by id, of animals of this run and of others. */
const isById = ({ key, path: { petId = '' } }: Probe) =>
  key === 'valid' && (isLate(petId) || INTEGER.test(petId));

/** The id of the probe that created or listed what this probe reads. The animal with a next id may be anybody's. */
function sourceOf(probe: Probe): string | undefined {
  const { petId } = probe.path;
  if (!isLate(petId) || petId.late !== 'response' || petId.isNext) return undefined;
  return petId.sources[0]?.probe;
}

/** Whether a time is on a day (`YYYY-MM-DD`) in any time zone: zones are up to 14 hours ahead of UTC and 12 behind. */
function isOnDay(ms: number, day: string): boolean {
  const hours = (ms - Date.parse(day)) / 3_600_000;
  return hours >= -14 && hours < 24 + 12;
}

function listedAt(list: Judged, id: string): ReceivedAnimal {
  return animalsOf(list).find((animal) => idOf(animal) === id) ?? {};
}

function fetchDeviation(name: string, origin: string, fetched: ReceivedAnimal, due: ReceivedAnimal) {
  return fieldDeviation(`${name} differs from the ${origin} animal`, name, fetched, due[name]);
}

/** Whether a response shows which animal is read. The one of an addition does so also with a wrong status of success. */
function tellsAnimal(source: Judged): boolean {
  const { probe, exchange, deviations } = source;
  return isSound(source) || (probe.creates && isAccepted(exchange) && deviations[0]?.kind === 'status');
}

/** The fetches of animals that the run added, in the order of the requests. */
const readsOfAdded = ofRun((evidence): readonly Judged[] => {
  const added = new Set(
    additionsIn(evidence)
      .filter(isSound)
      .map(({ probe }) => probe.id),
  );
  return evidence.judged.filter(({ probe }) => isFetch(probe) && added.has(sourceOf(probe) ?? ''));
});

/** How to repeat a wrong read: with the read of another added animal before it, as it may depend on that. */
function withAnother(read: Judged, evidence: Evidence): { repetition?: Repetition } {
  const otherReads = readsOfAdded(evidence).filter(({ exchange }) => exchange.url !== read.exchange.url);
  const anotherRead = otherReads.findLast(({ exchange }) => exchange.id < read.exchange.id) ?? otherReads[0];
  if (!anotherRead) return {};
  const exchanges = [anotherRead.exchange.id, read.exchange.id];
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
        (judged) => judged.probe.id === sourceOf(read.probe) && tellsAnimal(judged),
      );
      // A failed creation was sent again, and the read is of the animal that the second one created.
      const source = sources.find((candidate) => idOf(animalOf(candidate)) === asked) ?? sources[0];
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
      // In a recording, others may change an animal at any time.
      if (!source.probe.creates && isOfOthers(read)) return 'held';
      if (!source.probe.creates) {
        const name = differsFromListed(read, source, evidence);
        if (name === undefined) return 'held';
        const exchanges = [source.exchange.id, read.exchange.id];
        return {
          ...fetchDeviation(name, 'listed', fetched, listedAt(source, asked)),
          repetition: { kind: 'record', exchanges, field: 'id', value: asked },
        };
      }
      const { properties = {}, required = [] } = source.operation.body?.schema ?? {};
      // A status may change over time, but hardly before the read right after the creation, unless those of other animals do.
      const mayHaveChanged = read.probe.stage !== 'read' || isChanged(evidence);
      const mayDiffer = mayHaveChanged && fetched.status !== undefined;
      const fields = Object.keys(properties).filter((name) => !mayDiffer || name !== 'status');
      // Others may change a status at any time, but no operation changes the other fields.
      const changed = changedSince(source, fetched, isOfOthers(read) ? required : fields);
      return changed === undefined ? 'held' : fetchDeviation(changed, 'added', fetched, sentBody(source));
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
      headers.filter(([header]) => header.toLowerCase() === name.toLowerCase()),
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
