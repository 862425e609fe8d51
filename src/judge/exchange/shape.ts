import { shapeOf } from '../../contract/describe.ts';
import {
  bodyOwner,
  circularOwner,
  entryOwner,
  fieldOwner,
  type Owner,
  ownerOf,
  ruleIdOf,
  ruleVersions,
  schemaAt,
} from '../../contract/schema.ts';
import { type SchemaError, schemaErrors } from '../../contract/validation/schema-validator.ts';
import { violationWords } from '../../contract/validation/violation-words.ts';
import type { Schema } from '../../model/contract.ts';
import type { Deviation } from '../../model/finding.ts';
import { at, type Json, pointerOf, stringifyJson } from '../../model/json.ts';
import { quote } from '../../model/visible.ts';
import type { JudgedPart } from '../evidence/judged.ts';

interface JudgedValue {
  schema: Schema;
  owner: string;
  status: number;
  part: JudgedPart;
}

/** How each value was judged last: a run judges an exchange when it arrives and at its end, and many bodies are the same. */
const judgedValues = new WeakMap<object, JudgedValue>();

/**
 * Judges the shape of a value. Each wrong field is a deviation. An object without any of its required fields is another kind of
 * object: that is one deviation, which hides those of its fields.
 * @param owner requirement id of the value itself
 * @param status HTTP status of its response
 */
export function judgeShape(value: Json, schema: Schema, owner: string, status: number): JudgedPart {
  if (typeof value !== 'object' || value === null) return shapeJudged(value, schema, owner, status);
  const last = judgedValues.get(value);
  if (last?.schema === schema && last.owner === owner && last.status === status) return last.part;
  const part = shapeJudged(value, schema, owner, status);
  judgedValues.set(value, { schema, owner, status, part });
  return part;
}

/** The deviations of schema errors: the first error of each requirement. */
export function shapeDeviations(
  value: Json,
  schema: Schema,
  owner: string,
  errors: readonly SchemaError[],
): Deviation[] {
  return onePerRequirement(deviationsOf(value, schema, owner, errors).deviations);
}

function deviationsOf(value: Json, schema: Schema, owner: string, errors: readonly SchemaError[]) {
  const deviations: Deviation[] = [];
  const hidden: Deviation[] = [];
  for (const error of errors) {
    const parent = error.pointer.slice(0, -1);
    const isOtherThing = error.pointer.length > 0 && lacksAll(value, schema, parent);
    const requirement = ownerOf(schema, bodyOwner(owner), error.pointer, error.keyword);
    const list = isOtherThing ? hidden : deviations;
    if (isOtherThing) deviations.push(allRequiredMissing(value, schema, owner, parent));
    // A body may have very many wrong fields; only the first of each requirement is reported.
    if (!list.some((deviation) => deviation.requirement === requirement))
      list.push(wrongField(value, schema, requirement, error));
  }
  return { deviations, hidden };
}

function shapeJudged(value: Json, schema: Schema, owner: string, status: number): JudgedPart {
  const { deviations, hidden } = deviationsOf(value, schema, owner, schemaErrors(schema, value));
  const unequal = unequalStatus(value, schema, owner, status);
  if (unequal) (deviations.length === 0 ? deviations : hidden).push(unequal);
  const owners = new Set(deviations.map(({ requirement }) => requirement));
  const present = owners.has(owner) ? [] : [owner, ...presentFields(value, schema, bodyOwner(owner))];
  return {
    met: present.filter((id) => !owners.has(id)),
    deviations: onePerRequirement(deviations),
    hidden: onePerRequirement(hidden).filter(({ requirement }) => !owners.has(requirement)),
  };
}

function onePerRequirement(deviations: readonly Deviation[]): Deviation[] {
  const seen = new Set<string>();
  return deviations.filter(({ requirement }) => seen.size !== seen.add(requirement).size);
}

function allRequiredMissing(value: Json, schema: Schema, owner: string, place: readonly string[]): Deviation {
  return {
    requirement: ownerOf(schema, bodyOwner(owner), place, 'required'),
    kind: 'shape',
    reason: 'all required fields are missing',
    expected: shapeOf(schemaAt(schema, place) ?? {}),
    received: quote(stringifyJson(valueAt(value, place))),
    pointer: pointerOf(place),
  };
}

function wrongField(value: Json, schema: Schema, requirement: string, error: SchemaError): Deviation {
  const { pointer, missing } = error;
  const name = pointer.at(-1);
  const { reason, expected } = violationWords(schema, value, error);
  const place = missing ? name : name === undefined ? 'the body' : pointerOf(pointer);
  return {
    requirement,
    kind: 'shape',
    reason: `${place} ${reason}`,
    // An index of a list is not the name of a field.
    expected: name === undefined || /^\d+$/.test(name) ? expected : `${name}: ${expected}`,
    received: missing
      ? `no ${name} in ${quote(stringifyJson(valueAt(value, pointer.slice(0, -1))))}`
      : quote(stringifyJson(valueAt(value, pointer))),
    pointer: pointerOf(pointer),
  };
}

/** Whether all required fields are missing. If there is only one, it is simply missing. */
function lacksAll(value: Json, schema: Schema, place: readonly string[]): boolean {
  const required = schemaAt(schema, place)?.required ?? [];
  return required.length > 1 && required.every((name) => valueAt(value, [...place, name]) === undefined);
}

function unequalStatus(value: Json, schema: Schema, owner: string, status: number): Deviation | undefined {
  const [name] =
    Object.entries(schema.properties ?? {}).find(([, field]) => field['x-equals'] === 'http-status') ?? [];
  const stated = name === undefined ? undefined : valueAt(value, [name]);
  if (name === undefined || stated === undefined || Number(stated) === status) return undefined;
  return {
    requirement: `${owner}.${name}`,
    kind: 'shape',
    reason: `${name} is not the HTTP status`,
    expected: `${name}: ${status}`,
    received: `${name}: ${stringifyJson(stated)}`,
    pointer: `/${name}`,
  };
}

/** Requirement ids of the fields that a value has, and of the entries of a body. */
function presentFields(value: Json, schema: Schema, owner: Owner): string[] {
  const { 'x-circular': whole, items, properties = {} } = schema;
  if (whole) return presentFields(value, whole, circularOwner(whole, owner));
  if (Array.isArray(value)) {
    if (!items) return [];
    const entry = entryOwner(items, owner);
    const ids = new Set<string>();
    for (const item of value) for (const id of [entry.id, ...presentFields(item, items, entry)]) ids.add(id);
    return [...ids];
  }
  if (typeof value !== 'object' || value === null || items) return [];
  return Object.entries(properties).flatMap(([name, field]) => {
    const fieldValue = Object.hasOwn(value, name) ? value[name] : undefined;
    if (fieldValue === undefined) return [];
    const inner = fieldOwner(field, name, owner);
    const rules = Object.keys(ruleVersions(field) ?? {}).map((keyword) => ruleIdOf(inner.id, field, keyword));
    return [inner.id, ...rules, ...presentFields(fieldValue, field, inner)];
  });
}

function valueAt(value: Json, place: readonly string[]): Json | undefined {
  return at(value, pointerOf(place));
}
