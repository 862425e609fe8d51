import { isFitting } from '../contract/validation/parameter-bounds.ts';
import { schemaErrors } from '../contract/validation/schema-validator.ts';
import type { Contract, Operation, Parameter, RequestBody, Schema } from '../model/contract.ts';
import { hasRawByte } from '../model/json/raw-bytes.ts';
import { isRawNumber, type Json, parseJson, rawNumber, stringifyJson } from '../model/json.ts';
import { isLate, type Late, type Probe } from '../model/probe.ts';
import { OF_FORMAT } from '../requests/plain-values.ts';
import { queryParameters } from './probe.ts';

/**
 * Whether the body or query of an invalid probe really violates the document: its derivation may have missed a keyword that
 * allows the value. True for any other probe, also for one that is wrong by its key or by an id that does not exist.
 */
export function isSurelyWrong(probe: Probe, operation: Operation): boolean {
  const { validity, key, query, body } = probe;
  if (validity !== 'invalid' || key !== 'valid') return true;
  if (body && operation.body) return isWrongBody(operation.body, body);
  const stated = queryParameters(operation);
  const sent = query.flatMap(([name, text]) => {
    const parameter = stated.find((parameter) => parameter.name === name);
    return parameter ? [{ parameter, text }] : [];
  });
  return sent.length === 0 || sent.some(({ parameter, text }) => isWrongText(parameter, text));
}

/** `isSurelyWrong` for the probes of a contract. */
export function surelyWrongIn({ operations }: Pick<Contract, 'operations'>): (probe: Probe) => boolean {
  const byId = new Map(operations.map((operation) => [operation.id, operation]));
  return (probe) => {
    const operation = byId.get(probe.operation);
    return operation === undefined || isSurelyWrong(probe, operation);
  };
}

/** Whether a body is not JSON, or violates the schema. */
function isWrongBody(
  { schema, required }: Pick<RequestBody, 'schema' | 'required'>,
  body: NonNullable<Probe['body']>,
): boolean {
  if ('text' in body) {
    if (body.text.trim() === '') return required;
    const parsed = parseJson(body.text);
    return hasRawByte(body.text) || !parsed.ok || !isFitting(schema, parsed.value);
  }
  return !isSentValid(schema, body.json);
}

/** Whether a text in a query is no valid value of a parameter, also if it is read as a number or a boolean. */
function isWrongText({ schema }: Parameter, text: string): boolean {
  const parsed = parseJson(text);
  return !isFitting(schema, text) && !(parsed.ok && isFitting(schema, parsed.value));
}

/** Whether a generated value satisfies a schema, with examples in place of the values that a run fills in. */
export function isSentValid(schema: Schema, value: unknown): boolean {
  return value !== undefined && isFitting(schema, asSent(value));
}

/** The JSON Pointer to the first place where a value violates its schema; undefined if it is valid. */
export function wrongPlace(schema: Schema, value: unknown): string | undefined {
  const [first] = schemaErrors(schema, asSent(value) as Json);
  return first && `/${first.pointer.join('/')}`;
}

/** A generated value as a service reads it: raw numbers become numbers. */
function asSent(value: unknown): unknown {
  const parsed = parseJson(stringifyJson(withExamples(value) as Json));
  return parsed.ok ? parsed.value : undefined;
}

/** A value with examples in place of the late values. */
function withExamples(value: unknown): unknown {
  if (isLate(value)) return exampleFor(value);
  if (Array.isArray(value)) return value.map(withExamples);
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withExamples(field)]));
}

function exampleFor(late: Late): unknown {
  if (late.late === 'created') return withExamples(late.otherwise);
  if (late.late === 'response') return withExamples(late.otherwise);
  if (late.late === 'reference') return REFERENCE[late.as];
  if (late.late !== 'own') return late;
  if (late.as === 'text') return late.like;
  if (late.as === 'one-of') return late.texts[0];
  return late.as === 'number' ? 2 ** 31 : OF_FORMAT[late.as];
}

const REFERENCE = { value: 1, string: '1', fraction: rawNumber('1.5') } as const;
