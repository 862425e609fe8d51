import type { Contract, Schema } from '../model/contract.ts';

/** The words of an interface's requests and responses, in lower case. They are public, so they are no secrets. */
export function wordsOf({ operations }: Contract): ReadonlySet<string> {
  const words = operations.flatMap(({ parameters, body, responses }) => [
    ...parameters.flatMap(({ name, schema }) => [name, ...wordsIn(schema)]),
    ...(body ? [body.mediaType, ...wordsIn(body.schema)] : []),
    ...responses.flatMap(({ headers, mediaType, schema }) => [
      ...headers.map(({ name }) => name),
      ...(mediaType === undefined ? [] : [mediaType]),
      ...wordsIn(schema),
    ]),
  ]);
  return new Set(words.map((each) => each.toLowerCase()));
}

/** The names of properties, and the texts of enumerations. */
function wordsIn(schema: Schema | undefined): string[] {
  if (!schema) return [];
  const { enum: values = [], items, properties = {} } = schema;
  return [
    ...values.filter((each) => typeof each === 'string'),
    ...wordsIn(items),
    ...Object.entries(properties).flatMap(([name, each]) => [name, ...wordsIn(each)]),
  ];
}
