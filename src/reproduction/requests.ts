import { resourcesOf } from '../contract/resources.ts';
import type { Contract } from '../model/contract.ts';
import { type Exchange, headerValue, isSuccess } from '../model/exchange.ts';
import { at, parseJson } from '../model/json.ts';
import { type SentRequest, withoutPlaces } from '../model/report/reproduction.ts';
import type { PlannedRequests } from './plain.ts';

/** The requests that reproductions are made from. */
export interface Requests {
  byId(id: number): SentRequest | undefined;
  all(): readonly SentRequest[];
}

/**
 * Collects them from exchanges, in order. An exhaustion may take a whole day, so of its requests only the wanted ones and
 * refusals are kept.
 * @param wanted ids of exchanges
 */
export function collectRequests(
  { operations }: Pick<Contract, 'operations'>,
  wanted: ReadonlySet<number>,
): Requests & { add(exchange: Exchange): void } {
  const held = new Map<number, SentRequest>();
  let seen = 0;
  /** Those with the key, by address. */
  const counted = new Map<string, number>();
  const created = new Map(resourcesOf({ operations }).map((each) => [each.create.id, each.pointers]));
  return {
    add(exchange) {
      const { address, key } = exchange;
      seen += 1;
      const own = (counted.get(address) ?? 0) + (key === 'valid' ? 1 : 0);
      counted.set(address, own);
      // What was sent to see a finding again says nothing of what the run itself saw.
      if (exchange.confirms) return;
      const isRefused = exchange.response?.status === 429;
      if (exchange.stage === 'exhaust' && !isRefused && !wanted.has(exchange.id)) return;
      // Ids also count the exchanges of an exhaustion that the ledger did not keep.
      const ordinal = exchange.id - (seen - own);
      held.set(exchange.id, sentOf(exchange, ordinal, created.get(exchange.operation) ?? []));
    },
    byId: (id) => held.get(id),
    all: () => [...held.values()],
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
 * What came right before a request that got something wrong, if that may be to blame: the same request got the right response
 * as well, and never right after one like it.
 * @param wrong the exchanges that show the violation
 */
export function stepBefore(
  request: SentRequest,
  wrong: readonly SentRequest[],
  source: SentByProbe,
): SentRequest | undefined {
  const { requests } = source;
  const before = requests.byId(request.id - 1);
  const right = rightOnes(request, wrong, source);
  if (!before || right.length === 0) return undefined;
  const kind = kindOf(before);
  const isAfterIt = ({ id }: SentRequest) => {
    const other = requests.byId(id - 1);
    return other !== undefined && kindOf(other) === kind;
  };
  return right.some(isAfterIt) || !wrong.every(isAfterIt) ? undefined : before;
}

/** Whether a violation shows only in requests that went out together: alone, they got the right response. */
export function isRace(wrong: readonly SentRequest[], source: SentByProbe): boolean {
  if (!wrong.every(({ burst }) => burst === 'beside')) return false;
  return wrong.every((each) => rightOnes(each, wrong, source).some(({ burst }) => burst === undefined));
}

/**
 * The same requests, as far as they got a response that is no error and that no finding is about. Of writes, those to which the same
 * responses are right: that a right body is accepted says nothing of a wrong one.
 */
function rightOnes(
  { probe, operation, method, url, key }: SentRequest,
  wrong: readonly SentRequest[],
  { requests, probes }: SentByProbe,
): SentRequest[] {
  const rightFor = (id: string) => JSON.stringify(probes.get(id)?.expectation);
  return requests
    .all()
    .filter(
      (each) =>
        each.operation === operation &&
        rightFor(each.probe) === rightFor(probe) &&
        each.key === key &&
        (method !== 'GET' || each.url === url) &&
        each.status !== undefined &&
        each.status < 300 &&
        !wrong.includes(each),
    );
}

/** Requests of one kind have the same operation, key and status. */
function kindOf({ operation, key, status }: SentRequest): string {
  return `${operation} ${key} ${status}`;
}
