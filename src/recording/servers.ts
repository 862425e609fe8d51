import { rollup } from 'd3-array';
import type { Address, Contract, Operation } from '../model/contract.ts';
import { isSuccess } from '../model/exchange.ts';
import type { Classified } from '../traffic/classify.ts';
import { fill, type Servers } from '../traffic/match-operation.ts';
import type { Captured } from './capture/capture.ts';
import type { Recorded } from './recorded.ts';

/** An address below which a recording has requests that look like the interface. */
export interface ServerCandidate {
  base: string;
  requests: number;
  successes: number;
}

/** How to recognize requests for an operation. */
type OperationRoute = Pick<Operation, 'method' | 'path' | 'address'>;

/** The addresses below which a request may be for the interface, one for each kind of address. */
export function basesOf(
  { operations, basePath = '' }: Pick<Contract, 'basePath'> & { operations: readonly OperationRoute[] },
  { method, url }: Pick<Captured, 'method' | 'url'>,
): { address: Address; base: string }[] {
  const { origin, pathname } = new URL(url);
  const segments = pathname.split('/');
  return operations
    .filter((operation) => operation.method === method)
    .flatMap((operation) => {
      const length = operation.path.split('/').length - 1;
      const path = `/${segments.slice(-length).join('/')}`;
      const prefix = segments.slice(0, -length).join('/');
      const isBase = operation.address === 'apiUrl' || prefix.endsWith(basePath);
      return isBase && segments.length > length && fits(operation, path)
        ? [{ address: operation.address, base: origin + prefix }]
        : [];
    });
}

/** The address of a request of a run, whatever it ends with: the run recorded the operation. */
function baseOfOwn(
  { operations }: Pick<Contract, 'operations'>,
  { own, url }: Pick<Captured, 'own' | 'url'>,
): { address: Address; base: string } | undefined {
  const operation = operations.find(({ id }) => id === own?.operation);
  if (!operation) return undefined;
  const { origin, pathname } = new URL(url);
  const segments = pathname.split('/');
  const length = operation.path.split('/').length - 1;
  const isBelow = segments.length > length && fits(operation, `/${segments.slice(-length).join('/')}`);
  return isBelow
    ? { address: operation.address, base: origin + segments.slice(0, -length).join('/') }
    : undefined;
}

function fits({ path: template }: OperationRoute, path: string): boolean {
  return fill(template, path) !== undefined;
}

/** Whether a URL is at the origin of one of these servers. */
export function isAt(servers: Servers, url: string): boolean {
  const { origin } = new URL(url);
  return Object.values(servers).some((base) => new URL(base).origin === origin);
}

/** Whether a request is for an operation at its server, whatever the address of the server ends with. */
function isBelow(
  servers: Servers,
  operation: OperationRoute,
  { method, url }: Pick<Captured, 'method' | 'url'>,
): boolean {
  const { origin, pathname } = new URL(url);
  const base = servers[operation.address];
  if (base === undefined || operation.method !== method || !(origin + pathname).startsWith(`${base}/`))
    return false;
  return fits(operation, (origin + pathname).slice(base.length));
}

/** Why a request at a known server is not judged, as far as the interface shows. */
export function unmatchedKind(
  { operations, unjudged = [], basePath }: Pick<Contract, 'operations' | 'unjudged' | 'basePath'>,
  servers: Servers,
  recorded: Pick<Captured, 'method' | 'url'>,
): 'stream' | 'unsupported' | 'other-base' | 'other-path' {
  const base = basePath === undefined ? {} : { basePath };
  const matching = unjudged.filter(
    (operation) =>
      isBelow(servers, operation, recorded) ||
      basesOf({ operations: [operation], ...base }, recorded).length > 0,
  );
  if (matching.length > 0) return matching.some(({ isStream }) => isStream) ? 'stream' : 'unsupported';
  const bases = basesOf({ operations, ...base }, recorded);
  const isElsewhere = bases.every((candidate) => servers[candidate.address] !== candidate.base);
  return bases.length > 0 && isElsewhere ? 'other-base' : 'other-path';
}

/** The servers of a recording: those that the user names, or those that are certain. */
export type FoundServers = { servers: Servers } | { doubt: readonly ServerCandidate[] } | { nothing: true };

/**
 * Finds the servers of a recording. The message API is only certain at the same host, or with a key that the service accepts:
 * many services have messages.
 * @param named the servers that the user or the recording names
 */
