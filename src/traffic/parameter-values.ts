import { alternativesOf } from '../contract/schema.ts';
import { isFitting } from '../contract/validation/parameter-bounds.ts';
import type { Parameter, Schema } from '../model/contract.ts';
import { type HeaderLine, headerValues } from '../model/exchange.ts';
import { type Json, parseJson } from '../model/json.ts';

/** Where the parameters of a request are. */
export interface ParameterSources {
  /** By name, decoded. */
  path: Readonly<Record<string, string>>;
  query: URLSearchParams;
  headers: readonly HeaderLine[];
}

/** A value of a parameter, and the text that it was read from. */
export interface ParameterValue {
  text: string;
  value: Json;
}

/**
 * The values of a parameter in a request, by its style; several if a parameter that is no list is repeated. Undefined if they
 * are unknown: redacted secrets, and cookies, which recorders leave out.
 */
export function valuesOf(parameter: Parameter, sent: ParameterSources): ParameterValue[] | undefined {
  const texts = textsOf(parameter, sent);
  if (texts === undefined || texts.some((text) => HIDDEN.test(text))) return undefined;
  if (parameter.isJson) return texts.map((text) => ({ text, value: jsonOf(text) }));
  const { schema } = parameter;
  if (isType(schema, 'object')) return objectOf(parameter, sent, texts);
  if (!isType(schema, 'array')) return texts.map((text) => ({ text, value: readText(schema, text) }));
  if (texts.length === 0) return [];
  const entries = isExploded(parameter) ? texts : texts.flatMap((text) => text.split(separatorOf(parameter)));
  const value = entries.map((entry) => readText(schema.items ?? {}, entry));
  return [{ text: texts.join(','), value }];
}

/** The placeholders for secrets and for what `--redact` names. */
const HIDDEN = /\[(?:hidden|key|redacted)\]|\$\{?PETSPEC_(?:API|SECOND)_KEY/;

function isType(schema: Schema, type: string): boolean {
  return schema.type === type || schema['x-types']?.includes(type) === true;
}

function textsOf(parameter: Parameter, { path, query, headers }: ParameterSources): string[] | undefined {
  const { in: place, name } = parameter;
  if (place === 'path') return inPath(parameter, path[name] ?? '');
  if (place === 'query') return query.getAll(name);
  return place === 'header' ? headerValues(headers, name) : undefined;
}

/** The text of a path parameter without what its style puts before it (RFC 6570): `;id=7` and `.7` are 7. */
function inPath({ name, schema, style, explode }: Parameter, text: string): string[] | undefined {
  const prefix = { matrix: `;${name}=`, label: '.' }[style ?? ''] ?? '';
  // Each part of an exploded list has its own prefix.
  if (prefix !== '' && explode && (isType(schema, 'array') || isType(schema, 'object'))) return undefined;
  return [text.startsWith(prefix) ? text.slice(prefix.length) : text];
}

function isExploded({ in: place, style = 'form', explode = style === 'form' }: Parameter): boolean {
  return place === 'query' && explode;
}

const SEPARATORS: Readonly<Record<string, string>> = { spaceDelimited: ' ', pipeDelimited: '|' };

function separatorOf({ style = '' }: Parameter): string {
  return SEPARATORS[style] ?? ',';
}

/**
 * An object in a query, in the style that libraries of browsers write most: `filter[name]=value`. Other styles are not read; if
 * each field is a parameter, nothing shows whether the object is there.
 */
function objectOf(
  parameter: Parameter,
  { query }: ParameterSources,
  texts: readonly string[],
): ParameterValue[] | undefined {
  const { style = 'form' } = parameter;
  if (style === 'form' && isExploded(parameter)) return undefined;
  if (parameter.in !== 'query' || style !== 'deepObject') return texts.length > 0 ? undefined : [];
  const fields = [...query].flatMap(([name, text]) => {
    const field = name.startsWith(`${parameter.name}[`) && name.endsWith(']');
    return field ? [[name.slice(parameter.name.length + 1, -1), text] as const] : [];
  });
  if (fields.length === 0) return [];
  const value = fields.map(
    ([name, text]) => [name, readText(parameter.schema.properties?.[name] ?? {}, text)] as const,
  );
  return [{ text: fields.map((field) => field.join('=')).join('&'), value: Object.fromEntries(value) }];
}

function jsonOf(text: string): Json {
  const parsed = parseJson(text);
  return parsed.ok ? parsed.value : text;
}

/** The value of a parameter text: a number if the schema wants one and the text is one. */
export function readText(schema: Schema, text: string): Json {
  const { type } = schema;
  const isNumber = type === 'integer' ? /^-?\d+(?:\.0+)?$/.test(text) : /^-?\d+(?:\.\d+)?$/.test(text);
  if ((type === 'integer' || type === 'number') && isNumber) {
    const digits = type === 'integer' ? text.replace(/\..*/, '') : text;
    const value = Number(digits);
    if (type === 'number' || Number.isSafeInteger(value)) return value;
    // Far beyond every format: BigInt is slow for a million digits.
    return digits.length > 40 ? value : BigInt(digits);
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  if (type !== undefined) return text;
  const readings = alternativesOf(schema).map((alternative) => readText(alternative, text));
  return readings.find((reading) => isFitting(schema, reading)) ?? text;
}
