import { isSequential, sequenceOf } from '../contract/openapi/sequences.ts';
import { isFitting } from '../contract/validation/parameter-bounds.ts';
import type {
  Contract,
  Header as DocumentedHeader,
  DocumentedResponse,
  Operation,
  Schema,
} from '../model/contract.ts';
import { isJson } from '../model/http/media-type.ts';
import { type Json, stringifyJson } from '../model/json.ts';
import { DAY_S } from '../model/limits/rate-plan.ts';
import type { Answer, HeaderField } from '../reference/http/answer.ts';
import { readJson } from '../reference/http/json.ts';
import type { LimiterVerdict } from '../reference/limiter/verdict.ts';
import { isThing, madeValue } from './values.ts';

/** The response that the document lists for a status: under the status, its class, or `default`. */
export function documentedFor(
  operation: Operation | undefined,
  status: number,
): DocumentedResponse | undefined {
  const names = [String(status), `${String(status)[0]}XX`, 'DEFAULT'];
  return names
    .map((name) => operation?.responses.find((response) => response.status === name))
    .find((response) => response !== undefined);
}

/** The first of these statuses that the document lists for an operation; the first that it covers, if it lists none. */
export function statusFor(
  operation: Operation | undefined,
  ...wanted: readonly [number, ...number[]]
): number {
  const isListed = (status: number) =>
    operation?.responses.some((response) => response.status === String(status)) === true;
  return wanted.find(isListed) ?? wanted.find((status) => documentedFor(operation, status)) ?? wanted[0];
}

/** The success of an operation: the first of these that the document lists, or any success or redirection that it lists. */
export function successFor({ responses }: Operation, ...wanted: readonly [number, ...number[]]): number {
  const listed = new Set(responses.map(({ status }) => status));
  const preferred = wanted.find((status) => listed.has(String(status)));
  if (preferred !== undefined) return preferred;
  const fallback = [/^2\d\d$/, /^3\d\d$/].flatMap(
    (kind) => [...listed].find((status) => kind.test(status)) ?? [],
  )[0];
  return fallback === undefined ? wanted[0] : Number(fallback);
}

/** An answer as the document describes it. @param fill puts what the server knows into an example of the schema */
export function answerOf(
  operation: Operation | undefined,
  status: number,
  fill: (example: Json, schema: Schema) => Json,
  headers: readonly HeaderField[] = [],
): Answer {
  const documented = documentedFor(operation, status);
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const required = (documented?.headers ?? [])
    .filter(
      ({ name, required: isRequired }) => isRequired && !given.has(name.toLowerCase()) && !isOfLimit(name),
    )
    .map((header): HeaderField => [header.name, headerValue(header)]);
  const fields = [...headers, ...required];
  const { mediaType, schema } = documented ?? {};
  if (mediaType === undefined || status === 204 || status === 304)
    return { status, headers: fields, body: undefined };
  const type: HeaderField = ['Content-Type', mediaType.includes('*') ? 'application/json' : mediaType];
  const isSequence = schema !== undefined && isSequential(type[1]);
  if (!isJson(type[1]) && !isSequence) return { status, headers: [type, ...fields], body: 'petspec' };
  const value = fill(madeValue(schema ?? {}), schema ?? {});
  if (isSequence && Array.isArray(value))
    return { status, headers: [type, ...fields], body: sequenceOf(type[1], value) };
  const text = stringifyJson(value);
  return {
    status,
    headers: [type, ...fields],
    body: isThing(value) || Array.isArray(value) ? readJson(text) : text,
  };
}

/** Whether a header states a rate limit: every answer has these, listed or not. */
export function isOfLimit(name: string): boolean {
  return /^(?:x-)?rate-?limit/i.test(name);
}

function headerValue({ name, schema }: DocumentedHeader): string {
  if (/^etag$/i.test(name)) return '"petspec"';
  const value = madeValue(schema);
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** An error with its status and its message in the fields that usually have them, as far as their schemas allow it. */
function errorIn(status: number, message: string): (example: Json, schema: Schema) => Json {
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

/** A refusal as the document describes it, or with a message alone if it describes none. */
export function refusal(
  operation: Operation | undefined,
  status: number,
  message: string,
  headers: readonly HeaderField[] = [],
): Answer {
  const answer = answerOf(operation, status, errorIn(status, message), headers);
  if (
    operation?.responses.some((response) => response.status === String(status)) ||
    answer.body !== undefined
  )
    return answer;
  const type: HeaderField = ['Content-Type', 'application/json'];
  return { status, headers: [type, ...answer.headers], body: { message } };
}

/** How responses state the limit: in X- headers, in those of older drafts, in the header of the latest draft, or not. */
export const DIALECTS = ['x-ratelimit', 'ratelimit-fields', 'ratelimit', 'none'] as const;
export type RateLimitDialect = (typeof DIALECTS)[number];

/** The dialect of the headers that the document lists; `none` if it lists none. */
export function dialectOf({ operations }: Pick<Contract, 'operations'>): RateLimitDialect {
  const names = operations
    .flatMap(({ responses }) =>
      responses.flatMap(({ headers }) => headers.map(({ name }) => name.toLowerCase())),
    )
    .filter(isOfLimit);
  if (names.some((name) => name.startsWith('x-'))) return 'x-ratelimit';
  if (names.includes('ratelimit')) return 'ratelimit';
  return names.length > 0 ? 'ratelimit-fields' : 'none';
}

/** The headers of a limit. @param minute length of its shorter window in ms @param now ms since the epoch */
export function limitHeaders(
  dialect: RateLimitDialect,
  { limit, remaining, resetAt, isOfDay }: LimiterVerdict,
  now: number,
  minute: number,
): HeaderField[] {
  const seconds = Math.max(0, Math.ceil((resetAt - now) / 1000));
  switch (dialect) {
    case 'x-ratelimit':
      return [
        ['X-RateLimit-Limit', String(limit)],
        ['X-RateLimit-Remaining', String(remaining)],
        ['X-RateLimit-Reset', String(Math.ceil(resetAt / 1000))],
      ];
    case 'ratelimit-fields':
      return [
        ['RateLimit-Limit', String(limit)],
        ['RateLimit-Remaining', String(remaining)],
        ['RateLimit-Reset', String(seconds)],
      ];
    case 'ratelimit':
      return [
        ['RateLimit', `"default";r=${remaining};t=${seconds}`],
        ['RateLimit-Policy', `"default";q=${limit};w=${isOfDay ? DAY_S : Math.ceil(minute / 1000)}`],
      ];
    case 'none':
      return [];
  }
}
