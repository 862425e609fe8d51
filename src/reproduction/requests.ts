import { resourcesOf } from '../contract/resources.ts';
import type { Contract } from '../model/contract.ts';
import { type Exchange, headerValue, isSuccess } from '../model/exchange.ts';
import { at, parseJson } from '../model/json.ts';
import { type SentRequest, withoutPlaces } from '../model/report/reproduction.ts';
import type { PlannedRequests } from './plain.ts';

/** The requests of a run or a recording, which reproductions are made from. */
export interface Requests {
  byId(id: number): SentRequest | undefined;
  all(): readonly SentRequest[];
}

/**
 * Collects the requests from exchanges, in order. An exhaustion may take a whole day, so of its requests only the wanted
 * ones and the refused ones are kept.
 * @param wanted ids of exchanges
 */
export function collectRequests(
  { operations }: Pick<Contract, 'operations'>,
  wanted: ReadonlySet<number>,
): Requests & { add(exchange: Exchange): void } {
  const requests = new Map<number, SentRequest>();
  let count = 0;
  /** Requests with the key, by address. */
  const counted = new Map<string, number>();
  const created = new Map(
    resourcesOf({ operations }).map((resource) => [resource.create.id, resource.pointers]),
  );
  return {
    add(exchange) {
      const { address, key } = exchange;
      count += 1;
      const countWithKey = (counted.get(address) ?? 0) + (key === 'valid' ? 1 : 0);
      counted.set(address, countWithKey);
      // A request that confirms a finding is no part of what the run saw.
      if (exchange.confirms) return;
      const isRefused = exchange.response?.status === 429;
      if (exchange.stage === 'exhaust' && !isRefused && !wanted.has(exchange.id)) return;
      // Ids also count the exchanges that the ledger did not keep.
      const ordinal = exchange.id - (count - countWithKey);
      requests.set(exchange.id, sentOf(exchange, ordinal, created.get(exchange.operation) ?? []));
    },
    byId: (id) => requests.get(id),
    all: () => [...requests.values()],
  };
}

function sentOf(exchange: Exchange, ordinal: number, pointers: readonly string[]): SentRequest {
  const { response, failure, sentAt, receivedAt, rate, inFlight: _, ...request } = exchange;
  const { url, requestHeaders, requestBody } = request;
  const headers = response?.headers ?? [];
  const retryAfter = headerValue(headers, 'Retry-After');
  return {
    ...request,
    url: withoutPlaces(url),
    requestHeaders: requestHeaders.map(([name, value]) => [withoutPlaces(name), withoutPlaces(value)]),
    requestBody: requestBody && withoutPlaces(requestBody),
    status: response?.status,
    failure: failure?.kind,
    limit: rate.limit,
    retryAfter,
    remaining: rate.remaining,
    seconds: Math.ceil((receivedAt - sentAt) / 1000),
    isEncoded: headerValue(headers, 'Content-Encoding') !== undefined,
    ordinal,
    values: valuesOf(exchange, pointers),
  };
}

function valuesOf(exchange: Exchange, pointers: readonly string[]): Map<string, string> {
  const values = new Map<string, string>();
  if (pointers.length === 0 || !isSuccess(exchange)) return values;
  const body = parseJson(exchange.response?.body ?? '');
  for (const pointer of pointers) {
    const value = body.ok ? at(body.value, pointer) : undefined;
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      values.set(pointer, String(value));
  }
  return values;
}

/** Requests, and the probes that they were made from. */
interface SentByProbe extends Pick<PlannedRequests, 'probes'> {
  requests: Requests;
}

/**
 * The request right before a wrong response, if it may be the cause: every wrong response came after such a request, and the
 * same request also got a right response, but never after such a request.
 * @param wrong the requests that show the violation
 */
export function stepBefore(
  request: SentRequest,
  wrong: readonly SentRequest[],
  source: SentByProbe,
): SentRequest | undefined {
  const { requests } = source;
  const before = requests.byId(request.id - 1);
  const right = withRightResponse(request, wrong, source);
  if (!before || right.length === 0) return undefined;
  const kind = kindOf(before);
  const isAfterIt = ({ id }: SentRequest) => {
    const previous = requests.byId(id - 1);
    return previous !== undefined && kindOf(previous) === kind;
  };
  return right.some(isAfterIt) || !wrong.every(isAfterIt) ? undefined : before;
}

/** Whether a violation shows only in requests that were sent together: alone, they got the right response. */
export function isRace(wrong: readonly SentRequest[], source: SentByProbe): boolean {
  if (!wrong.every(({ burst }) => burst === 'beside')) return false;
  return wrong.every((request) =>
    withRightResponse(request, wrong, source).some(({ burst }) => burst === undefined),
  );
}

/**
 * The same requests with a right response: no error, and not among the wrong ones. The same write is one that expects the same
 * response: that a valid body was accepted says nothing about an invalid one.
 */
function withRightResponse(
  { probe, operation, method, url, key }: SentRequest,
  wrong: readonly SentRequest[],
  { requests, probes }: SentByProbe,
): SentRequest[] {
  const expectationOf = (id: string) => JSON.stringify(probes.get(id)?.expectation);
  return requests
    .all()
    .filter(
      (request) =>
        request.operation === operation &&
        expectationOf(request.probe) === expectationOf(probe) &&
        request.key === key &&
        (method !== 'GET' || request.url === url) &&
        request.status !== undefined &&
        request.status < 300 &&
        !wrong.includes(request),
    );
}

/** Requests of one kind have the same operation, key and status. */
function kindOf({ operation, key, status }: SentRequest): string {
  return `${operation} ${key} ${status}`;
}
