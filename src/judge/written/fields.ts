import { type Exchange, headerValue } from '../../model/exchange.ts';
import { type Json, parseJson, sameJson } from '../../model/json.ts';

/** The fields of a thing that a request sends or a response shows. */
export type Fields = { [name: string]: Json };

/** The fields of a JSON object. */
function fieldsOf(text: string | undefined): Fields | undefined {
  const parsed = parseJson(text ?? '');
  return parsed.ok && isFields(parsed.value) ? parsed.value : undefined;
}

/**
 * The fields of an object, or of the only object in it (`{ "data": { … } }`).
 * @param beside what it is compared with: if that has other fields as well, the only one is no wrapper
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

/** What a request that writes sent, what it got, and what a read shows later. */
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
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Fields that are called as ids are: `id`, `bookId`, `order_id`, `sku`, `code`. */
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
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (sameJson(one, other)) return true;
  if (typeof one === 'string' && typeof other === 'string') {
    if (plain(one) === plain(other)) return true;
    const [left, right] = [instantOf(one), instantOf(other)];
    return left !== undefined && left === right;
  }
  if (typeof one === 'boolean' || typeof other === 'boolean') return String(one) === String(other);
  const [first, second] = [integerOf(one), integerOf(other)];
  if (first !== undefined && second !== undefined) return first === second;
  const [left, right] = [one, other].map((each) => (isScalar(each) ? Number(each) : Number.NaN));
  return left === right;
}

/** The integer that a number or a text is, exactly: a double tells no integers beyond 2^53 apart. */
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
export function common(one: Fields, other: Fields): string[] {
  return Object.keys(one).filter((name) => Object.hasOwn(other, name));
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

/** A name that comes several times has a list. How nested values are written differs by service, so they are left out. */
function collected(pairs: readonly (readonly [name: string, value: string])[]): FormFields {
  const plain = pairs.filter(([name]) => !/[[\].]/.test(name));
  const fields = new Map<string, Json>();
  for (const [name, value] of plain) {
    const known = fields.get(name);
    const before = known === undefined ? [] : Array.isArray(known) ? known : [known];
    fields.set(name, known === undefined ? value : [...before, value]);
  }
  return Object.fromEntries(fields);
}
