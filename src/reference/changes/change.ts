import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../http/answer.ts';
import type { Call, KeyVerdict, ListenerName, OperationId } from '../http/call.ts';
import type { LimiterVerdict } from '../limiter/verdict.ts';
import type { SettingsChange } from '../settings.ts';
import type { Animal, ListQuery } from '../store.ts';

/** The calls that a change concerns. All given conditions must hold; `{}` is every call. */
export interface CallWhere {
  operation?: OperationId | readonly OperationId[];
  key?: KeyVerdict;
  listener?: ListenerName;
  when?: (call: Call) => boolean;
}

/** The answers that a change concerns. */
export interface Where extends CallWhere {
  status?: number | readonly number[];
}

export function concernsCall({ operation, key, listener, when }: CallWhere, call: Call): boolean {
  if (operation !== undefined && (call.operation === undefined || !oneOf(call.operation, operation)))
    return false;
  if (key !== undefined && call.key !== key) return false;
  if (listener !== undefined && call.listener !== listener) return false;
  return when === undefined || when(call);
}

export function concerns(where: Where, answer: Answer, call: Call): boolean {
  if (where.status !== undefined && !oneOf(answer.status, where.status)) return false;
  return concernsCall(where, call);
}

function oneOf<T extends string | number>(value: T, wanted: T | readonly T[]): boolean {
  return typeof wanted === 'object' ? wanted.includes(value) : value === wanted;
}

/** Answers a call as it would be answered without this change. */
export type Next = (call: Call) => Promise<Answer>;
/** Sends an answer as usual. */
export type Send = (answer: Answer) => Promise<void>;
/** The usual selection, from all animals or from these. */
export type Select = (query: ListQuery, from?: readonly Animal[]) => Animal[];

/** The server's end of one exchange. A change that takes over the sending must end `outgoing` or the socket. */
export interface Line {
  readonly outgoing: ServerResponse;
  readonly socket: Socket;
}

export interface StoreHooks {
  /** The animal that a valid body becomes: returned and stored. */
  create?(animal: Animal, call: Call): Animal;
  /** The animal that is stored; undefined stores nothing. */
  keep?(animal: Animal, call: Call): Animal | undefined;
  /** What getPet finds. */
  read?(animal: Animal | undefined, id: bigint, call: Call): Animal | undefined;
  /** What listPets selects and in which order. */
  list?(query: ListQuery, next: Select, call: Call): Animal[];
}

/**
 * A change to the reference: settings, or hooks where it differs. Changes are applied in order: a request passes the
 * `request` of the first change first, and an answer its wrappers first.
 */
export interface Change {
  settings?: SettingsChange;
  /** Changes the request: query, headers, `bodyText`, key verdict. */
  request?(call: Call): Call;
  /** Around the whole answer: authentication, limiter and all headers except Content-Length are inside. */
  around?(call: Call, next: Next): Answer | Promise<Answer>;
  /** Changes the limiter's verdict, before a 429 and before the headers (both times, if 4xx are free). */
  limit?(verdict: LimiterVerdict, call: Call): LimiterVerdict;
  /** Around the operation itself, after authentication and limiter. Also called for unknown paths and methods. */
  handle?(call: Call, next: Next): Answer | Promise<Answer>;
  store?: StoreHooks;
  /** Takes over the sending, or does something before or after `next`. */
  wire?(answer: Answer, call: Call, line: Line, next: Send): void | Promise<void>;
}

/** All changes of a reference: a function for each hook. */
export interface Hooks extends Required<Pick<Change, 'request' | 'limit'> & StoreHooks> {
  around(usual: Next): Next;
  handle(usual: Next): Next;
  wire(answer: Answer, call: Call, line: Line, usual: Send): Promise<void>;
}

/** Chains changes; in every chain the first change is the innermost. Hooks are called without a `this`. */
export function chain(changes: readonly Change[]): Hooks {
  const stores = changes.flatMap((one) => one.store ?? []);
  const requests = changes.flatMap((one) => one.request ?? []);
  const limits = changes.flatMap((one) => one.limit ?? []);
  const arounds = changes.flatMap((one) => one.around ?? []);
  const handles = changes.flatMap((one) => one.handle ?? []);
  const wires = changes.flatMap((one) => one.wire ?? []);
  const creates = stores.flatMap((one) => one.create ?? []);
  const keeps = stores.flatMap((one) => one.keep ?? []);
  const reads = stores.flatMap((one) => one.read ?? []);
  const lists = stores.flatMap((one) => one.list ?? []);
  return {
    request: (call) => requests.reduce((current, hook) => hook(current), call),
    limit: (verdict, call) => limits.reduce((current, hook) => hook(current, call), verdict),
    create: (animal, call) => creates.reduce((current, hook) => hook(current, call), animal),
    keep: (animal, call) =>
      keeps.reduce<Animal | undefined>((kept, hook) => kept && hook(kept, call), animal),
    read: (animal, id, call) => reads.reduce((found, hook) => hook(found, id, call), animal),
    list: (query, usual, call) => {
      const select = lists.reduce<Select>(
        (next, hook) => (wanted, from) => hook(wanted, (w, f = from) => next(w, f), holding(call, from)),
        usual,
      );
      return select(query);
    },
    around: (usual) => layered(arounds, usual),
    handle: (usual) => layered(handles, usual),
    wire: (answer, call, line, usual) => {
      const send = wires.reduce<Send>((next, hook) => async (a) => hook(a, call, line, next), usual);
      return send(answer);
    },
  };
}

/** The call as if the store had only these animals: a hook changes what the hook around it has chosen. */
function holding(call: Call, animals: readonly Animal[] | undefined): Call {
  return animals === undefined ? call : { ...call, store: { ...call.store, all: () => [...animals] } };
}

function layered(hooks: readonly NonNullable<Change['around']>[], usual: Next): Next {
  return hooks.reduce<Next>((next, hook) => async (call) => hook(call, next), usual);
}
