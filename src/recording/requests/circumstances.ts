import { type Exchange, isSuccess } from '../../model/exchange.ts';
import { at, type Json, parseJson } from '../../model/json.ts';
import { longestTextIn, referencesIn, textsIn } from './probe-of.ts';
import type { RecordedRequest } from './request.ts';

/** A request by itself. */
type SeenRequest = Pick<RecordedRequest, 'exchange' | 'classified' | 'standing' | 'isChanged'>;

/** What other exchanges show about a request. */
type RequestCircumstances = Omit<RecordedRequest, keyof SeenRequest>;

/** Finds what the other exchanges of a part show about a request. */
export function circumstancesOf(
  requests: readonly SeenRequest[],
): (seen: SeenRequest) => RequestCircumstances {
  const accepted = acceptedIn(requests);
  const controls = controlsIn(requests);
  const sources = sourcesOf(requests);
  const plain = plainestOf(requests);
  return ({ exchange, classified, standing }) => {
    const { id, operation } = exchange;
    const acceptedWith = (value: string) => accepted.values.get(`${operation} ${value}`);
    const references = referencesIn(classified).map(acceptedWith);
    // The service may require unique texts.
    const isTaken = textsIn(classified).some((text) => (acceptedWith(text)?.first ?? id) < id);
    const isBetween = references.every((range) => range && range.first < id && range.last > id);
    const shown = sources(exchange, classified);
    const plainest = plain.get(operation);
    return {
      isReferenceProven: references.length > 0 ? isBetween && !isTaken : exchange.recorded === 'run',
      isLengthProven: longestTextIn(classified) <= Math.max(SHORT, accepted.lengths.get(operation) ?? 0),
      isOperationOpen: accepted.keys.has(`${operation} ${standing.group}`),
      source: shown?.source,
      isOwnCreation: exchange.recorded === 'run' && shown?.isCreation === true,
      areParametersAccepted: accepted.parameterNames.has(parameterNames(exchange)),
      isPlainAccepted: plainest !== undefined && isSuccess(plainest),
      controls: controls(exchange, plainest),
    };
  };
}

/** A text of this length is short for any service, in characters. */
const SHORT = 40;

/** The values of requests that succeeded. */
interface AcceptedValues {
  /** The ids of the first and the last exchange with a value, by operation and value. */
  values: ReadonlyMap<string, { first: number; last: number }>;
  /** The length of the longest text of an operation. */
  lengths: ReadonlyMap<string, number>;
  /** Operations with the group of an accepted key. */
  keys: ReadonlySet<string>;
  /** Results of {@link parameterNames}. */
  parameterNames: ReadonlySet<string>;
}

function acceptedIn(requests: readonly SeenRequest[]): AcceptedValues {
  const values = new Map<string, { first: number; last: number }>();
  const lengths = new Map<string, number>();
  const keys = new Set<string>();
  const names = new Set<string>();
  for (const { exchange, classified, standing } of requests) {
    const { operation, id } = exchange;
    if (!isSuccess(exchange)) continue;
    names.add(parameterNames(exchange));
    lengths.set(operation, Math.max(longestTextIn(classified), lengths.get(operation) ?? 0));
    if (standing.isKeyProven) keys.add(`${operation} ${standing.group}`);
    for (const value of [...referencesIn(classified), ...textsIn(classified)]) {
      const name = `${operation} ${value}`;
      values.set(name, { first: values.get(name)?.first ?? id, last: id });
    }
  }
  return { values, lengths, keys, parameterNames: names };
}

/**
 * Finds the controls of a request: the plainest request of its operation, a request without a key if its key is wrong, and a
 * request with each parameter alone if it has several.
 */
function controlsIn(requests: readonly SeenRequest[]): (exchange: Exchange, plainest?: Exchange) => string[] {
  const keyless = new Map<string, string>();
  const alone = new Map<string, string>();
  for (const { exchange } of requests) {
    const { operation, probe, recorded, key, response } = exchange;
    if (recorded === 'run' && key === 'absent' && !keyless.has(operation)) keyless.set(operation, probe);
    const [parameter, ...further] = parametersOf(exchange);
    const isAlone = parameter !== undefined && further.length === 0;
    if (isAlone && key === 'valid' && response?.status !== 401 && !alone.has(parameter))
      alone.set(parameter, probe);
  }
  return (exchange, plainest) => {
    const { operation, probe, key } = exchange;
    const isKeyWrong = key !== 'valid' && key !== 'absent';
    const parameters = parametersOf(exchange);
    const probes = [
      isKeyWrong ? keyless.get(operation) : undefined,
      plainest?.probe,
      ...(parameters.length > 1 ? parameters.map((parameter) => alone.get(parameter)) : []),
    ];
    return probes.filter((control): control is string => control !== undefined && control !== probe);
  };
}

