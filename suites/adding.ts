import {
  type Check,
  type Contract,
  type Examined,
  eachExchange,
  isExpected,
  isSound,
  isTogether,
  lenientBody,
  minimalBodyOf,
  observe,
  ownedCheck,
  type Probe,
  sameJson,
  stringifyJson,
} from '../src/suite.ts';
import {
  animalOf,
  animalsOf,
  fieldDeviation,
  idOf,
  isCreation,
  isKept,
  isSuccess,
  sentBody,
} from './animals.ts';
import { statuses } from './listing.ts';
import { addedTwice, nothingAdded } from './refused.ts';

/** Additions that have to get 400, or may get it. */
const isRefusable = ({ operation, expectation }: Probe) =>
  operation === 'createPet' && isExpected(expectation, '400');
const isProbe = (name: string) => (probe: Probe) => probe.id === `createPet:${name}`;

/**
 * Adds an animal with fields that the schema does not list, one of them the id of an earlier animal: the service assigns ids. A
 * later fetch of the earlier animal shows whether it was replaced. The new animal has the name of another earlier animal: the
 * interface does not say that names are unique, so a 409 is wrong.
 */
function unknownField({ operations }: Contract): Probe[] {
  const operation = operations.find(({ id }) => id === 'createPet');
  if (!operation?.body) return [];
  const { json } = minimalBodyOf('createPet:minimal', operation.body);
  const sources = ['full-3', 'minimal'].map((name) => ({ probe: `createPet:${name}`, pointer: '/id' }));
  const id = { late: 'response', as: 'value', sources };
  const body = { id, ...(json as object), petspecUnknown: 1 };
  const title = 'fields that the schema does not list';
  return [{ ...lenientBody(operation, 'unknown-field', title, body), isDuplicate: true }];
}

/** Valid additions, including those among the surplus probes. */
const isValidAddition = (probe: Probe) =>
  isCreation(probe) ||
  (probe.operation === 'createPet' &&
    probe.stage === 'surplus' &&
    probe.key === 'valid' &&
    probe.validity === 'valid');

/** POST /pets (createPet): the response has the fields that were sent, and a new id. */
export const adding: readonly Check[] = [
  eachExchange({ requirement: 'createPet.echo', probes: isValidAddition }, (creation, evidence): Examined => {
    if (!isSuccess(creation)) return undefined;
    const sent = sentBody(creation);
    const returned = animalOf(creation);
    const fields = Object.keys(creation.operation.body?.schema.properties ?? {});
    const changed = fields.find((name) => sent[name] !== undefined && !isKept(sent[name], returned[name]));
    if (changed === undefined) return 'held';
    const deviation = fieldDeviation(`${changed} comes back changed`, changed, returned, sent[changed]);
    const simultaneous = evidence.judged.find(
      (judged) =>
        isCreation(judged.probe) &&
        isTogether(judged, creation) &&
        fields
          .filter((name) => sentBody(judged)[name] !== undefined)
          .every((name) => sameJson(sentBody(judged)[name], returned[name])),
    );
    if (!simultaneous) return deviation;
    // The response has the fields of a simultaneous request, so only both requests simultaneous show it.
    const exchanges = [simultaneous.exchange.id, creation.exchange.id];
    return { ...deviation, repetition: { kind: 'together', exchanges } };
  }),

  nothingAdded(
    ownedCheck('createPet.400', isRefusable),
    400,
    ({ operation, key }) => operation === 'createPet' && key === 'valid',
  ),

  eachExchange({ requirement: 'createPet.id', probes: isCreation }, (creation, evidence): Examined => {
    if (!isSuccess(creation)) return undefined;
    const id = idOf(animalOf(creation));
    const earlier = evidence.judged.filter(
      (shown) => isSound(shown) && shown.exchange.id < creation.exchange.id,
    );
    const owner = earlier.find(
      (shown) =>
        (isCreation(shown.probe) && idOf(animalOf(shown)) === id) ||
        (shown.probe.stage === 'first' && animalsOf(shown).some((animal) => idOf(animal) === id)),
    );
    if (!owner) return addedTwice(creation, evidence) ?? 'held';
    const { id: sent } = sentBody(creation);
    if (sent !== undefined && idOf({ id: sent }) === id)
      return {
        reason: 'the new animal has the id of another animal, which the client sent',
        expected: 'an id that the service assigns',
        received: `id ${id}, as sent`,
        pointer: '/id',
      };
    const exchanges = [owner.exchange.id, creation.exchange.id];
    return {
      reason: 'the new animal has the id of another animal',
      expected: 'a unique id',
      received: `id ${id} again`,
      pointer: '/id',
      repetition: isCreation(owner.probe)
        ? { kind: 'in-turn', exchanges }
        : { kind: 'record', exchanges, field: 'id', value: id },
    };
  }),

  observe('open.status-default', isProbe('minimal'), ([creation]) => {
    if (!creation || !isSound(creation)) return undefined;
    const { status } = animalOf(creation);
    return status === undefined
      ? 'an animal added without a status has no status'
      : `an animal added without a status is ${stringifyJson(status)}`;
  }),
  {
    ...observe('open.unknown-fields', isProbe('unknown-field'), ([creation]) => {
      if (!creation) return undefined;
      const isReturned = isSuccess(creation) && animalOf(creation).petspecUnknown !== undefined;
      return `an animal with an unknown field gets ${creation.exchange.response?.status}${isReturned ? ', and the field is returned' : ''}`;
    }),
    add: unknownField,
  },
  observe('open.name-bounds', isProbe('long'), statuses),
  observe(
    'open.category-exists',
    (probe) =>
      ['maximum', 'minimum', 'zero', 'minus-one', 'unsigned-32', 'beyond-2-53'].some((name) =>
        isProbe(name)(probe),
      ),
    statuses,
  ),
];
