import type { Exchange } from '../../src/model/exchange.ts';
import { type Json, sameJson } from '../../src/model/json.ts';
import {
  askedId,
  carriedBy,
  dueOf,
  isObject,
  isSuccess,
  type JsonObject,
  queryOf,
  sentTo,
  shownBy,
} from './requests.ts';

/**
 * What successes say that does not go together with their request, or with what came before.
 * @param isUnsteady whether others change statuses during the run
 */
export function wrongPayload(
  exchange: Exchange,
  earlier: readonly Exchange[],
  isUnsteady: () => boolean,
): string[] {
  if (!isSuccess(exchange) || exchange.key !== 'valid') return [];
  switch (exchange.operation) {
    case 'listPets':
      return wrongList(exchange, earlier);
    case 'createPet':
      return wrongAddition(exchange, earlier);
    case 'getPet':
      return wrongFetch(exchange, earlier, isUnsteady);
    default:
      return [];
  }
}

const isNumber = (value: unknown) => typeof value === 'number' || typeof value === 'bigint';

/** "Maximum number of animals to return", "default 20", "maximum 100", "Keep only animals with this status". */
function wrongList(exchange: Exchange, earlier: readonly Exchange[]): string[] {
  const body = carriedBy(exchange);
  if (!Array.isArray(body) || exchange.response?.status !== 200) return [];
  const animals = body.filter(isObject);
  const [limit, status] = [queryOf(exchange, 'limit'), queryOf(exchange, 'status')];
  const isBound = limit !== undefined && /^\d+$/.test(limit) && Number(limit) >= 1 && Number(limit) <= 100;
  const names: string[] = [];
  if (isBound && body.length > Number(limit)) names.push('listPets.limit');
  if (limit === undefined && body.length > 20) names.push('listPets.limit.default');
  if (body.length > 100) names.push('listPets.page');
  if (
    ['available', 'pending', 'sold'].includes(status ?? '') &&
    animals.some((each) => each.status !== status)
  )
    names.push('listPets.status');
  const ids = animals.map(({ id }) => id).filter(isNumber);
  if (new Set(ids.map(String)).size < ids.length) names.push('listPets.distinct');
  const isChanged = animals.some((animal) => {
    const added = additionOf(animal, earlier);
    return (
      added !== undefined && exchange.stage === 'list' && changedSince(added, animal, ['name', 'categoryId'])
    );
  });
  return isChanged ? [...names, 'listPets.stored'] : names;
}

/** The one addition that was answered with this id. */
function additionOf({ id }: JsonObject, earlier: readonly Exchange[]): Exchange | undefined {
  const additions = earlier.filter(
    (each) =>
      each.operation === 'createPet' &&
      each.key === 'valid' &&
      isSuccess(each) &&
      isNumber(id) &&
      shownBy(each).some((animal) => sameJson(animal.id, id)),
  );
  return additions.length === 1 ? additions[0] : undefined;
}

/** Whether a field has neither the value that was sent nor the one that came back. */
function changedSince(addition: Exchange, animal: JsonObject, fields: readonly string[]): boolean {
  const sent = sentTo(addition);
  const [returned] = shownBy(addition);
  if (!isObject(sent) || !returned) return false;
  return fields.some(
    (name) =>
      sent[name] !== undefined &&
      !sameJson(sent[name], animal[name]) &&
      !sameJson(returned[name], animal[name]),
  );
}

/** Whether two values are equal. How the characters of a text are composed, and how many blanks are in a row, is not shown. */
function isSameText(one: Json | undefined, other: Json | undefined): boolean {
  if (typeof one !== 'string' || typeof other !== 'string') return sameJson(one, other);
  const [left, right] = [one, other].map((text) => text.normalize('NFC').replaceAll(/ +/g, ' '));
  return left === right;
}

/** "Pet, including the assigned id", which is a "unique identifier assigned by the service on creation". */
function wrongAddition(exchange: Exchange, earlier: readonly Exchange[]): string[] {
  const [sent, animal] = [sentTo(exchange), carriedBy(exchange)];
  if (!isObject(sent) || !isObject(animal) || exchange.response?.status !== 201) return [];
  const names = ['name', 'categoryId', 'status'].filter(
    (name) => sent[name] !== undefined && !isSameText(sent[name], animal[name]),
  );
  const isValid = dueOf(exchange, earlier).status !== '400';
  const isTaken = earlier.some(
    (each) =>
      each.operation === 'createPet' &&
      each.key === 'valid' &&
      isSuccess(each) &&
      isNumber(animal.id) &&
      shownBy(each).some(({ id }) => sameJson(id, animal.id)),
  );
  return [...(names.length > 0 && isValid ? ['createPet.echo'] : []), ...(isTaken ? ['createPet.id'] : [])];
}

/** Whether an animal that no addition was answered with has two statuses. */
export function areStatusesUnsteady(exchanges: readonly Exchange[]): boolean {
  const known = new Map<string, Json | undefined>();
  return exchanges
    .filter((each) => each.operation !== 'createPet' && isSuccess(each))
    .flatMap(shownBy)
    .filter((animal) => isNumber(animal.id) && additionOf(animal, exchanges) === undefined)
    .some(({ id, status }) => {
      const name = String(id);
      const isOther = known.has(name) && !sameJson(known.get(name) ?? null, status ?? null);
      known.set(name, status);
      return isOther;
    });
}

/** "Returns one animal by id." */
function wrongFetch(exchange: Exchange, earlier: readonly Exchange[], isUnsteady: () => boolean): string[] {
  const animal = carriedBy(exchange);
  if (!isObject(animal) || exchange.response?.status !== 200) return [];
  if (/^-?\d+$/.test(askedId(exchange)) && isNumber(animal.id) && String(animal.id) !== askedId(exchange))
    return ['getPet.stored'];
  const added = additionOf(animal, earlier);
  if (!added) return [];
  // Nothing says how a status changes, so that it may have done so until the end of the run, or at once as others do.
  const isOther = exchange.stage !== 'surplus' && changedSince(added, animal, ['status']) && !isUnsteady();
  return isOther || changedSince(added, animal, ['name', 'categoryId']) ? ['getPet.stored'] : [];
}
