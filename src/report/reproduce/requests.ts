import { resourcesOf } from '../../contract/resources.ts';
import type { Contract } from '../../model/contract.ts';
import { type Exchange, headerValue, isSuccess } from '../../model/exchange.ts';
import { at, parseJson } from '../../model/json.ts';
import { unmarked } from './command.ts';
import type { SentRequest } from './sent-request.ts';

/** The requests of a run that scripts are made from. */
export interface Requests {
  byId(id: number): SentRequest | undefined;
  all(): readonly SentRequest[];
}

/**
 * Collects them from the exchanges of a run. An exhaustion may take a whole day, so of its requests only the wanted ones
 * and refusals are kept.
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
  const pointers = new Map(
    operations.map(({ id, responses }) => {
      const linked = responses.flatMap(({ links }) => links.map(({ pointer }) => pointer));
      return [id, [...new Set([...linked, ...(created.get(id) ?? [])])]];
    }),
  );
  return {
    add(exchange) {
      const { address, key } = exchange;
      seen += 1;
      const own = (counted.get(address) ?? 0) + (key === 'valid' ? 1 : 0);
      counted.set(address, own);
      const isRefused = exchange.response?.status === 429;
      if (exchange.stage === 'exhaust' && !isRefused && !wanted.has(exchange.id)) return;
      // Ids also count the exchanges of an exhaustion that the ledger did not keep.
      const ordinal = exchange.id - (seen - own);
      held.set(exchange.id, sentOf(exchange, ordinal, pointers.get(exchange.operation) ?? []));
    },
    byId: (id) => held.get(id),
    all: () => [...held.values()],
  };
}

function sentOf(exchange: Exchange, ordinal: number, pointers: readonly string[]): SentRequest {
  const { response, failure, sentAt, receivedAt, rate, inFlight: _, ...request } = exchange;
  const headers = response?.headers ?? [];
  const retryAfter = headerValue(headers, 'Retry-After');
  return {
    ...unmarked(request),
    ...(response ? { status: response.status } : {}),
    ...(failure ? { failure: failure.kind } : {}),
    ...(rate.limit === undefined ? {} : { limit: rate.limit }),
    ...(retryAfter === undefined ? {} : { retryAfter }),
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
