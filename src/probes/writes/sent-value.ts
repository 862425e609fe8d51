import { isFitting } from '../../contract/validation/parameter-bounds.ts';
import { schemaErrors } from '../../contract/validation/schema-validator.ts';
import type { Schema } from '../../model/contract.ts';
import { isRawNumber, type Json, parseJson, rawNumber, stringifyJson } from '../../model/json.ts';
import { isLate, type Late } from '../../model/probe.ts';
import { OF_FORMAT } from '../../requests/plain-values.ts';

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
