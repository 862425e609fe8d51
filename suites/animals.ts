import {
  type Evidence,
  type Examined,
  type Json,
  type Judged,
  type Probe,
  parseJson,
  sameJson,
  stringifyJson,
} from '../src/suite.ts';

/** Valid requests for a list, which includes the right key. */
export const isList = (probe: Probe) => probe.operation === 'listPets' && probe.validity === 'valid';

/** Valid additions in the stage of creations. */
export const isCreation = (probe: Probe) => probe.stage === 'create';

export type ReceivedAnimal = { [name: string]: Json };

/** `1 animal`, `20 animals`. */
export function inAnimals(count: number): string {
  return `${count} ${count === 1 ? 'animal' : 'animals'}`;
}

/** The animals of a sound list. */
export function animalsOf(judged: Judged): ReceivedAnimal[] {
  return Array.isArray(judged.value) ? judged.value.filter(isAnimal) : [];
}

/** The animal of a sound response. */
export function animalOf(judged: Judged): ReceivedAnimal {
  return isAnimal(judged.value) ? judged.value : {};
}

/** The body of a request. */
export function sentBody({ exchange }: Judged): ReceivedAnimal {
  return objectIn(exchange.requestBody);
}

/** The body of a response, sound or not. */
export function returnedBody({ exchange }: Judged): ReceivedAnimal {
  return objectIn(exchange.response?.body);
}

function objectIn(body = ''): ReceivedAnimal {
  const parsed = parseJson(body);
  return parsed.ok && isAnimal(parsed.value) ? parsed.value : {};
}

/** A query parameter of a request. */
export function queryOf(judged: Judged, name: string): string | undefined {
  return judged.probe.query.find(([parameter]) => parameter === name)?.[1];
}

/** An id as text, so that ids are compared by value, whatever their number type. */
export function idOf(animal: ReceivedAnimal): string {
  return stringifyJson(animal.id);
}

function isAnimal(value: Json | undefined): value is ReceivedAnimal {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a response is the documented success of its operation, not a documented refusal. */
export function isSuccess(judged: Judged): boolean {
  return judged.documented?.status.startsWith('2') ?? false;
}

/** The requests that added an animal in this run, including those that the service should have refused. */
export function additionsIn({ judged }: Evidence): Judged[] {
  return judged.filter((addition) => addition.probe.creates && isSuccess(addition));
}

/** Ids of the animals that this run added. */
export function addedIn(evidence: Evidence): ReadonlySet<string> {
  return new Set(additionsIn(evidence).map((addition) => idOf(animalOf(addition))));
}

/**
 * Whether a value is returned as it was sent. The interface does not say whether a service composes the characters of a text
 * (NFC) or collapses its blanks, so both conform.
 */
export function isKept(sent: Json | undefined, returned: Json | undefined): boolean {
  if (sameJson(sent, returned)) return true;
  if (typeof sent !== 'string') return false;
  const composed = sent.normalize('NFC');
  return [composed, collapsed(sent), collapsed(composed)].some((text) => text === returned);
}

const collapsed = (text: string) => text.replaceAll(/\s+/g, ' ');

/** A deviation in a field of an animal. @param place the JSON Pointer to the animal */
export function fieldDeviation(
  reason: string,
  name: string,
  animal: ReceivedAnimal,
  due: Json | undefined,
  place = '',
): Exclude<Examined, 'held' | undefined> {
  const value = animal[name];
  return {
    reason: value === undefined ? `${name} is missing` : reason,
    expected: `${name}: ${stringifyJson(due)}`,
    received: value === undefined ? `no ${name}` : `${name}: ${stringifyJson(value)}`,
    pointer: `${place}/${name}`,
  };
}

/**
 * The first field in which an animal differs from the request that created it. If the creation returned the same changed value,
 * this is a fault of the creation, not of the operation that shows it later.
 */
export function changedSince(
  creation: Judged,
  animal: ReceivedAnimal,
  fields: readonly string[],
): string | undefined {
  const sent = sentBody(creation);
  const returned = animalOf(creation);
  return fields.find(
    (name) =>
      sent[name] !== undefined &&
      !isKept(sent[name], animal[name]) &&
      !sameJson(animal[name], returned[name]),
  );
}

/** Remembers a result by the evidence of a run: the first check that needs it computes it for all. */
export function ofRun<Value>(make: (evidence: Evidence) => Value): (evidence: Evidence) => Value {
  const results = new WeakMap<Evidence, { value: Value }>();
  return (evidence) => {
    const result = results.get(evidence) ?? { value: make(evidence) };
    results.set(evidence, result);
    return result.value;
  };
}
