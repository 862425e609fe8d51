import type { Contract, Schema } from '../model/contract.ts';
import { shapedBodies } from './requirements.ts';

/** The words of an interface, in lower case. They are public, so they are no secrets. */
export function wordsOf({ operations }: Contract): ReadonlySet<string> {
  const seen = new Set<Schema>();
  const words = operations.flatMap(({ parameters, body, responses }) => [
    ...parameters.flatMap(({ name, schema }) => [name, ...wordsIn(schema, seen)]),
    ...(body ? [body.mediaType, ...wordsIn(body.schema, seen)] : []),
    ...responses.flatMap((response) => [
      ...response.headers.map(({ name }) => name),
      ...[response.mediaType ?? [], response.otherMediaTypes ?? []].flat(),
      ...shapedBodies(response).flatMap(({ schema }) => wordsIn(schema, seen)),
    ]),
  ]);
  return new Set(words.map((word) => word.toLowerCase()));
}

/** The names of properties, and the texts of enumerations. Each schema is visited once. */
function wordsIn(schema: Schema | undefined, seen: Set<Schema>): string[] {
  if (!schema || seen.has(schema)) return [];
  seen.add(schema);
  const { enum: values = [], items, properties = {} } = schema;
  return [
    ...values.filter((value) => typeof value === 'string'),
    ...wordsIn(items, seen),
    ...Object.entries(properties).flatMap(([name, field]) => [name, ...wordsIn(field, seen)]),
  ];
}
