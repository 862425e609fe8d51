import { isObject } from '../../contract/schema.ts';
import { type Exchange, headerValue } from '../../model/exchange.ts';
import { type Json, parseJson, sameJson } from '../../model/json.ts';

/** The fields of a record that a request sends or a response shows. */
export type Fields = { [name: string]: Json };

function fieldsOf(text: string | undefined): Fields | undefined {
  const parsed = parseJson(text ?? '');
  return parsed.ok && isFields(parsed.value) ? parsed.value : undefined;
}

/**
 * The fields of an object, or of the only object in it (`{ "data": { … } }`).
 * @param beside the fields to compare with: if they have this name and others, the name is no wrapper
 */
function unwrapped(fields: Fields, beside: Fields): Fields {
  const [[name, only] = [], ...others] = Object.entries(fields);
  const isField = name !== undefined && Object.hasOwn(beside, name) && Object.keys(beside).length > 1;
  return others.length === 0 && !isField && isFields(only) ? only : fields;
}

/** The fields that a response shows. */
export function shownFields({ response }: Pick<Exchange, 'response'>, beside: Fields): Fields | undefined {
  const fields = fieldsOf(response?.body);
  return fields && unwrapped(fields, beside);
}

/** The fields that a write sent, that its response showed, and that a later read shows. */
export interface WrittenFields {
  asked: Fields;
  answered: Fields;
  shown: Fields;
}

/** Undefined if the request, the response or the read has no fields. */
export function seenIn(writing: Exchange, reading: Exchange): WrittenFields | undefined {
  const sent = formFields(writing) ?? fieldsOf(writing.requestBody);
  const shown = sent && shownFields(reading, sent);
  if (!sent || !shown) return undefined;
  return { asked: unwrapped(sent, shown), answered: shownFields(writing, shown) ?? {}, shown };
}

export function isFields(value: Json | undefined): value is Fields {
  return isObject(value);
}

/** Names of id fields: `id`, `bookId`, `order_id`, `sku`, `code`. */
const ID =
  /^(?:.*[a-z](?:Id|ID|Key|Code|Number)|.*(?:^|[_-])(?:id|uuid|guid|key|code|number)|isbn|sku|slug|sid)$/;

/** Whether an object has an id: events and prices have none, and two of them may be alike. */
export function hasId(value: Json | undefined): value is Fields {
  return isFields(value) && Object.keys(value).some((name) => ID.test(name));
}

/**
 * Whether two values mean the same: a service may trim texts, write times in another zone, or numbers in another form. A form has
 * texts in place of numbers and booleans.
 */
export function isSame(left: Json | undefined, right: Json | undefined): boolean {
  if (sameJson(left, right)) return true;
  if (typeof left === 'string' && typeof right === 'string') {
    if (plain(left) === plain(right)) return true;
    const instant = instantOf(left);
    return instant !== undefined && instant === instantOf(right);
  }
  if (typeof left === 'boolean' || typeof right === 'boolean') return String(left) === String(right);
  const [leftInteger, rightInteger] = [integerOf(left), integerOf(right)];
  if (leftInteger !== undefined && rightInteger !== undefined) return leftInteger === rightInteger;
  return isScalar(left) && isScalar(right) && Number(left) === Number(right);
}

/** The exact integer of a number or a text: a double cannot tell integers beyond 2^53 apart. */
function integerOf(value: Json | undefined): bigint | undefined {
  if (typeof value === 'bigint') return value;
  if (typeof value === 'number') return Number.isInteger(value) ? BigInt(value) : undefined;
  return typeof value === 'string' && /^\s*-?\d{1,40}\s*$/.test(value) ? BigInt(value) : undefined;
}

function isScalar(value: Json | undefined): boolean {
  return (typeof value === 'string' && value.trim() !== '') || ['number', 'bigint'].includes(typeof value);
}

function plain(text: string): string {
  return text.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toLowerCase();
}

function instantOf(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}/.test(text)) return undefined;
  const time = Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

/** Names of the fields that both records have. */
export function common(left: Fields, right: Fields): string[] {
  return Object.keys(left).filter((name) => Object.hasOwn(right, name));
}

/** Texts, or lists of texts, by their names. */
type FormFields = { [name: string]: Json };

/** The fields of a form, as texts or lists of texts; undefined if a request sends none. Files are left out. */
export function formFields({
  requestHeaders,
  requestBody = '',
}: Pick<Exchange, 'requestHeaders' | 'requestBody'>): FormFields | undefined {
  const type = headerValue(requestHeaders, 'Content-Type') ?? '';
  if (/^application\/x-www-form-urlencoded\b/i.test(type))
    return collected([...new URLSearchParams(requestBody)]);
  return /^multipart\/form-data\b/i.test(type) ? collected(partsOf(requestBody)) : undefined;
}

/** The parts of a form that are plain texts (RFC 7578). The first line is the boundary. */
function partsOf(text: string): [name: string, value: string][] {
  const [boundary = ''] = text.split('\r\n', 1);
  return text.split(`${boundary}\r\n`).flatMap((part): [string, string][] => {
    const [, head = '', value = ''] = /^(.*?)\r\n\r\n(.*?)\r\n(?:--|$)/s.exec(part) ?? [];
    const [, name] = /^Content-Disposition: form-data; name="([^"]*)"$/i.exec(head) ?? [];
    return name === undefined ? [] : [[name, value]];
  });
}

/** A repeated name becomes a list. Services write nested values differently, so these are left out. */
function collected(pairs: readonly (readonly [name: string, value: string])[]): FormFields {
  const plain = pairs.filter(([name]) => !/[[\].]/.test(name));
  const fields = new Map<string, Json>();
  for (const [name, value] of plain) {
    const earlier = fields.get(name);
    const before = earlier === undefined ? [] : Array.isArray(earlier) ? earlier : [earlier];
    fields.set(name, earlier === undefined ? value : [...before, value]);
  }
  return Object.fromEntries(fields);
}
