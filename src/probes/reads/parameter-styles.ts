import { isObject } from '../../contract/schema.ts';
import type { Parameter } from '../../model/contract.ts';

type Pairs = [name: string, value: string][];

/**
 * A value of a query parameter or a cookie as names and values (OpenAPI `style`, `explode`); undefined if petspec cannot
 * write it.
 */
export function inQuery(parameter: Parameter, value: unknown): Pairs | undefined {
  const { name, style = 'form', explode = style === 'form' } = parameter;
  if (parameter.isJson) return value === undefined ? undefined : [[name, JSON.stringify(value)]];
  if (isObject(value)) {
    const fields = fieldsOf(value);
    if (!fields) return undefined;
    if (style === 'deepObject') return fields.map(([field, text]) => [`${name}[${field}]`, text]);
    return explode ? fields : [[name, fields.flat().join(',')]];
  }
  if (Array.isArray(value)) {
    const texts = textsOf(value);
    if (!texts) return undefined;
    if (explode) return texts.map((each) => [name, each]);
    const separator = SEPARATORS[style];
    return separator === undefined ? undefined : [[name, texts.join(separator)]];
  }
  const text = scalar(value);
  return text === undefined ? undefined : [[name, text]];
}

const SEPARATORS: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' };

/** A value of a path parameter as the text between two slashes, before it is percent-encoded; undefined if petspec cannot write it. */
export function inPath(parameter: Parameter, value: unknown): string | undefined {
  const { name, style = 'simple', explode = false } = parameter;
  if (parameter.isJson) return value === undefined ? undefined : JSON.stringify(value);
  const fields = isObject(value) ? fieldsOf(value) : undefined;
  const texts = fields
    ? fields.map((each) => each.join(explode ? '=' : ','))
    : textsOf(Array.isArray(value) ? value : [value]);
  if (!texts || texts.length === 0) return undefined;
  if (style === 'label') return `.${texts.join(explode ? '.' : ',')}`;
  if (style !== 'matrix') return texts.join(',');
  if (!explode) return `;${name}=${texts.join(',')}`;
  return texts.map((each) => (fields ? `;${each}` : `;${name}=${each}`)).join('');
}

/** A value of a header; undefined if no header can hold it. */
export function inHeader(parameter: Parameter, value: unknown): Pairs | undefined {
  const text = inPath({ ...parameter, style: 'simple' }, value);
  const isPossible = text !== undefined && /^[\t\x20-\x7e]*$/.test(text) && text.trim() === text;
  return isPossible ? [[parameter.name, text]] : undefined;
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
  return texts.every((each) => each !== undefined) ? texts : undefined;
}

function scalar(value: unknown): string | undefined {
  return ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : undefined;
}
