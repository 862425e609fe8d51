import { CURSOR, OFFSET, ORDER, orderIn, PAGE, pageSizeOf } from '../contract/things/lists.ts';
import type { Operation, Parameter, Schema } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import type { Classified } from '../traffic/classify.ts';
import { isThing, type Thing, withValueAt } from './values.ts';

const NEXT = /next|cursor|continu/i;
const TOTAL = /^(?:total|count|total_?(?:count|items|results|elements|hits))$/i;

/** Things on a page if the client does not say how many. */
const USUAL = 20;

/** The things of a page, and where the next page begins. */
export interface Page {
  things: readonly Thing[];
  total: number;
  /** Undefined on the last page. */
  next?: string;
}

/** The things that a request asks for: filtered by fields of the same name, in order, then a page of them. */
export function pageOf(things: readonly Thing[], { operation, values }: Classified): Page {
  const asked = values.filter(({ parameter }) => parameter?.in === 'query');
  const queryValue = (pattern: RegExp) =>
    asked.find(({ parameter }) => pattern.test(parameter?.name ?? ''))?.value ?? undefined;
  const size = operation && pageSizeOf(operation);
  const paging = operation?.parameters.some(({ name }) => ORDER.test(name)) ? [...PAGING, DIRECTION] : PAGING;
  const matching = asked
    .filter(
      ({ parameter }) => parameter !== size && !paging.some((pattern) => pattern.test(parameter?.name ?? '')),
    )
    .reduce(
      (kept, { parameter, value }) => kept.filter((thing) => matches(thing, parameter?.name ?? '', value)),
      things,
    );
  const ordered = inOrder(matching, queryValue(ORDER), queryValue(DIRECTION));
  const stated = asked.find(({ parameter }) => parameter === size)?.value;
  const limit = size ? sizeIn(size, stated) : Number.POSITIVE_INFINITY;
  const page = queryValue(PAGE);
  const first = firstPage(operation);
  const skipped =
    page === undefined
      ? Number(queryValue(OFFSET) ?? cursorAt(queryValue(CURSOR)))
      : (Number(page) - first) * limit;
  const begin = Number.isFinite(skipped) && skipped > 0 ? skipped : 0;
  const end = begin + limit;
  const next = end < ordered.length ? { next: String(end) } : {};
  return { things: ordered.slice(begin, end), total: ordered.length, ...next };
}

/** Names of parameters for the direction of a list; without a parameter for its order they are names of fields. */
const DIRECTION = /^(?:order|direction|dir)$/i;

const PAGING = [OFFSET, PAGE, CURSOR, ORDER];

/** The things in the order that a value such as `price` or `-price` names. */
function inOrder(
  things: readonly Thing[],
  stated: Json | undefined,
  direction: Json | undefined,
): readonly Thing[] {
  if (typeof stated !== 'string') return things;
  const { name, direction: chosen = direction } = orderIn(stated);
  const sign = chosen === 'desc' ? -1 : 1;
  return things.toSorted((left, right) => sign * compared(left[name], right[name]));
}

function compared(a: Json | undefined, b: Json | undefined): number {
  const [left, right] = [a, b].map((value) =>
    typeof value === 'number' || typeof value === 'bigint' ? value : String(value),
  ) as [string, string];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The size of a page: what the client says, or else the usual size. */
function sizeIn({ schema }: Parameter, stated: Json | undefined): number {
  const wanted = [stated, schema.default, Math.min(USUAL, Number(schema.maximum ?? USUAL))];
  return wanted.map((size) => Math.floor(Number(size))).find((size) => size >= 1) ?? USUAL;
}

/** The number of the first page: 0 if the document allows it. */
function firstPage(operation: Operation | undefined): number {
  const parameter = operation?.parameters.find(({ name }) => PAGE.test(name));
  return parameter?.schema.minimum === 0 || parameter?.schema.default === 0 ? 0 : 1;
}

function cursorAt(value: Json | undefined): number {
  return typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : 0;
}

/** Whether a field of a thing has this value, or one of these. A thing without the field matches. */
function matches(thing: Thing, name: string, value: Json): boolean {
  const field = thing[name];
  if (field === undefined || isThing(field)) return true;
  const wanted = (Array.isArray(value) ? value : [value]).map(String);
  const held = (Array.isArray(field) ? field : [field]).map(String);
  return held.some((text) => wanted.includes(text));
}

/** An envelope with the total and the start of the next page, in the fields that it has for them. */
export function withPage(value: Json, schema: Schema, { total, next, things }: Page): Json {
  if (!isThing(value)) return value;
  return Object.entries(schema.properties ?? {}).reduce<Json>((whole, [name, field]) => {
    const isNumber = field.type === 'integer' || field.type === 'number';
    if (isNumber && TOTAL.test(name))
      return withValueAt(whole, [name], name === 'count' ? things.length : total);
    if (NEXT.test(name) && field.type === 'string') return withNext(whole, name, field, schema, next);
    return whole;
  }, value);
}

function withNext(whole: Json, name: string, field: Schema, { required = [] }: Schema, next?: string): Json {
  if (next !== undefined && (field.format ?? field.pattern) === undefined)
    return withValueAt(whole, [name], next);
  if (field['x-nullable']) return withValueAt(whole, [name], null);
  if (required.includes(name) || !isThing(whole)) return whole;
  const { [name]: _, ...rest } = whole;
  return rest;
}
