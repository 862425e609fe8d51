import { isObject } from '../contract/schema.ts';
import type { Parameter } from '../model/contract.ts';
import { isEncodable, percentEncoded } from '../model/http/percent-encoding.ts';
import { stringifyJson } from '../model/json.ts';
import type { Late } from '../model/probe.ts';

type Pairs = [name: string, value: string][];

/**
 * A value of a query parameter or a cookie as names and values (OpenAPI `style`, `explode`); undefined if petspec cannot
 * write it.
 */
export function inQuery(parameter: Parameter, value: unknown): Pairs | undefined {
  const { name, style = 'form', explode = style === 'form' } = parameter;
  if (parameter.isJson) return value === undefined ? undefined : [[name, stringifyJson(value)]];
  if (isObject(value)) {
    const fields = fieldsOf(value);
    if (!fields) return undefined;
    if (style === 'deepObject') return fields.map(([field, text]) => [`${name}[${field}]`, text]);
    if (explode) return fields;
    return areApart(value, ',') ? [[name, fields.flat().join(',')]] : undefined;
  }
  if (Array.isArray(value)) {
    const texts = textsOf(value);
    if (!texts) return undefined;
    if (explode) return texts.map((text) => [name, text]);
    const separator = SEPARATORS[style];
    return separator !== undefined && areApart(value, separator)
      ? [[name, texts.join(separator)]]
      : undefined;
  }
  const text = scalar(value);
  return text === undefined ? undefined : [[name, text]];
}

const SEPARATORS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** A value of a path parameter, as a probe has it; undefined if petspec cannot write it. */
export function pathValueOf(parameter: Parameter, value: unknown): string | Late | undefined {
  if (inPath(parameter, value) === undefined) return undefined;
  return (parameter.isJson ? undefined : scalar(value)) ?? { late: 'stated', value };
}

/** A value of a path parameter as the text between two slashes; undefined if petspec cannot write it. */
export function inPath(parameter: Parameter, value: unknown): string | undefined {
  if (parameter.isJson) return value === undefined ? undefined : percentEncoded(stringifyJson(value));
  return styled(parameter, value, percentEncoded);
}

/**
 * A value in one of the styles of a path (RFC 6570): the delimiters stay as they are.
 * @param encode writes a name or a value
 */
function styled(
  { name, style = 'simple', explode = false }: Parameter,
  value: unknown,
  encode: (text: string) => string,
): string | undefined {
  const fields = isObject(value) ? fieldsOf(value) : undefined;
  const texts = fields
    ? fields.map((field) => field.map(encode).join(explode ? '=' : ','))
    : textsOf(Array.isArray(value) ? value : [value])?.map(encode);
  if (!texts || texts.length === 0) return undefined;
  if (style === 'label') return `.${texts.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return texts.join(',');
  if (!explode) return `;${encode(name)}=${texts.join(',')}`;
  return texts.map((text) => (fields ? `;${text}` : `;${encode(name)}=${text}`)).join('');
}

/** A value of a header; undefined if no header can hold it. */
export function inHeader(parameter: Parameter, value: unknown): Pairs | undefined {
  const text = textInHeader(parameter, value);
  const isPossible = text !== undefined && /^[\t\x20-\x7e]*$/.test(text) && text.trim() === text;
  return isPossible ? [[parameter.name, text]] : undefined;
}

function textInHeader(parameter: Parameter, value: unknown): string | undefined {
  if (parameter.isJson) return value === undefined ? undefined : stringifyJson(value);
  return areApart(value, ',') ? styled({ ...parameter, style: 'simple' }, value, String) : undefined;
}

/** Whether no name or value of a list or an object contains the delimiter, which is not encoded. */
function areApart(value: unknown, delimiter: string): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value)
    .flatMap(([name, member]) => (Array.isArray(value) ? [member] : [name, member]))
    .every((text) => !String(text).includes(delimiter));
}

/** A value of a cookie parameter; undefined if no cookie can hold it. */
export function inCookie(parameter: Parameter, value: unknown): Pairs | undefined {
  const pairs = inQuery(parameter, value);
  return pairs?.every(([, text]) => /^[\x21\x23-\x3a\x3c-\x5b\x5d-\x7e]*$/.test(text)) ? pairs : undefined;
}

function fieldsOf(value: Record<string, unknown>): Pairs | undefined {
  const texts = textsOf(Object.values(value));
  return texts && Object.keys(value).map((name, index) => [name, texts[index] ?? '']);
}

function textsOf(values: readonly unknown[]): string[] | undefined {
  const texts = values.map(scalar);
  return texts.every((text) => text !== undefined) ? texts : undefined;
}

function scalar(value: unknown): string | undefined {
  if (typeof value === 'string') return isEncodable(value) ? value : undefined;
  return ['number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : undefined;
}
