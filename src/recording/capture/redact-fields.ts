import { createHmac } from 'node:crypto';
import { shapedBodies } from '../../contract/requirements.ts';
import { isObject } from '../../contract/schema.ts';
import type { Contract, Schema } from '../../model/contract.ts';
import type { HeaderLine } from '../../model/exchange.ts';
import { parseJson, segmentsOf, stringifyJson } from '../../model/json.ts';
import { UsageError } from '../../model/usage-error.ts';
import type { Recorded } from '../recorded.ts';

/**
 * Replaces the values of fields that the user names: of headers, of parameters, and of fields of JSON bodies at any depth.
 * Equal values are replaced by equal ones, so that what was added is still what is fetched.
 */
export function fieldRedactor(
  fields: readonly string[],
  secret: Buffer,
): <T extends Pick<Recorded, 'url' | 'requestHeaders' | 'requestBody' | 'response'>>(recorded: T) => T {
  if (fields.length === 0) return (recorded) => recorded;
  const names = new Set(fields.map((each) => each.toLowerCase()));
  const replaced = valueReplacer(secret);
  const without = (value: unknown): unknown =>
    mapped(value, without, (name) => (names.has(name.toLowerCase()) ? replaced : without));
  const body = (text: string): string => {
    const lower = unescaped(text).toLowerCase();
    if (![...names].some((name) => lower.includes(`"${name}"`))) return text;
    const parsed = parseJson(text);
    return parsed.ok ? stringifyJson(without(parsed.value)) : '[redacted: the body is not JSON]';
  };
  const lines = (all: readonly HeaderLine[]) =>
    all.map(([name, value]): HeaderLine => [name, names.has(name.toLowerCase()) ? '[redacted]' : value]);
  const address = (text: string): string => {
    const url = new URL(text);
    const own = [...url.searchParams.keys()].filter((name) => names.has(name.toLowerCase()));
    for (const name of own) url.searchParams.set(name, '[redacted]');
    return own.length === 0 ? text : url.href;
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

/** A text of JSON with the characters that it escapes: `gr\u00f6\u00dfe` is the name of a member as well. */
function unescaped(text: string): string {
  return text.replace(/\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g, (sequence) => String(JSON.parse(`"${sequence}"`)));
}

/** Replaces every text and number of a value; equal ones by equal ones. */
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
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, member(name)(each)]));
}

/**
 * Checks the names of fields that the user wants to be replaced.
 * @throws UsageError for a field whose value is in paths, which stay as they are, or is restricted by the interface: without it
 * nothing could be judged
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
  const lower = new Set(kept.map((each) => each.toLowerCase()));
  const wrong = names.find((each) => lower.has(each.toLowerCase()));
  if (wrong !== undefined) throw new UsageError(`--redact: ${wrong} cannot be hidden, as ${why}`);
}

/** The names of path parameters, and of the fields in which their values come, such as `id`. */
function namesInPaths(operations: Contract['operations']): string[] {
  return operations.flatMap(({ parameters, responses }) => [
    ...parameters.filter((each) => each.in === 'path').map(({ name }) => name),
    // A field is replaced with all that is in it.
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

/** The keywords that a text or a number in place of a value could violate. */
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

/** The formats that every number in place of another has. */
const WIDE = ['int64', 'float', 'double'];

/** Whether a text or a number that replaces a value could violate its schema. */
function isRestricted(schema: Schema): boolean {
  const { format } = schema;
  const isNarrow = format !== undefined && !WIDE.includes(format);
  return isNarrow || RESTRICTING.some((keyword) => schema[keyword] !== undefined);
}