/** The parameters of a request, each with its operation. */
function parametersOf({ operation, url }: Exchange): string[] {
  return [...new URL(url).searchParams].map((parameter) => `${operation} ${parameter.join('=')}`);
}

/** The operation and the names of the parameters of a request. */
function parameterNames({ operation, url }: Exchange): string {
  return [operation, ...[...new URL(url).searchParams.keys()].sort()].join(' ');
}

/** The plainest request of each operation: with a key and without problems, preferably a success. */
function plainestOf(requests: readonly SeenRequest[]): ReadonlyMap<string, Exchange> {
  const plainest = new Map<string, Exchange>();
  for (const { exchange, classified } of requests) {
    const isPlain =
      exchange.key === 'valid' &&
      (exchange.recorded === 'run' || exchange.response?.status !== 401) &&
      classified.problems.length === 0 &&
      !classified.isMisplaced &&
      new URL(exchange.url).search === '';
    const earlier = plainest.get(exchange.operation);
    if (isPlain && (!earlier || (isSuccess(exchange) && !isSuccess(earlier))))
      plainest.set(exchange.operation, exchange);
  }
  return plainest;
}

/** A response that shows what a request reads, and whether that response created it. */
interface ShownSource {
  source: NonNullable<RecordedRequest['source']>;
  isCreation: boolean;
}

/** A place in a response with a value of a path. */
interface ValuePlace {
  exchange: Exchange;
  /** JSON Pointer into the body of the response. */
  pointer: string;
}

/** Finds the response that shows what a request reads: its creation, or for a 404 a list that has it. */
function sourcesOf(
  requests: readonly Pick<RecordedRequest, 'exchange' | 'classified' | 'isChanged'>[],
): (exchange: Exchange, classified: RecordedRequest['classified']) => ShownSource | undefined {
  const places = placesIn(requests);
  return (exchange, classified) => {
    const [name = ''] = pathValues(classified);
    const before = (places.get(name) ?? []).filter(
      (place) => place.exchange.id < exchange.id && place.exchange.receivedAt <= exchange.sentAt,
    );
    const created = before.find((place) => isCreation(place.exchange));
    const listed = before.find((place) => !isCreation(place.exchange));
    // Others may remove what they created; lists before and after show that it was not removed.
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

/** The places in responses with the path values of requests, by operation, parameter and value. */
function placesIn(
  requests: readonly Pick<RecordedRequest, 'exchange' | 'classified' | 'isChanged'>[],
): ReadonlyMap<string, readonly ValuePlace[]> {
  const byName = new Map<string, ValuePlace[]>(
    requests.flatMap(({ classified }) => pathValues(classified)).map((name) => [name, []]),
  );
  for (const { exchange, classified, isChanged } of byName.size === 0 ? [] : requests) {
    if (isChanged || !isSuccess(exchange) || exchange.key !== 'valid') continue;
    const links = classified.operation.responses.flatMap((response) => response.links);
    const body = links.length > 0 ? parseJson(exchange.response?.body ?? '') : undefined;
    if (!body?.ok) continue;
    for (const { operation, parameter, pointer } of links)
      for (const { value, place } of valuesAt(body.value, pointer)) {
        const places = byName.get(`${operation} ${parameter} ${String(value)}`);
        places?.push({ exchange, pointer: place });
      }
  }
  return byName;
}

/** The path values of a request, as {@link placesIn} names them. */
function pathValues({ operation, values }: RecordedRequest['classified']): string[] {
  const names = operation.parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name);
  return names.flatMap((name) =>
    values
      .filter(({ rule }) => rule === `${operation.id}.${name}`)
      .map(({ value }) => `${operation.id} ${name} ${String(value)}`),
  );
}

/** The values at a pointer, whose number stands for every entry of an array. */
function valuesAt(value: Json, pointer: string): { value: Json; place: string }[] {
  const [, index] = /^\/(\d+)\//.exec(pointer) ?? [];
  if (index === undefined || !Array.isArray(value)) {
    const inner = at(value, pointer);
    return inner === undefined ? [] : [{ value: inner, place: pointer }];
  }
  const rest = pointer.slice(index.length + 1);
  return value.flatMap((entry, place) => {
    const inner = at(entry, rest);
    return inner === undefined ? [] : [{ value: inner, place: `/${place}${rest}` }];
  });
}
