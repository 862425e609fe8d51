import type { Answer } from '../http/answer.ts';
import { appendHeaders, bodyText, headerOf, withHeaderOf, withoutHeaderOf } from '../http/answer.ts';
import type { Call } from '../http/call.ts';
import type { BigIntJson, BigIntJsonObject } from '../http/json.ts';
import { isObject } from '../http/json.ts';
import type { LimiterVerdict } from '../limiter/verdict.ts';
import { mergeChanges } from '../settings.ts';
import type { CallWhere, Change, StoreHooks, Where } from './change.ts';
import { chain, concerns, concernsCall } from './change.ts';

export * from './wire-changes.ts';

/** Several changes as one, applied in order. (Spreading two of a kind into one object would lose the first.) */
export function combined(...parts: Change[]): Change {
  const { request, limit, create, keep, read, list, around, handle, wire } = chain(parts);
  return {
    settings: mergeChanges(parts.map((part) => part.settings ?? {})),
    request,
    limit,
    around: (call, next) => around(next)(call),
    handle: (call, next) => handle(next)(call),
    store: { create, keep, read, list },
    // Without a hook nothing is special about the connection.
    ...(parts.some((part) => part.wire) ? { wire } : {}),
  };
}

// The request

/** Changes the call. */
export function onCall(where: CallWhere, change: (call: Call) => Call): Change {
  return { request: (call) => (concernsCall(where, call) ? change(call) : call) };
}

/** Changes the query. `change` works on a copy. */
export function withQuery(where: CallWhere, change: (query: URLSearchParams) => void): Change {
  return onCall(where, (call) => {
    const query = new URLSearchParams(call.query);
    change(query);
    return { ...call, query };
  });
}

/** Changes the body for the operation, as if the body that was sent were readable. An unreadable body is `undefined`. */
export function withRequestBody(
  where: CallWhere,
  change: (body: BigIntJson | undefined, call: Call) => BigIntJson,
): Change {
  return {
    handle: (call, next) =>
      next(
        concernsCall(where, call) ? { ...call, body: change(call.body, call), bodyProblem: undefined } : call,
      ),
  };
}

// The store

/** Changes the animal of a valid body, which is returned and stored. */
export function onCreate(create: NonNullable<StoreHooks['create']>): Pick<Change, 'store'> {
  return { store: { create } };
}

/** Changes the stored animal, but not the returned animal; undefined stores nothing. */
export function onKeep(keep: NonNullable<StoreHooks['keep']>): Pick<Change, 'store'> {
  return { store: { keep } };
}

/** Changes what GET /pets/{petId} finds. */
export function onRead(read: NonNullable<StoreHooks['read']>): Pick<Change, 'store'> {
  return { store: { read } };
}

/** Changes what GET /pets selects, and in which order. */
export function onList(list: NonNullable<StoreHooks['list']>): Pick<Change, 'store'> {
  return { store: { list } };
}

// The verdict and the operation

/** Changes the verdict of the limiter. */
export function onVerdict(
  where: CallWhere,
  change: (verdict: LimiterVerdict, call: Call) => LimiterVerdict,
): Change {
  return { limit: (verdict, call) => (concernsCall(where, call) ? change(verdict, call) : verdict) };
}

/** The operation returns this answer and does nothing. */
export function answering(where: CallWhere, answer: (call: Call) => Answer): Change {
  return { handle: (call, next) => (concernsCall(where, call) ? answer(call) : next(call)) };
}

// The answer

/** Changes the answer. */
export function onAnswer(where: Where, change: (answer: Answer, call: Call) => Answer): Change {
  return {
    around: async (call, next) => {
      const answer = await next(call);
      return concerns(where, answer, call) ? change(answer, call) : answer;
    },
  };
}

/** Changes the status, also in an Error body. */
export function withStatus(where: Where, status: number): Change {
  return onAnswer(where, (answer) => {
    const { body } = answer;
    const isError = isObject(body) && 'code' in body && 'status' in body;
    return { ...answer, status, body: isError ? { ...body, status: BigInt(status) } : body };
  });
}

/** Sets a header, in the given case: in place of its first occurrence, or last. */
export function withHeader(
  where: Where,
  name: string,
  value: string | ((old: string | undefined, answer: Answer, call: Call) => string),
): Change {
  return onAnswer(where, (answer, call) =>
    withHeaderOf(
      answer,
      name,
      typeof value === 'string' ? value : value(headerOf(answer, name), answer, call),
    ),
  );
}

/** Adds a header line, even if the header exists. */
export function withAnotherHeader(where: Where, name: string, value: string): Change {
  return onAnswer(where, (answer) => appendHeaders(answer, [[name, value]]));
}

export function withoutHeader(where: Where, name: string): Change {
  return onAnswer(where, (answer) => withoutHeaderOf(answer, name));
}

/** Renames headers. */
export function withHeaderNames(where: Where, change: (name: string) => string): Change {
  return onAnswer(where, (answer) => ({
    ...answer,
    headers: answer.headers.map(([name, value]) => [change(name), value]),
  }));
}

/** Changes a JSON body. Text, bytes and no body stay. A string is sent as it is. */
export function withBody(
  where: Where,
  change: (body: BigIntJson, call: Call) => BigIntJson | Buffer | undefined,
): Change {
  return onAnswer(where, (answer, call) => {
    const { body } = answer;
    if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return answer;
    return { ...answer, body: change(body, call) };
  });
}

/** Changes a body that is an object, or each object of a list. */
export function withObject(
  where: Where,
  change: (object: BigIntJsonObject, call: Call) => BigIntJsonObject,
): Change {
  const changed = (value: BigIntJson, call: Call): BigIntJson =>
    isObject(value) ? change(value, call) : value;
  return withBody(where, (body, call) =>
    Array.isArray(body) ? body.map((element) => changed(element, call)) : changed(body, call),
  );
}

/** Sets a field; in a list, in each element. */
export function withField(
  where: Where,
  field: string,
  value:
    | Exclude<BigIntJson, BigIntJsonObject>
    | ((old: BigIntJson | undefined, object: BigIntJsonObject, call: Call) => BigIntJson),
): Change {
  return withObject(where, (object, call) => ({
    ...object,
    [field]: typeof value === 'function' ? value(object[field], object, call) : value,
  }));
}

/** Removes a field; in a list, from each element. */
export function withoutField(where: Where, field: string): Change {
  return withObject(where, ({ [field]: _, ...rest }) => rest);
}

/** Changes the serialized body. */
export function withText(where: Where, change: (text: string, call: Call) => string): Change {
  return onAnswer(where, (answer, call) => ({ ...answer, body: change(bodyText(answer), call) }));
}
