import type { Schema } from '../model/contract.ts';
import { type Json, stringifyJson } from '../model/json.ts';

/** A schema in words, for requirements and findings. */
export function describe(schema: Schema): string {
  if (schema['x-nullable']) return `${describe({ ...schema, 'x-nullable': false })} or null`;
  const alternatives = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(alternatives))
    return [...new Set((alternatives as Schema[]).map(nameOrDescribe))].join(' or ');
  if (schema['x-circular']) return article(schema['x-component'] ?? 'value');
  const [only, ...further] = (schema.allOf ?? []) as Schema[];
  if (only && further.length === 0 && schema.type === undefined) return nameOrDescribe(only);
  if (schema.enum) return `one of ${schema.enum.map(memberInWords).join(', ')}`;
  const bounds = [
    schema.minimum === undefined ? '' : `of at least ${schema.minimum}`,
    schema.exclusiveMinimum === undefined ? '' : `greater than ${schema.exclusiveMinimum}`,
    schema.maximum === undefined ? '' : `of at most ${schema.maximum}`,
    schema.exclusiveMaximum === undefined ? '' : `less than ${schema.exclusiveMaximum}`,
    schema.multipleOf === undefined ? '' : `in multiples of ${schema.multipleOf}`,
    schema.minLength === undefined ? '' : `of at least ${characters(schema.minLength)}`,
    schema.maxLength === undefined ? '' : `of at most ${characters(schema.maxLength)}`,
  ].filter((bound) => bound !== '');
  const format = schema.format ? ` (${schema.format})` : '';
  const types = schema['x-types'] ?? [schema.type ?? 'value'];
  return `${types.map(article).join(' or ')}${format}${bounds.length === 0 ? '' : ` ${bounds.join(' and ')}`}`;
}

/** A schema in words, with its required fields. */
export function shapeOf(schema: Schema): string {
  if (schema.items) return `an array of ${schema.items['x-component'] ?? describe(schema.items)}`;
  const fields = Object.keys(schema.properties ?? {});
  return fields.length > 0 ? `an object with ${(schema.required ?? fields).join(', ')}` : describe(schema);
}

function memberInWords(member: unknown): string {
  return typeof member === 'object' ? stringifyJson(member as Json) : String(member);
}

/** A schema among alternatives: its name says more than its type. */
export function nameOrDescribe(schema: Schema): string {
  const name = schema['x-component'];
  return name === undefined ? describe(schema) : article(name);
}

function characters(number: number): string {
  return number === 1 ? '1 character' : `${number} characters`;
}

export function article(noun: string): string {
  if (noun === 'null') return noun;
  return `${/^(?:[aeio]|u(?!ser|ni|uid|ri|rl|sa))/i.test(noun) ? 'an' : 'a'} ${noun}`;
}

export function sentence(words: string): string {
  return words.endsWith('.') ? words : `${words}.`;
}
