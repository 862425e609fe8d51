import type { Contract, Operation } from '../model/contract.ts';
import { type Exchange, isSuccess } from '../model/exchange.ts';
import { percentEncoded } from '../model/http/percent-encoding.ts';
import { at, parseJson } from '../model/json.ts';
import { readRateLimit } from '../model/limits/rate-limit.ts';
import type { KeyKind, Probe } from '../model/probe.ts';
import { type Classified, classify } from '../traffic/classify.ts';
import type { Servers } from '../traffic/match-operation.ts';
import type { Captured } from './capture/capture.ts';
import type { OmissionKind, Recorded } from './recorded.ts';
import { circumstancesOf } from './requests/circumstances.ts';
import { probeOf } from './requests/probe-of.ts';
import type { RecordedRequest } from './requests/request.ts';
import { isAt, unmatchedKind } from './servers.ts';
import { type KnownKeys, type Standing, standingsOf } from './standing.ts';

/** A captured exchange and the operation of its request. */
export interface Matched {
  captured: Captured;
  classified: RecordedRequest['classified'];
  /** A request that the interface does not list has changed the record that it created. */
  isChanged?: boolean;
}

/** An exchange of a recording with the probe that its request amounts to, and the group of its key. */
export interface RecordedExchange {
  exchange: Exchange;
  probe: Probe;
  classified: Classified;
  /** As in {@link Captured}. */
  entry?: number | undefined;
  position?: number | undefined;
  /** Undefined if the key is unknown, or the service never accepted it. */
  group?: string | undefined;
  isTimed: boolean;
}

/** A captured exchange that is not judged, and why. */
interface Omitted {
  captured: Captured;
  omitted: OmissionKind;
}

/**
 * Matches captured requests to their operations at these servers, or says why they are not judged. A run also tries other
 * spellings of an address: if no request is at the address itself, they are for another base URL.
 */
export function matchedIn(
  contract: Contract,
  servers: Servers,
  part: readonly Captured[],
): (Matched | Omitted)[] {
  const matches = part.map((captured) => matched(contract, servers, captured));
  const reached = new Set(
    matches.flatMap((match) =>
      'omitted' in match || match.classified.isMisplaced ? [] : match.classified.operation.address,
    ),
  );
  return matches.map((match) => {
    if ('omitted' in match || !match.classified.isMisplaced) return match;
    const { address } = match.classified.operation;
    const isElsewhere = servers[address] !== undefined && !reached.has(address);
    return isElsewhere ? { captured: match.captured, omitted: 'other-base' } : match;
  });
}

function matched(contract: Contract, servers: Servers, captured: Captured): Matched | Omitted {
  const classified = classifyCaptured(contract, servers, captured);
  const { operation, isMisplaced } = classified;
  // A run also tries other spellings of an address.
  const server = operation && servers[operation.address];
  const isOwn = captured.own !== undefined && (server === undefined || isAt({ server }, captured.url));
  if (operation && (isOwn || !(isMisplaced || isOfOtherPath(captured, classified))))
    return { captured, classified: { ...classified, operation } };
  return {
    captured,
    omitted: isAt(servers, captured.url) ? unmatchedKind(contract, servers, captured) : 'other-server',
  };
}

/** A word, such as `count` or `_search`. */
const WORD = /^_?\p{L}/u;

/**
 * Whether a request is for a path that the interface does not list: it has a word such as `/pets/count` in place of a number,
 * and the service did not refuse it.
 */
function isOfOtherPath({ response }: Captured, { values }: Classified): boolean {
  if (response === undefined || response.status >= 400) return false;
  return values.some(
    ({ parameter, schema, value }) =>
      parameter?.in === 'path' &&
      (schema.type === 'integer' || schema.type === 'number') &&
      typeof value === 'string' &&
      WORD.test(value),
  );
}

/** The operation of a captured request. */
function classifyCaptured(contract: Contract, servers: Servers, captured: Captured): Classified {
  const { method, url, requestHeaders, requestBody } = captured;
  const body = requestBody === undefined ? {} : { body: requestBody };
  const classified = classify(contract, servers, { method, url, headers: requestHeaders, ...body });
  if (classified.operation && !classified.isMisplaced) return classified;
  // A run also tries other spellings of an address, and the limiter may count them.
  const operation = contract.operations.find(({ id }) => id === captured.own?.operation);
  return operation ? { operation, isMisplaced: true, values: [], problems: [] } : classified;
}

