import type { Contract, Operation } from '../model/contract.ts';
import { isLate } from '../model/probe.ts';
import {
  type OwnValue,
  placeOf,
  type RepeatedRequest,
  type SentRequest,
  type TakenValue,
} from '../model/report/reproduction.ts';
import { OwnTexts, sentValue, sharesTextWith, valuesIn } from './own-texts.ts';
import { type Kept, type PlannedRequests, pathValues, plainForm } from './plain.ts';
import type { Requests } from './requests.ts';

/** What reproductions are made from: the interface, the probes and the requests of a run. */
export interface ReproductionSource extends PlannedRequests {
  contract: Pick<Contract, 'operations' | 'ratePlans'>;
  requests: Requests;
  /** The rate plan of the run. */
  plan: string | null;
}

/** The requests of a reproduction, in order, and the values that each repetition makes anew. */
export interface ReproductionSteps {
  requests: readonly RepeatedRequest[];
  own: readonly OwnValue[];
}

/**
 * The steps that send the wanted requests again, in their order. A record that the run created is created again first. A
 * record that existed before is requested by its id.
 * @param kept the variations that may be the cause
 */
export function stepsOf(
  wanted: readonly SentRequest[],
  kept: Kept,
  source: ReproductionSource,
): ReproductionSteps {
  const { contract, probes, requests } = source;
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const ownTexts = new OwnTexts((id) => operations.get(id)?.body?.schema);
  const steps = new Map<number, RepeatedRequest>();
  let ids = 0;

  /** The place for a value in the response to a creation. */
  function placeFor(creation: SentRequest, give: (name: string) => TakenValue): string {
    const step = stepFor(creation);
    step.gives ??= give(++ids === 1 ? 'id' : `id${ids}`);
    return placeOf(step.gives.name);
  }

  function stepFor(request: SentRequest): RepeatedRequest {
    const knownStep = steps.get(request.id);
    if (knownStep) return knownStep;
    const probe = probes.get(request.probe);
    const sharedWith = sharesTextWith(probe);
    const before =
      sharedWith && requests.all().find((sent) => sent.probe === sharedWith && sent.id < request.id);
    if (before) stepFor(before);
    const removal = removalBefore(request, source);
    if (removal) stepFor(removal);
    const step: RepeatedRequest = ownTexts.replaced(plainForm(request, kept, source), probe);
    Object.assign(step, withIds(step, request), withVersion(step, request));
    steps.set(request.id, step);
    return step;
  }

  /** The address and the body of a request, with places for the ids of records that are created again. */
  function withIds(step: RepeatedRequest, request: SentRequest): Partial<RepeatedRequest> {
    const operation = operations.get(request.operation);
    let { url, requestBody } = step;
    for (const [name, value] of operation ? pathValues(operation, request.url) : []) {
      const creation = creationOf(value, request, source);
      if (!creation || !operation) continue;
      url = inPath(
        url,
        operation,
        name,
        placeFor(creation.by, (id) => ({ name: id, field: creation.field })),
      );
    }
    for (const value of idsInBody(request, source)) {
      const creation = creationOf(value, request, source);
      if (!creation || requestBody?.match(wholeWord(value))?.length !== 1) continue;
      const place = placeFor(creation.by, (id) => ({ name: id, field: creation.field }));
      requestBody = requestBody.replace(wholeWord(value), () => place);
    }
    return { url, requestBody };
  }

  /** A precondition names the version that a read showed before. A record that is created again has another version. */
  function withVersion(step: RepeatedRequest, request: SentRequest): Partial<RepeatedRequest> {
    const late = (probes.get(request.probe)?.headers ?? []).find(
      ([, value]) => isLate(value) && value.late === 'validator',
    );
    const read = late && readBefore(request, requests);
    if (!read || !late || !isLate(late[1]) || late[1].late !== 'validator') return {};
    const { header } = late[1];
    const version = stepFor(read);
    version.gives = { name: 'version', header };
    return {
      requestHeaders: step.requestHeaders.map(([name, value]) =>
        name.toLowerCase() === late[0].toLowerCase() ? [name, placeOf('version')] : [name, value],
      ),
    };
  }

  for (const request of wanted) stepFor(request);
  return { requests: neededFirst([...steps.values()], wanted), own: ownTexts.all };
}

