import { expect, test } from 'vitest';
import type { Parameter } from '../model/contract.ts';
import { valuesOf } from './parameter-values.ts';

const inPath = (fields: Partial<Parameter>): Parameter => ({
  ...{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
  ...fields,
});

test.each<[what: string, parameter: Parameter, text: string, value: unknown]>([
  ['in the usual style', inPath({}), '7', 7],
  ['as a matrix', inPath({ style: 'matrix' }), ';id=7', 7],
  ['as a label', inPath({ style: 'label' }), '.7', 7],
  ['as a matrix, without what the style wants', inPath({ style: 'matrix' }), 'x7', 'x7'],
  [
    'as a list in a label',
    inPath({ style: 'label', schema: { type: 'array', items: { type: 'integer' } } }),
    '.7,8',
    [7, 8],
  ],
])('a parameter of a path %s', (_what, parameter, text, value) => {
  const values = valuesOf(parameter, { path: { id: text }, query: new URLSearchParams(), headers: [] });
  expect(values?.map((each) => each.value)).toEqual([value]);
});
