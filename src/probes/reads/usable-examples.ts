import { schemaErrors } from '../../contract/validation/schema-validator.ts';
import type { Contract, Gap, Operation, Parameter, Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';

/** The keyword that an example violates, formats included; undefined if it is valid. */
function violatedBy(schema: Schema, example: unknown): string | undefined {
  return schemaErrors(withFormats(schema), example as Json)[0]?.keyword;
}

/** Whether an example satisfies its own schema, formats included, although services may not check formats. */
export function isUsable(schema: Schema, example: unknown): boolean {
  return example !== undefined && violatedBy(schema, example) === undefined;
}

/** The examples of a parameter that may be sent: the user's, or valid ones of the document. */
export function usableExamples({ example, examples = [], isStated, schema }: Parameter): unknown[] {
  const stated = [example, ...examples].filter((value) => value !== undefined);
  return isStated ? stated.slice(0, 1) : stated.filter((value) => isUsable(schema, value));
}

/** Beyond this depth or number of schemas, formats are not checked. */
const MAX_DEPTH = 4;
const MAX_SCHEMAS = 1_000;

const strict = new WeakMap<Schema, Schema>();

/** A schema in which formats are required, not only good practice. */
function withFormats(schema: Schema): Schema {
  const withStrictFormats = strict.get(schema) ?? strictCopy(schema, 0, { left: MAX_SCHEMAS });
  strict.set(schema, withStrictFormats);
  return withStrictFormats;
}

function strictCopy(schema: Schema, depth: number, room: { left: number }): Schema {
  room.left -= 1;
  if (room.left < 0 || depth > MAX_DEPTH || schema['x-circular']) return schema;
  const { 'x-level': _, items, properties, ...keywords } = schema;
  const inner = (schema: Schema) => strictCopy(schema, depth + 1, room);
  return {
    ...keywords,
    ...(items === undefined ? {} : { items: inner(items) }),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, inner(field)]),
          ),
        }),
  };
}

const knownGaps = new WeakMap<Contract, readonly Gap[]>();

/** The examples of a document that violate their own schema, and that petspec therefore does not send. */
export function exampleGaps(contract: Contract): readonly Gap[] {
  const gaps = knownGaps.get(contract) ?? contract.operations.flatMap(gapsOf);
  knownGaps.set(contract, gaps);
  return gaps;
}

function gapsOf(operation: Operation): Gap[] {
  const { method, path, parameters, body } = operation;
  const ofParameters = parameters.flatMap(({ name, example, examples = [], isStated, schema }) =>
    isStated
      ? []
      : [example, ...examples].flatMap((value) => reasonsFor(schema, value, `the parameter ${name}`)),
  );
  const ofBody =
    !body || body.isStated
      ? []
      : [
          ...reasonsFor(body.schema, body.example, 'the body'),
          ...reasonsInFields(body.schema, '', 0, { left: MAX_SCHEMAS }),
        ];
  return [...new Set([...ofParameters, ...ofBody])].map((reason) => ({
    operation: `${method} ${path}`,
    isWhole: false,
    reason,
  }));
}

function reasonsInFields(schema: Schema, place: string, depth: number, room: { left: number }): string[] {
  room.left -= 1;
  if (room.left < 0 || depth > MAX_DEPTH || schema['x-circular']) return [];
  const violations = reasonsFor(schema, schema.example, place === '' ? 'the body' : `${place} of the body`);
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    reasonsInFields(field, `${place}/${name}`, depth + 1, room),
  );
  return [...violations, ...inner];
}

/** The most characters of an example to quote. */
const MAX_QUOTED = 40;

function reasonsFor(schema: Schema, example: unknown, where: string): string[] {
  const keyword = example === undefined ? undefined : violatedBy(schema, example);
  if (keyword === undefined) return [];
  const text = JSON.stringify(example) ?? '';
  const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return [`the example ${quoted} of ${where} violates its own schema (${keyword}), so it is not sent`];
}