/**
 * The requests of a part of a recording, in the order in which they were sent.
 * @param knownKeys what earlier parts showed; the results of this part are added
 * @param firstId the id of the first request
 */
export function requestsOf(
  part: readonly Matched[],
  knownKeys: KnownKeys,
  firstId: number,
): RecordedExchange[] {
  const captured = part.map((match) => match.captured);
  const standings = standingsOf(captured, knownKeys);
  const inFlight = inFlightOf(captured);
  const requests = part.map((match, index) => ({
    exchange: exchangeOf(match, firstId + index, inFlight[index] ?? 1),
    classified: match.classified,
    standing: standings[index] as Standing,
    isTimed: match.captured.isTimed,
    isChanged: match.isChanged ?? false,
    entry: match.captured.entry,
    position: match.captured.position,
  }));
  const circumstances = circumstancesOf(requests);
  return requests.map((request): RecordedExchange => {
    const { exchange, classified, standing, isTimed, isChanged, entry, position } = request;
    const probe = probeOf({ exchange, classified, standing, isChanged, ...circumstances(request) });
    // A limiter may count wrong keys in its own way.
    const group = standing.isKeyProven ? standing.group : undefined;
    return {
      exchange: { ...exchange, key: probe.key },
      probe,
      classified,
      isTimed,
      entry,
      position,
      group,
    };
  });
}

/** The number of requests in flight when each was sent, itself included. */
function inFlightOf(captured: readonly Captured[]): number[] {
  let open: number[] = [];
  return captured.map(({ sentAt, receivedAt }) => {
    open = open.filter((end) => end > sentAt);
    open.push(receivedAt);
    return open.length;
  });
}

/** The expected response for a key is derived later, from the other exchanges. */
function keyKindOf({ form }: Captured['sentKey'], { secured }: Operation): KeyKind {
  if (form === 'absent' && secured) return 'absent';
  return form === 'empty' ? 'empty' : 'valid';
}

function exchangeOf({ captured, classified }: Matched, id: number, inFlight: number): Exchange {
  const { own, method, url, requestHeaders, requestBody, sentAt, receivedAt, sentKey } = captured;
  const { response, failure, variation } = captured;
  const { operation } = classified;
  return {
    id,
    probe: `recorded-${id}`,
    operation: operation.id,
    address: operation.address,
    stage: own?.stage ?? 'other',
    key: own?.key ?? keyKindOf(sentKey, operation),
    recorded: own ? 'run' : 'traffic',
    variation,
    ...{ method, url, requestHeaders },
    requestBody: requestBody === undefined || requestBody === '' ? undefined : requestBody,
    ...{ sentAt, receivedAt, inFlight: own?.inFlight ?? inFlight },
    response,
    failure,
    rate: response ? readRateLimit(response.headers, receivedAt) : {},
  };
}

/** The path of an unlisted request that may have changed a record: a write that succeeded. */
export function writtenPath(recorded: Recorded): string[] {
  const isWrite = /^(?:PUT|PATCH|DELETE|POST)$/.test(recorded.method) && isSuccess(recorded);
  return isWrite ? [`${new URL(recorded.url).pathname.replace(/\/+$/, '')}/`] : [];
}

/**
 * Marks the creations of records that unlisted requests changed: later reads need not show what was created.
 * @param written the paths of these requests: that of a record, or one below it
 */
export function withChanged(
  { operations }: Pick<Contract, 'operations'>,
  part: readonly Matched[],
  written: readonly string[],
): Matched[] {
  if (written.length === 0) return [...part];
  return part.map((match) => {
    const paths = pathsOf(operations, match);
    const isChanged = paths.some((path) => written.some((target) => target.includes(`${path}/`)));
    return isChanged ? { ...match, isChanged } : match;
  });
}

/** The paths of the record that a request created. */
function pathsOf(operations: Contract['operations'], { captured, classified }: Matched): string[] {
  if (captured.method !== 'POST' || !isSuccess(captured)) return [];
  const links = classified.operation.responses.flatMap((response) => response.links);
  const body = links.length > 0 ? parseJson(captured.response?.body ?? '') : undefined;
  if (!body?.ok) return [];
  return links.flatMap(({ operation, parameter, pointer }) => {
    const path = operations.find(({ id }) => id === operation)?.path;
    const value = at(body.value, pointer);
    const isId = typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint';
    return path !== undefined && isId ? [path.replace(`{${parameter}}`, percentEncoded(String(value)))] : [];
  });
}
