import type { Contract, Gap, Operation, Schema } from '../../model/contract.ts';
import { isSomeInside, patternsOf } from '../document/unjudged.ts';
import { slowPatterns } from './slow-patterns.ts';

/** What is not judged of the operations because patterns took too long for what a target sent. */
export function slowPatternGaps({ operations }: Pick<Contract, 'operations'>): Gap[] {
  return [...slowPatterns()].flatMap(([pattern, length]) =>
    operations
      .filter((each) => schemasOf(each).some((schema) => hasPattern(schema, pattern)))
      .map(({ method, path }) => ({
        operation: `${method} ${path}`,
        isWhole: false,
        reason: `the pattern ${pattern.slice(0, 60)} takes too long, so no text of ${length} characters or more is judged by it`,
      })),
  );
}

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

function hasPattern(schema: Schema, pattern: string): boolean {
  return isSomeInside(schema, (each) => patternsOf(each).includes(pattern));
}
