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

/** What a reproduction is made from. */
export interface ReproductionSource extends PlannedRequests {
  contract: Pick<Contract, 'operations' | 'ratePlans'>;
  requests: Requests;
  /** The rate plan of the run. */
  plan: string | null;
}

/** The requests of a reproduction, in order, and what each repetition sends anew. */
export interface ReproductionSteps {
  requests: readonly RepeatedRequest[];
  own: readonly OwnValue[];
}

/**
 * What sends these requests again, in their order. A record that the run created is created again first. A record that
 * existed before is requested by its id.
 * @param kept the variations to blame
 */
export function stepsOf(
  wanted: readonly SentRequest[],
  kept: Kept,
  source: ReproductionSource,
): ReproductionSteps {
  const { contract, probes, requests } = source;
  const operations = new Map(contract.operations.map((each) => [each.id, each]));
  const own = new OwnTexts((id) => operations.get(id)?.body?.schema);
  const steps = new Map<number, RepeatedRequest>();
  let ids = 0;

  /** The place of a value that a response of these requests gives. */
  function given(by: SentRequest, give: (name: string) => TakenValue): string {
    const step = stepFor(by);
    step.gives ??= give(++ids === 1 ? 'id' : `id${ids}`);
    return placeOf(step.gives.name);
  }

  function stepFor(request: SentRequest): RepeatedRequest {
    const known = steps.get(request.id);
    if (known) return known;
    const probe = probes.get(request.probe);
    const same = sharesTextWith(probe);
    const before = same && requests.all().find(({ id, probe: by }) => by === same && id < request.id);
    if (before) stepFor(before);
    const removal = removalBefore(request, source);
    if (removal) stepFor(removal);
    const step: RepeatedRequest = own.replaced(plainForm(request, kept, source), probe);
    Object.assign(step, withIds(step, request), withVersion(step, request));
    steps.set(request.id, step);
    return step;
  }

  /** The request with the ids of what is created again, in its address and its body. */
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
        given(creation.by, (id) => ({ name: id, field: creation.field })),
      );
    }
    for (const value of idsInBody(request, source)) {
      const creation = creationOf(value, request, source);
      if (!creation || requestBody?.match(wholly(value))?.length !== 1) continue;
      const place = given(creation.by, (id) => ({ name: id, field: creation.field }));
      requestBody = requestBody.replace(wholly(value), () => place);
    }
    return { url, requestBody };
  }

  /** A precondition names the version of what was read before: what is created again has another one. */
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
  return { requests: neededFirst([...steps.values()], wanted), own: own.all };
}

/** The steps in an order in which the wanted ones come right after each other, as they did: what they need is created before. */
function neededFirst(steps: readonly RepeatedRequest[], wanted: readonly SentRequest[]): RepeatedRequest[] {
  const ids = new Set(wanted.map(({ id }) => id));
  const given = steps.flatMap(({ id, gives }) => (gives && ids.has(id) ? [placeOf(gives.name)] : []));
  const isLater = ({ id, url, requestBody = '', requestHeaders }: RepeatedRequest) =>
    ids.has(id) ||
    given.some((place) => [url, requestBody, ...requestHeaders.flat()].join('\n').includes(place));
  return [...steps.filter((each) => !isLater(each)), ...steps.filter(isLater)];
}

/** Whether a request creates a record at the base address. */
export function isCreation({ probe }: SentRequest, { probes }: Pick<ReproductionSource, 'probes'>): boolean {
  return probes.get(probe)?.creates ?? false;
}

/** The values in the path of a request that no creation before it gives again, by the names of their parameters. */
export function lastingValues(request: SentRequest, source: ReproductionSource): Map<string, string> {
  const operation = source.contract.operations.find(({ id }) => id === request.operation);
  const all = operation ? [...pathValues(operation, request.url)] : [];
  return new Map(all.filter(([, value]) => !creationOf(value, request, source)));
}

/** The removal of what a request asks for, if there was one before: without it, the request meets something that is there. */
function removalBefore(
  { id, url }: SentRequest,
  { requests }: Pick<ReproductionSource, 'requests'>,
): SentRequest | undefined {
  return requests
    .all()
    .find(
      ({ id: before, method, url: own, status = 0 }) =>
        before < id && method === 'DELETE' && own === url && status >= 200 && status < 300,
    );
}

/** The creation before a request whose response shows an id, and the name of the field. */
function creationOf(
  value: string,
  request: SentRequest,
  { requests }: Pick<ReproductionSource, 'requests'>,
): { by: SentRequest; field: string } | undefined {
  for (const by of requests.all()) {
    if (by.id >= request.id || by.values.size === 0) continue;
    const found = [...by.values].find(([, each]) => each === value);
    if (found) return { by, field: found[0].slice(found[0].lastIndexOf('/') + 1) };
  }
  return undefined;
}

/** The values of a body that are ids of records, as far as its probe says so. */
function idsInBody(request: SentRequest, { probes }: Pick<ReproductionSource, 'probes'>): string[] {
  const body = probes.get(request.probe)?.body;
  if (!body || !('json' in body)) return [];
  return valuesIn(body.json, sentValue(request), undefined).flatMap(({ late, value }) =>
    (late.late === 'response' || late.late === 'created') && value !== undefined ? [String(value)] : [],
  );
}

/** A number or a word by itself, in every place. */
function wholly(value: string): RegExp {
  return new RegExp(`(?<![\\w.-])${value.replace(/[^\w-]/g, '\\$&')}(?![\\w.-])`, 'g');
}

/** An address with another value of a parameter in its path. */
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

/** The last read of what a request is for, before it. */
function readBefore(request: SentRequest, requests: Requests): SentRequest | undefined {
  return requests
    .all()
    .filter(
      ({ id, method, url, status }) =>
        id < request.id && method === 'GET' && url === request.url && status === 200,
    )
    .at(-1);
}
