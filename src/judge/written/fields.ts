import type { Exchange } from '../../model/exchange.ts';
import { type Json, parseJson, sameJson } from '../../model/json.ts';

/** The fields of a thing that a request sends or a response shows. */
export type Fields = { [name: string]: Json };

/** The fields of a body: of the object itself, or of the only object in it (`{ "data": { … } }`). */
export function fieldsIn(text: string | undefined): Fields | undefined {
  const parsed = parseJson(text ?? '');
  if (!parsed.ok || !isFields(parsed.value)) return undefined;
  const inner = Object.values(parsed.value);
  const [only] = inner;
  return inner.length === 1 && isFields(only) ? only : parsed.value;
}

export function sentFields({ requestBody }: Pick<Exchange, 'requestBody'>): Fields | undefined {
  return fieldsIn(requestBody);
}

export function shownFields({ response }: Pick<Exchange, 'response'>): Fields | undefined {
  return fieldsIn(response?.body);
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Whether two values mean the same: a service may trim texts, write times in another zone, or numbers in another form. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  if (sameJson(one, other)) return true;
  if (typeof one === 'string' && typeof other === 'string') {
    if (plain(one) === plain(other)) return true;
    const [left, right] = [instantOf(one), instantOf(other)];
    return left !== undefined && left === right;
  }
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

/** Names of the simple fields that both have. */
export function common(one: Fields, other: Fields): string[] {
  return Object.keys(one).filter(
    (name) =>
      Object.hasOwn(other, name) &&
      ![one[name], other[name]].some((each) => typeof each === 'object' && each !== null),
  );
}
