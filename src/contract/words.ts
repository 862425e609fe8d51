import type { Contract, Schema } from '../model/contract.ts';

/** The words that requests and responses of an interface consist of, in lower case: whoever has read it knows them. */
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

/** Names of properties, and the texts that a value may be. */
function wordsIn(schema: Schema | undefined): string[] {
  if (!schema) return [];
  const { enum: values = [], items, properties = {} } = schema;
  return [
    ...values.filter((each) => typeof each === 'string'),
    ...wordsIn(items),
    ...Object.entries(properties).flatMap(([name, each]) => [name, ...wordsIn(each)]),
  ];
}
