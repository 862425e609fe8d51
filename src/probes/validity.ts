import { isFitting } from '../contract/validation/parameter-bounds.ts';
import { schemaErrors } from '../contract/validation/schema-validator.ts';
import type { Contract, Operation, Parameter, RequestBody, Schema } from '../model/contract.ts';
import { hasRawByte } from '../model/json/raw-bytes.ts';
import { isRawNumber, type Json, parseJson, rawNumber, stringifyJson } from '../model/json.ts';
import { isLate, type Late, type Probe } from '../model/probe.ts';
import { OF_FORMAT } from '../requests/plain-values.ts';

/**
 * Whether what a probe sends as wrong is wrong by the document, however it was derived: a value may be right by a keyword that its
 * derivation did not look at. What is wrong otherwise, by its key or as an id that does not exist, is not looked at here.
 */
export function isSurelyWrong(probe: Probe, operation: Operation): boolean {
  const { validity, key, query, body } = probe;
  if (validity !== 'invalid' || key !== 'valid') return true;
  if (body && operation.body) return isWrongBody(operation.body, body);
  const stated = operation.parameters.filter((each) => each.in === 'query');
  const sent = query.flatMap(([name, text]) => {
    const parameter = stated.find((each) => each.name === name);
    return parameter ? [{ parameter, text }] : [];
  });
  return sent.length === 0 || sent.some(({ parameter, text }) => isWrongText(parameter, text));
}

/** The same for the probes of a contract. */
export function surelyWrongIn({ operations }: Pick<Contract, 'operations'>): (probe: Probe) => boolean {
  const byId = new Map(operations.map((each) => [each.id, each]));
  return (probe) => {
    const operation = byId.get(probe.operation);
    return operation === undefined || isSurelyWrong(probe, operation);
  };
}

/** Whether a body that is sent violates the schema of an operation, or is no JSON. */
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

/** Whether a text in a query is no value of a parameter, also if it is read as a number or a boolean. */
function isWrongText({ schema }: Parameter, text: string): boolean {
  const parsed = parseJson(text);
  return !isFitting(schema, text) && !(parsed.ok && isFitting(schema, parsed.value));
}

/** Whether a value that petspec generated has a schema, whatever is filled in during the run. */
export function isSentValid(schema: Schema, value: unknown): boolean {
  return value !== undefined && isFitting(schema, asSent(value));
}

/** The first place in a value where it violates its schema, as a JSON Pointer; undefined if it violates none. */
export function wrongPlace(schema: Schema, value: unknown): string | undefined {
  const [first] = schemaErrors(schema, asSent(value) as Json);
  return first && `/${first.pointer.join('/')}`;
}

/** What a generated value looks like when it is sent: numbers that are written digit by digit are those that a service reads. */
function asSent(value: unknown): unknown {
  const parsed = parseJson(stringifyJson(completed(value) as Json));
  return parsed.ok ? parsed.value : undefined;
}

/** A value in which what a run fills in has an example. */
function completed(value: unknown): unknown {
  if (isLate(value)) return filled(value);
  if (Array.isArray(value)) return value.map(completed);
  if (typeof value !== 'object' || value === null || isRawNumber(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, completed(each)]));
}

function filled(late: Late): unknown {
  if (late.late === 'created') return completed(late.otherwise);
  if (late.late === 'response') return completed(late.otherwise);
  if (late.late === 'reference') return REFERENCE[late.as];
  if (late.late !== 'own') return late;
  if (late.as === 'text') return late.like;
  if (late.as === 'one-of') return late.texts[0];
  return late.as === 'number' ? 2 ** 31 : OF_FORMAT[late.as];
}

const REFERENCE = { value: 1, string: '1', fraction: rawNumber('1.5') } as const;
