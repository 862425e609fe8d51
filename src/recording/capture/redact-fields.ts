import { createHmac } from 'node:crypto';
import { shapedBodies } from '../../contract/requirements.ts';
import { isObject } from '../../contract/schema.ts';
import type { Contract, Schema } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import { parseJson, segmentsOf, stringifyJson } from '../../model/json.ts';
import { UsageError } from '../../model/usage-error.ts';
import type { Recorded } from '../recorded.ts';

/**
 * Replaces the values of fields that the user names: headers, parameters, and fields of JSON bodies at any depth. Equal values
 * get equal replacements, so that what was created still equals what is read.
 */
export function fieldRedactor(
  fields: readonly string[],
  secret: Buffer,
): <T extends Pick<Recorded, 'url' | 'requestHeaders' | 'requestBody' | 'response'>>(recorded: T) => T {
  if (fields.length === 0) return (recorded) => recorded;
  const names = new Set(fields.map((field) => field.toLowerCase()));
  const replaced = valueReplacer(secret);
  const without = (value: unknown): unknown =>
    mapped(value, without, (name) => (names.has(name.toLowerCase()) ? replaced : without));
  const body = (text: string): string => {
    const lower = unescaped(text).toLowerCase();
    if (![...names].some((name) => lower.includes(`"${name}"`))) return text;
    const parsed = parseJson(text);
    return parsed.ok ? stringifyJson(without(parsed.value)) : '[redacted: the body is not JSON]';
  };
  const lines = (headers: readonly HeaderLine[]) =>
    headers.map(([name, value]): HeaderLine => [name, names.has(name.toLowerCase()) ? '[redacted]' : value]);
  const address = (text: string): string => {
    const url = new URL(text);
    const named = [...url.searchParams.keys()].filter((name) => names.has(name.toLowerCase()));
    for (const name of named) url.searchParams.set(name, '[redacted]');
    return named.length === 0 ? text : url.href;
  };
  return (recorded) => {
    const { requestBody, response } = recorded;
    return {
      ...recorded,
      url: address(recorded.url),
      requestHeaders: lines(recorded.requestHeaders),
      requestBody: requestBody && body(requestBody),
      response: response
        ? { ...response, headers: lines(response.headers), body: body(response.body) }
        : undefined,
    };
  };
}

/** A JSON text with its escapes decoded: `gr\u00f6\u00dfe` is the name of a member as well. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g, (sequence) => String(JSON.parse(`"${sequence}"`)));
}

/** Replaces every text and number of a value; equal ones get equal replacements. */
function valueReplacer(secret: Buffer): (value: unknown) => unknown {
  const digest = (text: string) => createHmac('sha256', secret).update(text).digest();
  return function replaced(value): unknown {
    if (typeof value === 'string') return `redacted-${digest(value).toString('hex', 0, 4)}`;
    if (typeof value === 'number' || typeof value === 'bigint') return digest(String(value)).readUIntBE(0, 6);
    return mapped(value, replaced, () => replaced);
  };
}

/** Maps the entries of an array and the members of an object. */
function mapped(
  value: unknown,
  entry: (value: unknown) => unknown,
  member: (name: string) => (value: unknown) => unknown,
): unknown {
  if (Array.isArray(value)) return value.map(entry);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, memberValue]) => [name, member(name)(memberValue)]),
  );
}

/**
 * Checks the names of fields that the user wants to be replaced.
 * @throws UsageError for a field whose values are in paths, which stay, or that the interface restricts: nothing could be
 * judged without them
 */
export function redactableFields(
  { operations }: Pick<Contract, 'operations'>,
  names: readonly string[],
): void {
  refuse(names, namesInPaths(operations), 'paths contain its values');
  const restricted = new Set(
    operations.flatMap(({ parameters, body, responses }) => [
      ...parameters.filter(({ schema }) => isRestricted(schema)).map(({ name }) => name),
      ...restrictedIn(body?.schema),
      ...responses.flatMap((response) => [
        ...response.headers.map(({ name }) => name),
        ...shapedBodies(response).flatMap(({ schema }) => restrictedIn(schema)),
      ]),
    ]),
  );
  refuse(names, [...restricted, 'content-type', 'date'], 'the interface restricts its values');
}

/** @throws UsageError if one of the names is among those that cannot be hidden */
function refuse(names: readonly string[], kept: readonly string[], why: string): void {
  const lower = new Set(kept.map((name) => name.toLowerCase()));
  const wrong = names.find((name) => lower.has(name.toLowerCase()));
  if (wrong !== undefined) throw new UsageError(`--redact: ${wrong} cannot be hidden, as ${why}`);
}

/** The names of path parameters, and of the fields that have their values, such as `id`. */
function namesInPaths(operations: Contract['operations']): string[] {
  return operations.flatMap(({ parameters, responses }) => [
    ...parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name),
    // Replacing a field also replaces the fields inside it.
    ...responses.flatMap(({ links }) => links.flatMap(({ pointer }) => segmentsOf(pointer))),
  ]);
}

/** The names of restricted fields, at any depth. */
function restrictedIn(schema: Schema | undefined, seen = new Set<Schema>()): string[] {
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  const { properties = {}, items } = schema;
  return [
    ...Object.entries(properties).flatMap(([name, field]) => [
      ...(isRestricted(field) ? [name] : []),
      ...restrictedIn(field, seen),
    ]),
    ...restrictedIn(items, seen),
  ];
}

/** Keywords that a replacement could violate. */
const RESTRICTING = [
  'enum',
  'const',
  'x-equals',
  'pattern',
  'minLength',
  'maxLength',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
];

/** Formats that every replacement of a number has. */
const WIDE = ['int64', 'float', 'double'];

/** Whether a replacement could violate the schema of a value. */
function isRestricted(schema: Schema): boolean {
  const { format } = schema;
  const isNarrow = format !== undefined && !WIDE.includes(format);
  return isNarrow || RESTRICTING.some((keyword) => schema[keyword] !== undefined);
}