export function tellServers(contract: Contract, captured: readonly Captured[], named: Servers): FoundServers {
  const possible = named.baseUrl === undefined ? candidates(contract, captured, 'baseUrl') : [];
  const answering = possible.filter(({ successes }) => successes > 0);
  const likely = answering.length > 0 ? answering : possible;
  if (named.baseUrl === undefined && likely.length > 1) return { doubt: likely };
  const baseUrl = named.baseUrl ?? likely[0]?.base ?? baseOfRun(contract, captured);
  if (baseUrl === undefined) return named.apiUrl === undefined ? { nothing: true } : { servers: named };
  const apiUrl = named.apiUrl ?? messagesOf(contract, captured, baseUrl);
  return { servers: { ...named, baseUrl, ...(apiUrl === undefined ? {} : { apiUrl }) } };
}

/** The base URL of a run that does not end as the interface states. A few requests of a run go to other spellings. */
function baseOfRun(contract: Contract, captured: readonly Captured[]): string | undefined {
  const bases = captured.flatMap((exchange) => {
    const place = baseOfOwn(contract, exchange);
    return place?.address === 'baseUrl' ? place.base : [];
  });
  const [first] = [
    ...rollup(
      bases,
      ({ length }) => length,
      (base) => base,
    ),
  ].sort(([, left], [, right]) => right - left);
  return first?.[0];
}

function candidates(contract: Contract, captured: readonly Captured[], address: Address): ServerCandidate[] {
  const byBase = new Map<string, ServerCandidate>();
  for (const exchange of captured)
    for (const { base } of basesOf(contract, exchange).filter((place) => place.address === address)) {
      const candidate = byBase.get(base) ?? { base, requests: 0, successes: 0 };
      candidate.requests += 1;
      if (isSuccess(exchange)) candidate.successes += 1;
      byBase.set(base, candidate);
    }
  return [...byBase.values()].sort((left, right) => right.requests - left.requests);
}

function messagesOf(contract: Contract, captured: readonly Captured[], baseUrl: string): string | undefined {
  const isOf = (base: string) => (exchange: Captured) => exchange.url.startsWith(`${base}/`);
  const keys = new Set(
    captured.filter(isOf(baseUrl)).flatMap((exchange) => (isSuccess(exchange) ? keyOf(exchange) : [])),
  );
  const near = candidates(contract, captured, 'apiUrl').filter(
    ({ base }) =>
      new URL(base).hostname === new URL(baseUrl).hostname ||
      captured.filter(isOf(base)).some((exchange) => keyOf(exchange).some((key) => keys.has(key))),
  );
  const [only, ...further] = near;
  return further.length === 0 ? only?.base : undefined;
}

/** The identity of the key of a request. */
function keyOf({ own, sentKey }: Captured): string[] {
  if (own) return own.key === 'valid' ? ['own'] : [];
  return sentKey.fingerprint === undefined ? [] : [sentKey.fingerprint];
}

/** Base URLs that are counted. */
const MAX_BASES = 100;

/** A base URL that the user did not name, and the number of requests for the interface there. */
export interface OtherBase {
  base: string;
  requests: number;
}

/** Finds the base URL of recordings that have nothing at the one that the user named. */
export class OtherBases {
  readonly #contract: Contract;
  readonly #counts = new Map<string, number>();
  readonly #named: string | undefined;
  #isUseful: boolean;

  constructor(contract: Contract, named: Servers) {
    this.#contract = contract;
    this.#named = named.baseUrl;
    this.#isUseful = named.baseUrl !== undefined;
  }

  /** Takes a request before it is known whether it is for a named server. */
  add(recorded: Recorded): void {
    if (!this.#isUseful) return;
    const ownBase = baseOfOwn(this.#contract, recorded);
    const places = ownBase ? [ownBase] : basesOf(this.#contract, recorded);
    const bases = places.filter(({ address, base }) => address === 'baseUrl' && base !== this.#named);
    for (const base of new Set(bases.map((place) => place.base))) {
      const count = this.#counts.get(base) ?? 0;
      if (count > 0 || this.#counts.size < MAX_BASES) this.#counts.set(base, count + 1);
    }
  }

  /** Takes a judged exchange: one below the named base URL shows that it is the right one. */
  addJudged({ operation, isMisplaced }: Classified): void {
    if (operation?.address === 'baseUrl' && !isMisplaced) this.#isUseful = false;
  }

  /** The base URL of most requests, if none is at the named one. */
  result(): OtherBase | undefined {
    const [first] = [...this.#counts].sort(([, left], [, right]) => right - left);
    return first && this.#isUseful ? { base: first[0], requests: first[1] } : undefined;
  }
}
