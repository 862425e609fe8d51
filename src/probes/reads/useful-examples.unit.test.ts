import { expect, test } from 'vitest';
import { contractOf, operation, pathParameter } from '../../../test/operations/operations.ts';
import { usefulExamples } from './useful-examples.ts';

const read = (path: string) =>
  operation({
    id: path,
    path,
    parameters: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) =>
      pathParameter(name, { type: 'string' }),
    ),
    responses: [],
  });

const useful = (...paths: string[]) => usefulExamples(contractOf(paths.map(read)));

test('a value for many operations comes first, and the next ones count what they add', () => {
  expect(
    useful('/a/{owner}', '/b/{owner}', '/c/{owner}/{shop}', '/d/{shop}', '/e/{owner}/f', '/g/{shelf}'),
  ).toEqual([
    { operation: '*', place: 'path', name: 'owner', reached: 3 },
    { operation: '*', place: 'path', name: 'shop', reached: 2 },
    { operation: '*', place: 'path', name: 'shelf', reached: 1 },
  ]);
});

test('an id is that of another thing in each path', () => {
  expect(useful('/a/{id}', '/b/{id}').map((each) => each.operation)).toEqual(['GET /a/{id}', 'GET /b/{id}']);
});

test('nothing is named where everything is reached, or where one value alone does not help', () => {
  expect(useful('/a')).toEqual([]);
  expect(useful('/a/{left}/{right}')).toEqual([]);
});
