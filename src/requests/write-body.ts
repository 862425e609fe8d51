import type { FieldEncoding, Parameter, RequestBody, Schema } from '../model/contract.ts';
import { isJson } from '../model/http/media-type.ts';
import { type Json, stringifyJson } from '../model/json.ts';
import { OWN_LENGTH, type RequestVariation } from '../model/probe.ts';
import { inQuery } from './parameter-styles.ts';

/** A body as it is sent, and its media type with what belongs to it. */
export interface WrittenBody {
  text: string;
  mediaType: string;
}

/** No value that petspec generates contains it. */
const BOUNDARY = 'petspec-boundary-7d1c4a52';

/** Writes a value as a form, a form with files, or a text; undefined for JSON and for media types that petspec cannot write. */
export function writeBody(
  value: unknown,
  { mediaType, schema, encoding = {} }: RequestBody,
): WrittenBody | undefined {
  if (typeof value === 'string' && /^text\/(?!json)/.test(mediaType)) return { text: value, mediaType };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const encodingOf = (name: string) => (Object.hasOwn(encoding, name) ? encoding[name] : undefined) ?? {};
  if (mediaType === 'application/x-www-form-urlencoded') {
    const pairs = Object.entries(value).flatMap(([name, member]): [string, string][] => {
      const stated = encodingOf(name);
      if (stated.contentType !== undefined && isJson(stated.contentType)) return [[name, jsonOf(member)]];
      return fieldsOf(name, member, stated).map(([field, entry]) => [field, textOf(entry)]);
    });
    return { text: new URLSearchParams(pairs).toString(), mediaType };
  }
  if (mediaType !== 'multipart/form-data') return undefined;
  const parts = Object.entries(value).flatMap(([name, member]) => {
    const stated = encodingOf(name);
    return fieldsOf(name, member, stated).map(([field, entry]) =>
      partOf(field, entry, schema.properties?.[name], stated.contentType),
    );
  });
  const text = `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
  return { text, mediaType: `${mediaType}; boundary=${BOUNDARY}` };
}

/** The names and values of a field of a form: in the style that the document states, or a pair for each entry. */
function fieldsOf(
  name: string,
  value: unknown,
  { style, explode, contentType }: FieldEncoding,
): (readonly [name: string, value: unknown])[] {
  // The media type of a part takes precedence over a style (OpenAPI 3.1, Encoding Object).
  const isStyled = contentType === undefined && (style !== undefined || explode !== undefined);
  const stated = {
    ...(style === undefined ? {} : { style }),
    ...(explode === undefined ? {} : { explode }),
  };
  const parameter: Parameter = { name, in: 'query', required: true, schema: {} };
  const styled = isStyled ? inQuery({ ...parameter, ...stated }, value) : undefined;
  return styled ?? (Array.isArray(value) ? value : [value]).map((entry) => [name, entry] as const);
}

function jsonOf(value: unknown): string {
  return stringifyJson(value as Json);
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? jsonOf(value) : String(value);
}

/** A part of a form (RFC 7578): a file where the schema says binary, JSON for an object. */
function partOf(name: string, value: unknown, schema: Schema = {}, stated = ''): string {
  const quoted = name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, ' ');
  const isFile = schema['x-binary'] === true || schema.items?.['x-binary'] === true;
  const isObject = typeof value === 'object';
  const type = isObject ? 'application/json' : (statedType(stated) ?? (isFile ? 'text/plain' : undefined));
  const file = isFile ? `; filename="${quoted}.${extensionOf(type)}"` : '';
  const header = type === undefined ? '' : `\r\nContent-Type: ${type}`;
  const text = type !== undefined && isJson(type) && !isFile ? jsonOf(value) : textOf(value);
  return `Content-Disposition: form-data; name="${quoted}"${file}${header}\r\n\r\n${text}`;
}

/** The first media type that the document states for a part; for a range such as `image/*`, a type of the range. */
function statedType(contentType: string): string | undefined {
  const [first = ''] = contentType.split(',').map((type) => type.trim());
  // A line break would end the header.
  if (!/^[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+(?:;[ -~]*)?$/.test(first)) return undefined;
  const [kind = '', subtype = ''] = first.split('/');
  return /^\*(?:;|$)/.test(subtype) ? (OF_RANGE[kind] ?? 'application/octet-stream') : first;
}

const OF_RANGE: Readonly<Record<string, string>> = {
  image: 'image/png',
  text: 'text/plain',
  audio: 'audio/mpeg',
  video: 'video/mp4',
};

/** Some services look at the name of a file. */
function extensionOf(type: string | undefined): string {
  const subtype = type?.match(/^\w+\/([a-z\d]+)$/)?.[1];
  return subtype === undefined || subtype === 'plain' ? 'txt' : subtype;
}

/** White space around the tokens of JSON (RFC 8259 section 2). */
interface Space {
  around: readonly [before: string, after: string];
  opening: string;
  colon: string;
  comma: string;
  closing: string;
}

const COMPACT: Space = { around: ['', ''], opening: '', colon: ':', comma: ',', closing: '' };
const SPACES: Readonly<Record<'spaces' | 'lines', Space>> = {
  spaces: { around: [' ', ' '], opening: ' ', colon: ' : ', comma: ' , ', closing: ' ' },
  lines: { around: ['\n', '\r\n'], opening: '\r\n\t', colon: '\t:\n', comma: '\r\n\t,', closing: '\n' },
};

type Escapes = Extract<RequestVariation, { kind: 'json-escapes' }>['style'] | undefined;

interface JsonStyle {
  space: Space;
  escapes: Escapes;
  isReversed: boolean;
}

/** Writes JSON in another style with the same meaning. */
export function writeJson(value: unknown, variations: readonly RequestVariation[]): string {
  const space = variations.find((variation) => variation.kind === 'json-space')?.style;
  const style: JsonStyle = {
    space: space === undefined ? COMPACT : SPACES[space],
    escapes: variations.find((variation) => variation.kind === 'json-escapes')?.style,
    isReversed: variations.some(({ kind }) => kind === 'field-order'),
  };
  const [before, after] = style.space.around;
  return `${before}${written(value, style)}${after}`;
}

function written(value: unknown, style: JsonStyle): string {
  const { space, escapes, isReversed } = style;
  if (typeof value === 'string') return string(value, escapes === 'names' ? undefined : escapes);
  if (Array.isArray(value))
    return enclosed(
      '[',
      ']',
      value.map((entry) => written(entry, style)),
      space,
    );
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
    return stringifyJson(value);
  const members = Object.entries(value).map(
    ([name, member]) =>
      `${string(name, escapes === 'names' ? 'unicode' : undefined)}${space.colon}${written(member, style)}`,
  );
  return enclosed('{', '}', isReversed ? members.reverse() : members, space);
}

function enclosed(
  start: string,
  end: string,
  parts: readonly string[],
  { opening, comma, closing }: Space,
): string {
  return `${start}${opening}${parts.join(comma)}${closing}${end}`;
}

/** A string with needless escapes, except for its last characters, which make a text unique. */
function string(text: string, escapes: Escapes): string {
  if (escapes === undefined) return JSON.stringify(text);
  if (escapes === 'solidus') return JSON.stringify(text).replaceAll('/', '\\/');
  const end = text.length > OWN_LENGTH ? OWN_LENGTH : 0;
  const start = text.slice(0, text.length - end);
  const escaped = [...start].map((character, index) =>
    index === 0 || /[^\0-\x7f]/.test(character) ? inUnits(character) : JSON.stringify(character).slice(1, -1),
  );
  return `"${escaped.join('')}${JSON.stringify(text.slice(text.length - end)).slice(1, -1)}"`;
}

/** Escapes a character by its UTF-16 code units: two if it is beyond the basic plane. */
function inUnits(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const digits = character.charCodeAt(index).toString(16).padStart(4, '0');
    return `\\u${index === 0 ? digits : digits.toUpperCase()}`;
  }).join('');
}
