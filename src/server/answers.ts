import { isSequential, sequenceOf } from '../contract/openapi/sequences.ts';
import { isFitting } from '../contract/validation/parameter-bounds.ts';
import type { Header as DocumentedHeader, DocumentedResponse, Operation, Schema } from '../model/contract.ts';
import { isJson } from '../model/http/media-type.ts';
import { type Json, stringifyJson } from '../model/json.ts';
import type { Answer, HeaderField } from '../reference/http/answer.ts';
import { readJson } from '../reference/http/json.ts';
import { isThing, madeValue } from './values.ts';

/** The response that the document lists for a status: of its own, of its class, or the default one. */
export function documentedFor(
  operation: Operation | undefined,
  status: number,
): DocumentedResponse | undefined {
  const names = [String(status), `${String(status)[0]}XX`, 'DEFAULT'];
  return names
    .map((name) => operation?.responses.find((each) => each.status === name))
    .find((each) => each !== undefined);
}

/** The first of these statuses that the document lists for an operation; the first one, if it lists none. */
export function statusFor(
  operation: Operation | undefined,
  ...wanted: readonly [number, ...number[]]
): number {
  const isListed = (status: number) =>
    operation?.responses.some((each) => each.status === String(status)) === true;
  return wanted.find(isListed) ?? wanted.find((each) => documentedFor(operation, each)) ?? wanted[0];
}

/** The success of an operation, the first of these that the document lists, or whichever success or redirection it lists. */
export function successFor({ responses }: Operation, ...wanted: readonly [number, ...number[]]): number {
  const listed = new Set(responses.map(({ status }) => status));
  const found = wanted.find((each) => listed.has(String(each)));
  if (found !== undefined) return found;
  const other = [/^2\d\d$/, /^3\d\d$/].flatMap(
    (kind) => [...listed].find((each) => kind.test(each)) ?? [],
  )[0];
  return other === undefined ? wanted[0] : Number(other);
}

/** An answer as the document describes it. @param fill puts what the server knows into an example of its schema */
export function answerOf(
  operation: Operation | undefined,
  status: number,
  fill: (example: Json, schema: Schema) => Json,
  headers: readonly HeaderField[] = [],
): Answer {
  const documented = documentedFor(operation, status);
  const own = new Set(headers.map(([name]) => name.toLowerCase()));
  const required = (documented?.headers ?? [])
    .filter(
      ({ name, required: isRequired }) => isRequired && !own.has(name.toLowerCase()) && !isOfLimit(name),
    )
    .map((each): HeaderField => [each.name, headerValue(each)]);
  const all = [...headers, ...required];
  const { mediaType, schema } = documented ?? {};
  if (mediaType === undefined || status === 204 || status === 304)
    return { status, headers: all, body: undefined };
  const type: HeaderField = ['Content-Type', mediaType.includes('*') ? 'application/json' : mediaType];
  const isSequence = schema !== undefined && isSequential(type[1]);
  if (!isJson(type[1]) && !isSequence) return { status, headers: [type, ...all], body: 'petspec' };
  const value = fill(madeValue(schema ?? {}), schema ?? {});
  if (isSequence && Array.isArray(value))
    return { status, headers: [type, ...all], body: sequenceOf(type[1], value) };
  const text = stringifyJson(value);
  return {
    status,
    headers: [type, ...all],
    body: isThing(value) || Array.isArray(value) ? readJson(text) : text,
  };
}

/** The headers of a limit are those of every answer. */
export function isOfLimit(name: string): boolean {
  return /^(?:x-)?rate-?limit/i.test(name);
}

function headerValue({ name, schema }: DocumentedHeader): string {
  if (/^etag$/i.test(name)) return '"petspec"';
  const value = madeValue(schema);
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** An error with its status and a message in the fields that usually have them, as far as their schemas allow it. */
export function errorIn(status: number, message: string): (example: Json, schema: Schema) => Json {
  return (example, schema) => {
    if (!isThing(example)) return isFitting(schema, { message }) ? { message } : example;
    const stated: Record<string, Json> = {
      status,
      statusCode: status,
      message,
      detail: message,
      title: message,
    };
    const fitting = Object.entries(stated).filter(([name, value]) => {
      const field = schema.properties?.[name];
      return field && isFitting(field, value);
    });
    return { ...example, ...Object.fromEntries(fitting) };
  };
}

/** A refusal as the document describes it, or with a message alone where it does not. */
export function refusal(
  operation: Operation | undefined,
  status: number,
  message: string,
  headers: readonly HeaderField[] = [],
): Answer {
  const answer = answerOf(operation, status, errorIn(status, message), headers);
  if (operation?.responses.some((each) => each.status === String(status)) || answer.body !== undefined)
    return answer;
  const type: HeaderField = ['Content-Type', 'application/json'];
  return { status, headers: [type, ...answer.headers], body: { message } };
}
