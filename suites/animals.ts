import type { Examined } from '../src/judge/check.ts';
import type { Judged } from '../src/judge/judged.ts';
import { type Json, parseJson, sameJson, stringifyJson } from '../src/model/json.ts';

/** An animal as a response carries it. */
export type Animal = { [name: string]: Json };

/** The animals of a sound list. */
export function animalsOf(judged: Judged): Animal[] {
  return Array.isArray(judged.value) ? judged.value.filter(isAnimal) : [];
}

/** The animal of a sound response. */
export function animalOf(judged: Judged): Animal {
  return isAnimal(judged.value) ? judged.value : {};
}

/** What a request sent as its body. */
export function sentBody(judged: Judged): Animal {
  const parsed = parseJson(judged.exchange.requestBody ?? '');
  return parsed.ok && isAnimal(parsed.value) ? parsed.value : {};
}

/** A query parameter as it was sent. */
export function queryOf(judged: Judged, name: string): string | undefined {
  return judged.probe.query.find(([each]) => each === name)?.[1];
}

/** Ids are compared by value, whatever number type carries them. */
export function idOf(animal: Animal): string {
  return stringifyJson(animal.id);
}

function isAnimal(value: Json | undefined): value is Animal {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether a sound response is the documented success of its operation, not a documented refusal. */
export function isSuccess(judged: Judged): boolean {
  return judged.documented?.status.startsWith('2') ?? false;
}

/** A field that is not as it is due, of the animal at `place`. */
export function fieldDeviation(
  reason: string,
  name: string,
  animal: Animal,
  due: Json | undefined,
  place = '',
): Exclude<Examined, 'held' | undefined> {
  const value = animal[name];
  return {
    reason,
    expected: `${name}: ${stringifyJson(due)}`,
    received: value === undefined ? `no ${name}` : `${name}: ${stringifyJson(value)}`,
    pointer: `${place}/${name}`,
  };
}

/**
 * The first of the fields in which an animal differs from what its creation sent. What the creation already returned so
 * is the fault of that operation, not of the one that shows it again.
 */
export function changedSince(
  creation: Judged,
  animal: Animal,
  fields: readonly string[],
): string | undefined {
  const sent = sentBody(creation);
  const returned = animalOf(creation);
  return fields.find(
    (name) =>
      sent[name] !== undefined &&
      !sameJson(animal[name], sent[name]) &&
      !sameJson(animal[name], returned[name]),
  );
}
