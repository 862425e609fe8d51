import { describe } from '../contract/requirements.ts';
import { ownerOf } from '../contract/schema.ts';
import type { DocumentedResponse, Schema } from '../contract/types.ts';
import { at, type Json, parseJson, stringifyJson } from '../json.ts';
import { headerValues, type Received } from '../session/exchange.ts';
import type { Deviation } from './finding.ts';
import { schemaErrors } from './schema-validator.ts';

const CONTENT_TYPE = 'service.content-type';
const JSON_TEXT = 'service.json';

/** Values are quoted in findings up to this many characters. */
const MAX_QUOTE = 200;

export interface JudgedBody {
  met: string[];
  deviations: Deviation[];
  value?: Json;
}

/** Judges a body by what its response documents: media type, then JSON, then shape; the first that is wrong owns it. */
export function judgeBody(response: Received, documented: DocumentedResponse): JudgedBody {
  const { schema, mediaType, bodyRequirement } = documented;
  if (!schema || !mediaType || !bodyRequirement) return { met: [], deviations: [] };
  if (response.body === '' && !response.undecodable) {
    const reason = 'the body is empty';
    return {
      met: [],
      deviations: [
        { requirement: bodyRequirement, reason, expected: shapeOf(schema), received: 'an empty body' },
      ],
    };
  }
  const types = headerValues(response.headers, 'Content-Type');
  if (types.length === 0 || !types.every((type) => essence(type) === mediaType)) {
    const received =
      types.length === 0 ? 'no Content-Type header' : types.map((type) => `Content-Type: ${type}`).join(', ');
    const reason = `the body is not declared as ${mediaType}`;
    return {
      met: [],
      deviations: [{ requirement: CONTENT_TYPE, reason, expected: `Content-Type: ${mediaType}`, received }],
    };
  }
  const parsed = response.undecodable
    ? { ok: false as const, error: response.undecodable }
    : parseJson(response.body);
  if (!parsed.ok) {
    const reason = `the body is not JSON: ${quote(parsed.error)}`;
    const expected = 'one JSON value in UTF-8';
    return {
      met: [CONTENT_TYPE],
      deviations: [{ requirement: JSON_TEXT, reason, expected, received: quote(response.body) }],
    };
  }
  const shape = judgeShape(parsed.value, schema, bodyRequirement, response.status);
  return { met: [CONTENT_TYPE, JSON_TEXT, ...shape.met], deviations: shape.deviations, value: parsed.value };
}

/** Judges the shape of a value: each field that is wrong is a deviation of its own. */
function judgeShape(
  value: Json,
  schema: Schema,
  owner: string,
  status: number,
): { met: string[]; deviations: Deviation[] } {
  const deviations = new Map<string, Deviation>();
  for (const error of schemaErrors(schema, value)) {
    const place = `/${error.pointer.join('/')}`;
    const parent = at(value, `/${error.pointer.slice(0, -1).join('/')}`.replace(/^\/$/, ''));
    const bare = error.missing && lacksAll(parent, schemaAt(schema, error.pointer.slice(0, -1)));
    const pointer = bare ? error.pointer.slice(0, -1) : error.pointer;
    const requirement = ownerOf(schema, owner, pointer);
    if (deviations.has(requirement)) continue;
    const expected = bare
      ? shapeOf(schemaAt(schema, pointer))
      : `${error.pointer.at(-1) ?? 'the body'}: ${shapeOf(schemaAt(schema, error.pointer))}`;
    const found = at(value, pointer.length === 0 ? '' : `/${pointer.join('/')}`);
    deviations.set(requirement, {
      requirement,
      reason: bare
        ? 'none of the required fields is there'
        : error.missing
          ? `${error.pointer.at(-1)} is missing`
          : `${error.pointer.length === 0 ? 'the body' : place} is not ${shapeOf(schemaAt(schema, error.pointer))}`,
      expected,
      received:
        found === undefined
          ? `no ${error.pointer.at(-1)} in ${quote(stringifyJson(parent))}`
          : quote(stringifyJson(found)),
      pointer: pointer.length === 0 ? '' : `/${pointer.join('/')}`,
    });
  }
  const equal = deviations.size === 0 ? unequalStatus(value, schema, owner, status) : undefined;
  if (equal) deviations.set(equal.requirement, equal);
  const present = deviations.has(owner) ? [] : [owner, ...presentFields(value, schema, owner)];
  return { met: present.filter((id) => !deviations.has(id)), deviations: [...deviations.values()] };
}

/** An object without any of its required fields is not that thing at all, rather than one with several fields wrong. */
function lacksAll(value: Json | undefined, schema: Schema): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const required = schema.required ?? [];
  return required.length > 1 && required.every((name) => !Object.hasOwn(value, name));
}

function unequalStatus(value: Json, schema: Schema, owner: string, status: number): Deviation | undefined {
  const [name] =
    Object.entries(schema.properties ?? {}).find(([, field]) => field['x-equals'] === 'http-status') ?? [];
  const stated = name === undefined ? undefined : at(value, `/${name}`);
  if (name === undefined || stated === undefined || Number(stated) === status) return undefined;
  return {
    requirement: `${owner}.${name}`,
    reason: `${name} is not the HTTP status`,
    expected: `${name}: ${status}`,
    received: `${name}: ${stringifyJson(stated)}`,
    pointer: `/${name}`,
  };
}

/** Requirement ids of what a value has: its fields, and the components that they are. */
function presentFields(value: Json, schema: Schema, owner: string): string[] {
  if (Array.isArray(value)) {
    const { items } = schema;
    if (!items) return [];
    const inner = items['x-component'] ?? owner;
    return [...new Set(value.flatMap((each) => [inner, ...presentFields(each, items, inner)]))];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const here = value[name];
    if (here === undefined) return [];
    const id = `${owner}.${name}`;
    return [id, ...presentFields(here, field, ownerOf(schema, owner, [name, '']))];
  });
}

function schemaAt(schema: Schema, pointer: readonly string[]): Schema {
  const [segment, ...rest] = pointer;
  if (segment === undefined) return schema;
  const inner = schema.items ?? schema.properties?.[segment];
  return inner ? schemaAt(inner, rest) : {};
}

function shapeOf(schema: Schema): string {
  if (schema.items) return `an array of ${schema.items['x-component'] ?? describe(schema.items)}`;
  const fields = Object.keys(schema.properties ?? {});
  return fields.length > 0 ? `an object with ${(schema.required ?? fields).join(', ')}` : describe(schema);
}

/** The media type without its parameters, which are compared without case (RFC 9110 section 8.3.1). */
function essence(type: string): string {
  return (type.split(';')[0] ?? '').trim().toLowerCase();
}

/** A bounded quotation of what a target sent. */
export function quote(text: string): string {
  const characters = [...text.slice(0, MAX_QUOTE * 2)];
  return characters.length <= MAX_QUOTE && text.length <= MAX_QUOTE * 2
    ? text
    : `${characters.slice(0, MAX_QUOTE).join('')}…`;
}