/** Steps in an order in which the wanted requests follow each other directly, as in the run. What they need comes first. */
function neededFirst(steps: readonly RepeatedRequest[], wanted: readonly SentRequest[]): RepeatedRequest[] {
  const ids = new Set(wanted.map(({ id }) => id));
  const given = steps.flatMap(({ id, gives }) => (gives && ids.has(id) ? [placeOf(gives.name)] : []));
  const isLater = ({ id, url, requestBody = '', requestHeaders }: RepeatedRequest) =>
    ids.has(id) ||
    given.some((place) => [url, requestBody, ...requestHeaders.flat()].join('\n').includes(place));
  return [...steps.filter((step) => !isLater(step)), ...steps.filter(isLater)];
}

/** Whether a request creates a record at the base address. */
export function isCreation({ probe }: SentRequest, { probes }: Pick<ReproductionSource, 'probes'>): boolean {
  return probes.get(probe)?.creates ?? false;
}

/** The path parameters of a request, by name, whose values no earlier creation gives again. */
export function lastingValues(request: SentRequest, source: ReproductionSource): Map<string, string> {
  const operation = source.contract.operations.find(({ id }) => id === request.operation);
  const values = operation ? [...pathValues(operation, request.url)] : [];
  return new Map(values.filter(([, value]) => !creationOf(value, request, source)));
}

/** An earlier removal of the record that a request is for: without it, the record would still exist. */
function removalBefore(
  { id, url }: SentRequest,
  { requests }: Pick<ReproductionSource, 'requests'>,
): SentRequest | undefined {
  return requests
    .all()
    .find(
      ({ id: earlierId, method, url: removedUrl, status = 0 }) =>
        earlierId < id && method === 'DELETE' && removedUrl === url && status >= 200 && status < 300,
    );
}

/** The earlier creation whose response shows an id, and the name of the field. */
function creationOf(
  value: string,
  request: SentRequest,
  { requests }: Pick<ReproductionSource, 'requests'>,
): { by: SentRequest; field: string } | undefined {
  for (const creation of requests.all()) {
    if (creation.id >= request.id || creation.values.size === 0) continue;
    const [pointer] = [...creation.values].find(([, id]) => id === value) ?? [];
    if (pointer !== undefined) return { by: creation, field: pointer.slice(pointer.lastIndexOf('/') + 1) };
  }
  return undefined;
}

/** The values of a body that are ids of records, by its probe. */
function idsInBody(request: SentRequest, { probes }: Pick<ReproductionSource, 'probes'>): string[] {
  const body = probes.get(request.probe)?.body;
  if (!body || !('json' in body)) return [];
  return valuesIn(body.json, sentValue(request), undefined).flatMap(({ late, value }) =>
    (late.late === 'response' || late.late === 'created') && value !== undefined ? [String(value)] : [],
  );
}

/** Matches a number or a word that is not part of a longer one. */
function wholeWord(value: string): RegExp {
  return new RegExp(`(?<![\\w.-])${value.replace(/[^\w-]/g, '\\$&')}(?![\\w.-])`, 'g');
}

/** The address with another value for a path parameter. */
function inPath(url: string, { path }: Operation, name: string, value: string): string {
  const segments = path.split('/');
  const index = segments.indexOf(`{${name}}`);
  const [, before = '', after = ''] = /^([^?#]*)(.*)$/s.exec(url) ?? [];
  const sent = before.split('/');
  const isSpelled = before.endsWith('/') && !path.endsWith('/');
  const place = sent.length - (isSpelled ? 1 : 0) - segments.length + index;
  if (index < 0 || place < 0) return url;
  return sent.with(place, value).join('/') + after;
}

/** The last read before a request of the same address. */
function readBefore(request: SentRequest, requests: Requests): SentRequest | undefined {
  return requests
    .all()
    .findLast(
      ({ id, method, url, status }) =>
        id < request.id && method === 'GET' && url === request.url && status === 200,
    );
}
