import type { Contract } from '../model/contract.ts';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import { at, type Json, parseJson } from '../model/json.ts';
import type { Probe } from '../model/probe.ts';
import { readRateLimit } from '../model/rate-limit.ts';
import { type Classified, classify } from '../traffic/classify.ts';
import type { Servers } from '../traffic/match-operation.ts';
import type { Captured } from './capture.ts';
import { probeOf, referencesIn, textsIn } from './probe-of.ts';
import type { OmissionKind } from './recorded.ts';
import type { Request } from './request.ts';
import { type Known, type Standing, standingsOf } from './standing.ts';

/** An exchange of a recording, the probe that its request amounts to, and whose key it had. */
export interface RecordedExchange {
  exchange: Exchange;
  probe: Probe;
  classified: Classified;
  /** Undefined: it is not known whose, or the service never accepted it. */
  group?: string;
  isTimed: boolean;
}

type Matched = { captured: Captured; classified: Request['classified'] };

/** Why an exchange is not one of the interface at these servers; undefined if it is one. */
export function omissionOf(
  captured: Captured,
  classified: Classified,
  servers: Servers,
): OmissionKind | undefined {
  if (isJudged(captured, classified)) return undefined;
  const { url } = captured;
  const isHere = Object.values(servers).some((base) => new URL(base).origin === new URL(url).origin);
  return isHere ? 'other-path' : 'other-server';
}

/** What a captured request is for. */
export function classifyCaptured(contract: Contract, servers: Servers, captured: Captured): Classified {
  const { method, url, requestHeaders, requestBody } = captured;
  const body = requestBody === undefined ? {} : { body: requestBody };
  const found = classify(contract, servers, { method, url, headers: requestHeaders, ...body });
  if (found.operation && !found.isMisplaced) return found;
  // A run also tries other spellings of an address, and the limiter may count them.
  const operation = contract.operations.find(({ id }) => id === captured.own?.operation);
  return operation ? { operation, isMisplaced: true, values: [], problems: [] } : found;
}

/** Whether a request is judged: it is for an operation at its address, or of a run. */
function isJudged({ own }: Captured, { operation, isMisplaced }: Classified): boolean {
  return operation !== undefined && (!isMisplaced || own !== undefined);
}

/**
 * The exchanges of a part of a recording, in the order in which they were sent.
 * @param first the id of the first one
 * @param known what earlier parts showed; what this part shows is added
 */
export function requestsOf(
  contract: Contract,
  captured: readonly Captured[],
  servers: Servers,
  known: Known,
  first: number,
): RecordedExchange[] {
  const matched = captured.flatMap((each): Matched[] => {
    const classified = classifyCaptured(contract, servers, each);
    const { operation } = classified;
    return operation && isJudged(each, classified)
      ? [{ captured: each, classified: { ...classified, operation } }]
      : [];
  });
  const standings = standingsOf(
    matched.map((each) => each.captured),
    known,
  );
  const inFlight = flightsOf(matched.map((each) => each.captured));
  const all = matched.map(({ captured: each, classified }, index) => ({
    exchange: exchangeOf(each, classified, first + index, inFlight[index] ?? 1),
    classified,
    standing: standings[index] as Standing,
    isTimed: each.isTimed,
  }));
  const circumstances = circumstancesOf(all);
  return all.map((each): RecordedExchange => {
    const { exchange, classified, standing, isTimed } = each;
    const probe = probeOf({ exchange, classified, standing, ...circumstances(each) });
    // A limiter may count wrong keys in its own way.
    const group = standing.isKeyProven ? standing.group : undefined;
    return {
      exchange: { ...exchange, key: probe.key },
      probe,
      classified,
      isTimed,
      ...(group === undefined ? {} : { group }),
    };
  });
}

/** How many requests were in flight when each was sent, itself included. */
function flightsOf(captured: readonly Captured[]): number[] {
  let open: number[] = [];
  return captured.map(({ sentAt, receivedAt }) => {
    open = open.filter((end) => end > sentAt);
    open.push(receivedAt);
    return open.length;
  });
}

