import type { Change } from '../../changes/change.ts';
import { withRequestBody } from '../../changes/changes.ts';
import type { Call, OperationId } from '../../http/call.ts';
import type { BigIntJson } from '../../http/json.ts';
import { isObject } from '../../http/json.ts';
import { type Fault, violating } from '../fault.ts';
import { crashing } from '../mistakes.ts';

type PetField = 'name' | 'categoryId' | 'status';
type FaultPlan = NonNullable<Fault['plan']>;
/** Faults by id. */
type Table<Row extends readonly unknown[]> = Readonly<Record<string, readonly [summary: string, ...Row]>>;

/** Faults that violate the same requirement and need the same plan. `changeOf` makes the change of a row. */
function tabled<Row extends readonly unknown[]>(
  plan: FaultPlan,
  requirement: string,
  rows: Table<Row>,
  changeOf: (...row: Row) => Change,
): Fault[] {
  const changes = Object.entries(rows).map(
    ([id, [summary, ...row]]) => [id, [summary, changeOf(...row), { plan }]] as const,
  );
  return violating(requirement, Object.fromEntries(changes));
}

/** What a lax reader makes of a value, and of its text; undefined leaves the field out. */
type LaxReading = (text: string, value: BigIntJson) => BigIntJson | undefined;

/**
 * Wrong values of a field of NewPet that are read as other values; `undefined` leaves the field out. A pattern is for texts, a
 * test for all values.
 */
export function takes(
  plan: FaultPlan,
  field: PetField,
  rows: Table<
    [taken: RegExp | ((value: BigIntJson) => boolean), instead: BigIntJson | undefined | LaxReading]
  >,
): Fault[] {
  return tabled(plan, `NewPet.${field}`, rows, (taken, instead) =>
    withRequestBody({ operation: 'createPet' }, (body = null) => {
      if (!isObject(body)) return body;
      const { [field]: value, ...others } = body;
      const isTaken =
        taken instanceof RegExp ? (text: BigIntJson) => typeof text === 'string' && taken.test(text) : taken;
      if (value === undefined || !isTaken(value)) return body;
      const read = typeof instead === 'function' ? instead(String(value), value) : instead;
      return read === undefined ? others : { ...others, [field]: read };
    }),
  );
}

/** Bodies of POST /pets that are not JSON objects, but are read as one: by default as an animal with empty fields. */
export function reads(
  plan: FaultPlan,
  rows: Table<
    [
      isRead: (text: string, body: BigIntJson | undefined) => boolean,
      instead?: (text: string, body: BigIntJson | undefined) => BigIntJson,
    ]
  >,
): Fault[] {
  return tabled(plan, 'createPet.body', rows, (isRead, instead = () => NAMELESS) =>
    withRequestBody({ operation: 'createPet' }, (body, { bodyText = '' }) =>
      isRead(bodyText, body) ? instead(bodyText, body) : (body ?? null),
    ),
  );
}

const NAMELESS = { name: '', categoryId: 1n };

/** Requests that end in an uncaught error. The part of the requirement is `responses`, or a status that is due. */
export function crashes(
  plan: FaultPlan,
  operation: OperationId,
  part: 'responses' | '400',
  rows: Table<[when: (call: Call) => boolean]>,
): Fault[] {
  return tabled(plan, `${operation}.${part}`, rows, (when) => crashing({ operation, when }));
}
