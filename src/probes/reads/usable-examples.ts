import { schemaErrors } from '../../contract/validation/schema-validator.ts';
import type { Contract, Gap, Operation, Parameter, Schema } from '../../model/contract.ts';
import type { Json } from '../../model/json.ts';

/** The keyword of its schema that an example violates, formats included; undefined if it violates none. */
function violatedBy(schema: Schema, example: unknown): string | undefined {
  return schemaErrors(withFormats(schema), example as Json)[0]?.keyword;
}

/** Whether an example of a document has the schema that it is an example of. A format counts here, whatever services do. */
export function isUsable(schema: Schema, example: unknown): boolean {
  return example !== undefined && violatedBy(schema, example) === undefined;
}

/** The examples of a parameter, the user's or the document's, that may be sent. */
export function usableExamples({ example, examples = [], isStated, schema }: Parameter): unknown[] {
  const all = [example, ...examples].filter((each) => each !== undefined);
  return isStated ? all.slice(0, 1) : all.filter((each) => isUsable(schema, each));
}

/** Deeper and larger schemas keep their formats out of this. */
const MAX_DEPTH = 4;
const MAX_SCHEMAS = 1_000;

const strict = new WeakMap<Schema, Schema>();

/** A schema in which formats hold that are otherwise only good practice. */
function withFormats(schema: Schema): Schema {
  const known = strict.get(schema) ?? copied(schema, 0, { left: MAX_SCHEMAS });
  strict.set(schema, known);
  return known;
}

function copied(schema: Schema, depth: number, room: { left: number }): Schema {
  room.left -= 1;
  if (room.left < 0 || depth > MAX_DEPTH || schema['x-circular']) return schema;
  const { 'x-level': _, items, properties, ...own } = schema;
  const inner = (each: Schema) => copied(each, depth + 1, room);
  return {
    ...own,
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

/** The examples of a document that violate their own schema: petspec does not send them. */
export function exampleGaps(contract: Contract): readonly Gap[] {
  const known = knownGaps.get(contract) ?? (contract.isComplete ? [] : contract.operations.flatMap(gapsOf));
  knownGaps.set(contract, known);
  return known;
}

function gapsOf(operation: Operation): Gap[] {
  const { method, path, parameters, body } = operation;
  const ofParameters = parameters.flatMap(({ name, example, examples = [], isStated, schema }) =>
    isStated ? [] : [example, ...examples].flatMap((each) => words(schema, each, `the parameter ${name}`)),
  );
  const ofBody =
    !body || body.isStated
      ? []
      : [
          ...words(body.schema, body.example, 'the body'),
          ...ofFields(body.schema, '', 0, { left: MAX_SCHEMAS }),
        ];
  return [...new Set([...ofParameters, ...ofBody])].map((reason) => ({
    operation: `${method} ${path}`,
    isWhole: false,
    reason,
  }));
}

function ofFields(schema: Schema, place: string, depth: number, room: { left: number }): string[] {
  room.left -= 1;
  if (room.left < 0 || depth > MAX_DEPTH || schema['x-circular']) return [];
  const own = words(schema, schema.example, place === '' ? 'the body' : `${place} of the body`);
  const inner = Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    ofFields(field, `${place}/${name}`, depth + 1, room),
  );
  return [...own, ...inner];
}

/** The longest example that is quoted, in characters. */
const MAX_QUOTED = 40;

function words(schema: Schema, example: unknown, where: string): string[] {
  const keyword = example === undefined ? undefined : violatedBy(schema, example);
  if (keyword === undefined) return [];
  const text = JSON.stringify(example) ?? '';
  const quoted = text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text;
  return [`the example ${quoted} of ${where} violates its own schema (${keyword}), so it is not sent`];
}
