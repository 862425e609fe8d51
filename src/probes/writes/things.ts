import { resourcesOf } from '../../contract/resources.ts';
import type { Contract, Operation } from '../../model/contract.ts';
import { type Exchange, isSuccess } from '../../model/exchange.ts';
import { at, parseJson } from '../../model/json.ts';
import { createsRecord } from '../probe.ts';
import { createdBy } from './creation.ts';
import { isRemoval } from './removal.ts';

/** What requests created, what of it is gone, and what may have been created although no response says so. */
export interface Things {
  created: number;
  removed: number;
  /** The paths of what was not removed. */
  left: readonly string[];
  /** Created and not removed, and no response said where it is: the paths to which the creations were sent. */
  unaddressed: readonly string[];
  /** The methods and paths of requests that may have created something. */
  uncertain: readonly string[];
}

/** Where something is: at its own path, or somewhere below the path that its creation was sent to. */
interface Place {
  path: string;
  isOwn: boolean;
}

type Seen = Pick<Exchange, 'operation' | 'address' | 'method' | 'url' | 'response' | 'failure'>;

export interface ThingCounts {
  /** Returns what a response says was created, if it says so. */
  add(exchange: Seen): { id: string | undefined } | undefined;
  result(): Things;
}

/** Counts what requests create and remove, one exchange at a time, in the order in which they were sent. */
export function countThings(contract: Contract): ThingCounts {
  const resources = new Map(
    contract.isComplete ? [] : resourcesOf(contract).map((each) => [each.create.id, each]),
  );
  const operations = new Map(contract.operations.map((each) => [each.id, each]));
  const places: Place[] = [];
  const uncertain: string[] = [];
  const gone = new Set<string>();
  return {
    add(exchange) {
      const { method, response } = exchange;
      const isRead = method === 'GET' || method === 'HEAD';
      // A ledger may come from anybody and hold invalid addresses.
      if ((isRead && (gone.size === 0 || !isSuccess(exchange))) || !URL.canParse(exchange.url))
        return undefined;
      const path = pathOf(exchange);
      if (isRead) gone.delete(path);
      if (isRead) return undefined;
      if (isRemoval(exchange)) gone.add(path);
      const operation = operations.get(exchange.operation);
      const isCreation = operation !== undefined && mayCreate(operation, contract);
      const isMade = response?.status === 201 && !contract.isComplete;
      if (isMade || (isCreation && method === 'POST' && isDone(exchange))) {
        const resource = resources.get(exchange.operation);
        const own = resource && createdBy(resource, exchange, response);
        places.push({ path: own?.path ?? path, isOwn: own !== undefined || method !== 'POST' });
        return { id: own?.id ?? idIn(response?.body) };
      }
      // A PUT that creates something gets a 201 (RFC 9110 section 9.3.4).
      const isUncertain = isCreation && mayHaveCreated(exchange) && !isDone(exchange);
      if (isUncertain && !places.some((each) => each.path === path && each.isOwn))
        uncertain.push(`${method} ${path}`);
      return undefined;
    },
    result() {
      const left = places.filter(({ path }) => !isBelow(path, gone));
      return {
        created: places.length,
        removed: places.length - left.length,
        left: left.flatMap(({ path, isOwn }) => (isOwn ? [path] : [])),
        unaddressed: left.flatMap(({ path, isOwn }) => (isOwn ? [] : [path])),
        uncertain,
      };
    },
  };
}

/** Whether the document says that an operation creates something: a 201, or a POST of an interface that creates with each. */
function mayCreate(operation: Operation, { isComplete }: Contract): boolean {
  const { method, responses } = operation;
  if (isComplete) return createsRecord(operation);
  const documents = (wanted: string) => responses.some(({ status }) => status === wanted);
  return method === 'POST' ? documents('201') || documents('2XX') : method === 'PUT' && documents('201');
}

function idIn(body = ''): string | undefined {
  const parsed = parseJson(body);
  const id = parsed.ok ? at(parsed.value, '/id') : undefined;
  return ['string', 'number', 'bigint'].includes(typeof id) ? String(id) : undefined;
}

/** A 202 only says that something will be done. */
function isDone(exchange: Seen): boolean {
  return isSuccess(exchange) && exchange.response?.status !== 202;
}

/**
 * Whether a creation may have created something: only a 4xx says that it did not. A server may fail, or its response get lost,
 * after it created a record. Without a connection it got nothing.
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

function pathOf({ url }: Seen): string {
  return new URL(url).pathname.replace(/\/$/, '');
}