function exchangeOf(
  { own, method, url, requestHeaders, requestBody, sentAt, receivedAt, sentKey, ...rest }: Captured,
  { operation }: Request['classified'],
  id: number,
  inFlight: number,
): Exchange {
  const { response, failure, variation } = rest;
  return {
    id,
    probe: `recorded-${id}`,
    operation: operation.id,
    address: operation.address,
    stage: own?.stage ?? 'other',
    key: own?.key ?? (sentKey.form === 'empty' ? 'empty' : 'valid'),
    recorded: own ? 'run' : 'traffic',
    ...(variation === undefined ? {} : { variation }),
    ...{ method, url, requestHeaders },
    ...(requestBody === undefined || requestBody === '' ? {} : { requestBody }),
    ...{ sentAt, receivedAt, inFlight: own?.inFlight ?? inFlight },
    ...(response ? { response } : {}),
    ...(failure ? { failure } : {}),
    rate: response ? readRateLimit(response.headers, receivedAt) : {},
  };
}

type Seen = Pick<Request, 'exchange' | 'classified' | 'standing'>;
type Shown = Omit<Request, keyof Seen>;

/** What the other exchanges of the part show about a request. */
function circumstancesOf(all: readonly Seen[]): (seen: Seen) => Shown {
  const accepted = new Map<string, { first: number; last: number }>();
  const open = new Set<string>();
  const acceptedNames = new Set<string>();
  const keyless = new Map<string, string>();
  for (const { exchange, classified, standing } of all) {
    const { operation, id } = exchange;
    if (exchange.recorded === 'run' && exchange.key === 'absent' && !keyless.has(operation))
      keyless.set(operation, exchange.probe);
    if (!isSuccess(exchange)) continue;
    acceptedNames.add(namesOf(exchange));
    if (standing.isKeyProven) open.add(`${operation} ${standing.group}`);
    for (const reference of [...referencesIn(classified), ...textsIn(classified)]) {
      const place = `${operation} ${reference}`;
      accepted.set(place, { first: accepted.get(place)?.first ?? id, last: id });
    }
  }
  const sources = sourcesOf(all);
  const plain = plainestOf(all);
  const simple = new Map(
    all
      .filter(({ exchange }) => exchange.key === 'valid' && exchange.response?.status !== 401)
      .flatMap(({ exchange }) => {
        const [part, ...others] = parametersOf(exchange);
        return part === undefined || others.length > 0 ? [] : [[part, exchange.probe] as const];
      })
      .reverse(),
  );
  return ({ exchange, classified, standing }) => {
    const { id, operation, key } = exchange;
    const references = referencesIn(classified).map((each) => accepted.get(`${operation} ${each}`));
    const found = sources(exchange, classified);
    // A service may want unique texts.
    const isTaken = textsIn(classified).some((each) => {
      const first = accepted.get(`${operation} ${each}`)?.first;
      return first !== undefined && first < id;
    });
    const plainest = plain.get(operation);
    const isWrong = key !== 'valid' && key !== 'absent';
    const controls = [
      isWrong ? keyless.get(operation) : undefined,
      plainest?.exchange.probe,
      ...partsOf(exchange).map((part) => simple.get(part)),
    ];
    return {
      isReferenceProven:
        references.length > 0
          ? references.every((each) => each && each.first < id && each.last > id) && !isTaken
          : exchange.recorded === 'run',
      isOperationOpen: open.has(`${operation} ${standing.group}`),
      ...(found ? { source: found.source } : {}),
      isOwnCreation: exchange.recorded === 'run' && found?.isCreation === true,
      areParametersAccepted: acceptedNames.has(namesOf(exchange)),
      isPlainAccepted: plainest !== undefined && isSuccess(plainest.exchange),
      controls: controls.filter((each) => each !== undefined && each !== exchange.probe) as string[],
    };
  };
}

/** The parameters of a request, each with its operation. */
function parametersOf({ operation, url }: Exchange): string[] {
  return [...new URL(url).searchParams].map((each) => `${operation} ${each.join('=')}`);
}

