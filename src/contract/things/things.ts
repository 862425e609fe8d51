import type { Contract, Operation } from '../../model/contract.ts';
import { type Exchange, isSuccess } from '../../model/exchange.ts';
import { at, type Json, parseJson } from '../../model/json.ts';
import { groupedBy } from '../../model/large/lookups.ts';
import { createsRecord, documents, type Resource, resourcesOf } from '../resources.ts';
import { acceptedBy, Unlocated } from './creation.ts';

/** What requests created, what of it is gone, and what they may have created although no response says so. */
export interface CreatedThings {
  created: number;
  removed: number;
  /** The paths of removed things that these requests did not create. */
  othersRemoved: readonly string[];
  /** The paths of things that were not removed. */
  left: readonly string[];
  /** The paths of creations that were not removed and whose responses did not show an address. */
  unaddressed: readonly string[];
  /** The methods and paths of requests that may have created something. */
  uncertain: readonly string[];
}

/** The path of a thing, or the path of its creation if only that is known. */
interface ThingAddress {
  path: string;
  isOwn: boolean;
}

type ThingExchange = Pick<
  Exchange,
  'operation' | 'address' | 'key' | 'method' | 'url' | 'requestBody' | 'response' | 'failure'
>;

export interface ThingCounts {
  /** Returns the thing that a response shows as created, if any. */
  add(exchange: ThingExchange): { id: string | undefined } | undefined;
  result(): CreatedThings;
}

/** Counts what requests create and remove, one exchange at a time, in the order in which they were sent. */
export function countThings(contract: Contract): ThingCounts {
  const resources = new Map(
    contract.isComplete ? [] : resourcesOf(contract).map((resource) => [resource.create.id, resource]),
  );
  const operations = new Map(contract.operations.map((operation) => [operation.id, operation]));
  const places: ThingAddress[] = [];
  const uncertain: string[] = [];
  /** The paths of things if the service takes the ids of the client. */
  const chosen = new Map<ThingAddress, string>();
  const unlocated = new Unlocated<ThingAddress>();
  const lists = groupedBy([...resources.values()], ({ list }) => list?.id ?? '');
  const gone = new Set<string>();
  /** Paths that a removal removed now, not before. */
  const removals = new Set<string>();
  const kept = new Set<string>();
  return {
    add(exchange) {
      const { method, response } = exchange;
      const isRead = method === 'GET' || method === 'HEAD';
      // Ledgers of any origin may contain invalid addresses.
      const listed = isRead ? lists.get(exchange.operation) : undefined;
      if (
        (isRead && ((gone.size === 0 && chosen.size === 0 && !listed) || !isSuccess(exchange))) ||
        !URL.canParse(exchange.url)
      )
        return undefined;
      const path = pathOf(exchange);
      if (isSuccess(exchange))
        for (const place of places)
          if (chosen.get(place) === path) Object.assign(place, { path, isOwn: true });
      for (const listedResource of listed ?? [])
        for (const [place, shown] of unlocated.in(listedResource, exchange.url, jsonOf(response)))
          Object.assign(place, { path: shown.path, isOwn: true });
      // A thing that is read after its removal is still there, whatever a later removal says.
      if (isRead && gone.delete(path)) kept.add(path);
      if (isRead) return undefined;
      if (isRemoval(exchange) && !kept.has(path)) {
        if (isSuccess(exchange) && !isBelow(path, gone)) removals.add(path);
        gone.add(path);
      }
      const operation = operations.get(exchange.operation);
      const isCreation = operation !== undefined && mayCreate(operation, contract, resources);
      const isMade = response?.status === 201 && !contract.isComplete;
      const resource = resources.get(exchange.operation);
      const creation = resource && acceptedBy(resource, exchange, response);
      const isSure = resource === undefined || documents(resource.create, '201', '2XX');
      const located = creation?.isChosen ? undefined : creation;
      if (creation || isMade || (isCreation && isSure && method === 'POST' && isDone(exchange))) {
        const place = { path: located?.path ?? path, isOwn: located !== undefined || method !== 'POST' };
        places.push(place);
        if (creation?.isChosen) chosen.set(place, creation.path);
        if (resource && !located) unlocated.add(place, resource, exchange.requestBody);
        return { id: creation?.id ?? idIn(response) };
      }
      // A PUT that creates something gets a 201 (RFC 9110 section 9.3.4).
      const isUncertain = isCreation && mayHaveCreated(exchange) && !(isSure && isDone(exchange));
      if (isUncertain && !places.some((place) => place.path === path && place.isOwn))
        uncertain.push(`${method} ${path}`);
      return undefined;
    },
    result() {
      const remaining = places.filter(({ path }) => !isBelow(path, gone));
      return {
        created: places.length,
        removed: places.length - remaining.length,
        othersRemoved: [...removals].filter(
          (removedPath) => !places.some(({ path }) => path === removedPath),
        ),
        left: remaining.flatMap(({ path, isOwn }) => (isOwn ? [path] : [])),
        unaddressed: remaining.flatMap(({ path, isOwn }) => (isOwn ? [] : [path])),
        uncertain,
      };
    },
  };
}

/**
 * Whether an operation may create something by its document: a 201, a POST to a collection, or each POST of a complete
 * interface.
 */
function mayCreate(
  operation: Operation,
  { isComplete }: Contract,
  resources: ReadonlyMap<string, Resource>,
): boolean {
  const { method } = operation;
  if (isComplete) return createsRecord(operation);
  if (method === 'POST') return documents(operation, '201', '2XX') || resources.has(operation.id);
  return method === 'PUT' && documents(operation, '201');
}

function jsonOf(response: ThingExchange['response']): Json | undefined {
  const parsed = parseJson(response?.body ?? '');
  return parsed.ok ? parsed.value : undefined;
}

function idIn(response: ThingExchange['response']): string | undefined {
  const id = at(jsonOf(response), '/id');
  return ['string', 'number', 'bigint'].includes(typeof id) ? String(id) : undefined;
}

/** A 202 only announces that something will be done. */
function isDone(exchange: ThingExchange): boolean {
  return isSuccess(exchange) && exchange.response?.status !== 202;
}

/**
 * Whether a creation may have succeeded: only a 4xx excludes it. A server may fail, or its response get lost, after it created
 * a record. Without a connection it got nothing.
 */
export function mayHaveCreated({ response, failure }: Pick<Exchange, 'response' | 'failure'>): boolean {
  if (response) return response.status < 400 || response.status >= 500;
  return !NOT_CONNECTED.has(failure?.kind);
}

const NOT_CONNECTED: ReadonlySet<unknown> = new Set(['refused', 'unreachable', 'tls']);

/** Whether a path, or one above it, was removed. */
function isBelow(path: string, gone: ReadonlySet<string>): boolean {
  for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1))
    if (gone.has(path.slice(0, end))) return true;
  return false;
}

function pathOf({ url }: ThingExchange): string {
  return new URL(url).pathname.replace(/\/$/, '');
}

/** Whether an exchange shows that the thing of its URL is gone: removed now or before. */
export function isRemoval(exchange: Pick<Exchange, 'method' | 'response' | 'key'>): boolean {
  const status = exchange.response?.status;
  // A service may hide a thing from another key.
  return (
    exchange.key !== 'second' &&
    exchange.method === 'DELETE' &&
    (isSuccess(exchange) || status === 404 || status === 410)
  );
}
