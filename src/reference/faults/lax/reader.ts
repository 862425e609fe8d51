import { answering, withRequestBody } from '../../changes/changes.ts';
import type { Call, OperationId } from '../../http/call.ts';
import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import type { Fault } from '../fault.ts';
import { crash } from '../mistakes.ts';

type PetField = 'name' | 'categoryId' | 'status';
export type FaultPlan = NonNullable<Fault['plan']>;

/** A wrong value of a field that is taken for another one; for none if `instead` is undefined. */
export function takes(
  plan: FaultPlan,
  id: string,
  summary: string,
  field: PetField,
  isTaken: (value: BigIntJson) => boolean,
  instead: BigIntJson | undefined | ((value: BigIntJson) => BigIntJson | undefined),
): Fault {
  const taken = (value: BigIntJson) => (typeof instead === 'function' ? instead(value) : instead);
  return {
    id,
    summary,
    plan,
    violates: [`NewPet.${field}`],
    ...withRequestBody({ operation: 'createPet' }, (body = null) => {
      if (!isObject(body) || body[field] === undefined || !isTaken(body[field])) return body;
      const { [field]: wrong, ...others } = body;
      const value = wrong === undefined ? undefined : taken(wrong);
      return value === undefined ? others : { ...others, [field]: value };
    }),
  };
}

/** The same for texts. */
export function takesText(
  plan: FaultPlan,
  id: string,
  summary: string,
  field: PetField,
  pattern: RegExp,
  instead: (text: string) => BigIntJson | undefined,
): Fault {
  const isTaken = (value: BigIntJson) => typeof value === 'string' && pattern.test(value);
  return takes(plan, id, summary, field, isTaken, (text) => instead(String(text)));
}

/** A body that is not a JSON object, but is read as one. */
export function reads(
  plan: FaultPlan,
  id: string,
  summary: string,
  isRead: (text: string, body: BigIntJson | undefined) => boolean,
  instead: (text: string, body: BigIntJson | undefined) => BigIntJson = () => NAMELESS,
): Fault {
  return {
    id,
    summary,
    plan,
    violates: ['createPet.body'],
    ...withRequestBody({ operation: 'createPet' }, (body, { bodyText = '' }) =>
      isRead(bodyText, body) ? instead(bodyText, body) : (body ?? null),
    ),
  };
}

const NAMELESS = { name: '', categoryId: 1n };

/** A body that ends in an uncaught error. */
export function crashesOn(
  plan: FaultPlan,
  id: string,
  summary: string,
  test: (body: BigIntJson | undefined, text: string) => boolean,
): Fault {
  const when = ({ body, bodyText = '' }: Call) => test(body, bodyText);
  return {
    id,
    summary,
    plan,
    violates: ['createPet.400'],
    ...answering({ operation: 'createPet', when }, crash),
  };
}

/** A request that ends in an uncaught error. */
export function crashing(
  plan: FaultPlan,
  id: string,
  summary: string,
  operation: OperationId,
  when: (call: Call) => boolean,
): Fault {
  return {
    id,
    summary,
    plan,
    violates: [`${operation}.responses`],
    ...answering({ operation, when }, crash),
  };
}
