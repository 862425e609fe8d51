import type { Contract, Gap, Operation, Schema } from '../../model/contract.ts';
import { rememberingEach } from '../../model/remembering.ts';
import { isSomeInside, patternsOf } from '../document/unjudged.ts';
import { hasLostBranches } from './schema-validator.ts';
import { slowPatterns } from './slow-patterns.ts';

/** What is not judged of the operations because it would have taken too long for what a target sent. */
export function slowSchemaGaps({ operations }: Pick<Contract, 'operations'>): Gap[] {
  const gapsOf = (reason: string, isSlow: (schema: Schema) => boolean) => {
    // Many operations share a component.
    const isSlowInside = rememberingEach((schema: Schema) => isSomeInside(schema, isSlow));
    return operations
      .filter((each) => schemasOf(each).some(isSlowInside))
      .map(({ method, path }) => ({ operation: `${method} ${path}`, isWhole: false, reason }));
  };
  const byPattern = [...slowPatterns()].flatMap(([pattern, length]) =>
    gapsOf(
      `the pattern ${pattern.slice(0, 60)} takes too long, so no text of ${length} characters or more is judged by it`,
      (each) => patternsOf(each).includes(pattern),
    ),
  );
  return [...byPattern, ...gapsOf(TOO_MANY, hasLostBranches)];
}

const TOO_MANY =
  'the schemas inside allOf, anyOf, oneOf, not, if, contains and patternProperties lead to each other in more ways than petspec looks at, so some values are judged without these keywords';

function schemasOf({ parameters, body, responses }: Operation): Schema[] {
  return [
    ...parameters.map(({ schema }) => schema),
    body?.schema,
    ...responses.flatMap(({ headers, schema, otherBodies = [] }) => [
      schema,
      ...[...otherBodies, ...headers].map((each) => each.schema),
    ]),
  ].filter((each) => each !== undefined);
}
