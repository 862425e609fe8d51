import type { RequestBody, Schema } from '../../model/contract.ts';
import { type Json, stringifyJson } from '../../model/json.ts';

/** A body as it is sent, and its media type with what belongs to it. */
export interface WrittenBody {
  text: string;
  mediaType: string;
}

/** No value that petspec generates has it. */
const BOUNDARY = 'petspec-boundary-7d1c4a52';

/** Writes a value in a media type other than JSON: a form, a form with files, or a text; undefined for JSON and what petspec cannot write. */
export function writeBody(value: unknown, { mediaType, schema }: RequestBody): WrittenBody | undefined {
  if (typeof value === 'string' && /^text\/(?!json)/.test(mediaType)) return { text: value, mediaType };
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const fields = Object.entries(value).flatMap(([name, each]) =>
    (Array.isArray(each) ? each : [each]).map((one) => [name, one] as const),
  );
  if (mediaType === 'application/x-www-form-urlencoded') {
    const pairs = fields.map(([name, each]): [string, string] => [name, textOf(each)]);
    return { text: new URLSearchParams(pairs).toString(), mediaType };
  }
  if (mediaType !== 'multipart/form-data') return undefined;
  const parts = fields.map(([name, each]) => partOf(name, each, schema.properties?.[name]));
  const text = `${parts.map((part) => `--${BOUNDARY}\r\n${part}\r\n`).join('')}--${BOUNDARY}--\r\n`;
  return { text, mediaType: `${mediaType}; boundary=${BOUNDARY}` };
}

function textOf(value: unknown): string {
  return typeof value === 'object' ? stringifyJson(value as Json) : String(value);
}

/** A part of a form (RFC 7578): a file where the schema says binary, JSON for an object. */
function partOf(name: string, value: unknown, schema: Schema = {}): string {
  const quoted = name.replaceAll('"', '%22').replaceAll(/[\r\n]/g, ' ');
  const isFile = schema['x-binary'] === true || schema.items?.['x-binary'] === true;
  const file = isFile ? `; filename="${quoted}.txt"\r\nContent-Type: text/plain` : '';
  const json = typeof value === 'object' ? '\r\nContent-Type: application/json' : '';
  return `Content-Disposition: form-data; name="${quoted}"${file}${json}\r\n\r\n${textOf(value)}`;
}