/** The names of the parameters of a request. */
function namesOf({ operation, url }: Exchange): string {
  return [operation, ...[...new URL(url).searchParams.keys()].sort()].join(' ');
}

/** The parameters of a request that has several: each may be what a service refuses. */
function partsOf(exchange: Exchange): string[] {
  const parameters = parametersOf(exchange);
  return parameters.length > 1 ? parameters : [];
}

/** The plainest request of each operation, with a key and nothing wrong: rather one that got a success. */
function plainestOf(all: readonly Seen[]): ReadonlyMap<string, Seen> {
  const found = new Map<string, Seen>();
  for (const each of all) {
    const { exchange, classified } = each;
    const isPlain =
      exchange.key === 'valid' &&
      (exchange.recorded === 'run' || exchange.response?.status !== 401) &&
      classified.problems.length === 0 &&
      !classified.isMisplaced &&
      new URL(exchange.url).search === '';
    const known = found.get(exchange.operation);
    if (isPlain && (!known || (isSuccess(exchange) && !isSuccess(known.exchange))))
      found.set(exchange.operation, each);
  }
  return found;
}

/** Finds the response that shows what a request reads: what was created, or for a 404 a list that has it. */
function sourcesOf(
  all: readonly Seen[],
): (exchange: Exchange, classified: Request['classified']) => Source | undefined {
  const wanted = new Set(all.flatMap(({ classified }) => pathValues(classified)));
  const found = new Map<string, { exchange: Exchange; pointer: string }[]>();
  for (const { exchange, classified } of wanted.size === 0 ? [] : all) {
    if (!isSuccess(exchange) || exchange.key !== 'valid') continue;
    const links = classified.operation.responses.flatMap((each) => each.links);
    const body = links.length > 0 ? parseJson(exchange.response?.body ?? '') : undefined;
    if (!body?.ok) continue;
    for (const { operation, parameter, pointer } of links)
      for (const { value, place } of placesOf(body.value, pointer)) {
        const name = `${operation} ${parameter} ${String(value)}`;
        if (wanted.has(name)) found.set(name, [...(found.get(name) ?? []), { exchange, pointer: place }]);
      }
  }
  return (exchange, classified) => {
    const [name = ''] = pathValues(classified);
    const before = (found.get(name) ?? []).filter(
      (each) => each.exchange.id < exchange.id && each.exchange.receivedAt <= exchange.sentAt,
    );
    const created = before.find((each) => isCreation(each.exchange));
    const listed = before.find((each) => !isCreation(each.exchange));
    // What others created they may also remove; a list before and one after tell that it was not removed.
    const isGone = exchange.response?.status === 404 && exchange.recorded !== 'run';
    const chosen = isGone ? listed : (created ?? listed);
    if (!chosen) return undefined;
    return {
      source: {
        late: 'response',
        sources: [{ probe: chosen.exchange.probe, pointer: chosen.pointer }],
      },
      isCreation: chosen === created,
    };
  };
}

const isCreation = ({ method }: Exchange) => method === 'POST';

/** A response that shows what a request reads, and whether it created it. */
interface Source {
  source: NonNullable<Request['source']>;
  isCreation: boolean;
}

function pathValues({ operation, values }: Request['classified']): string[] {
  const names = operation.parameters.filter((each) => each.in === 'path').map(({ name }) => name);
  return names.flatMap((name) =>
    values
      .filter(({ rule }) => rule === `${operation.id}.${name}`)
      .map(({ value }) => `${operation.id} ${name} ${String(value)}`),
  );
}

/** The values at a pointer, in which a number stands for every entry of an array. */
function placesOf(value: Json, pointer: string): { value: Json; place: string }[] {
  const [, index] = /^\/(\d+)\//.exec(pointer) ?? [];
  if (index === undefined || !Array.isArray(value)) {
    const own = at(value, pointer);
    return own === undefined ? [] : [{ value: own, place: pointer }];
  }
  const rest = pointer.slice(index.length + 1);
  return value.flatMap((entry, place) => {
    const own = at(entry, rest);
    return own === undefined ? [] : [{ value: own, place: `/${place}${rest}` }];
  });
}
