import type { Answer } from '../http/answer.ts';
import type { Call, KeyVerdict, ListenerName, OperationId } from '../http/call.ts';

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
