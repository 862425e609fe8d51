import { expect, test } from 'vitest';
import type { Operation } from '../model/contract.ts';
import { fill, matchOperation } from './match-operation.ts';

test.each<[template: string, path: string, values: object | undefined]>([
  ['/pets', '/pets', {}],
  ['/pets', '/cats', undefined],
  ['/pets/{id}', '/pets/7', { id: '7' }],
  ['/pets/{id}', '/pets/', undefined],
  ['/pets/{id}', '/pets/7/a', undefined],
  ['/pets/{id}', '/pets/a%20b', { id: 'a b' }],
  ['/pets/{id}', '/pets/%7Bid%7D', { id: '{id}' }],
  ['/pets/{id}', '/pets/%E0', { id: '%E0' }],
  ['/pets/{id}:archive', '/pets/7:archive', { id: '7' }],
  ['/pets/{id}:archive', '/pets/:archive', undefined],
  ['/pets/{id}:archive', '/pets/7:remove', undefined],
  ['/pets/v{id}', '/pets/v7', { id: '7' }],
  ['/pets/v{id}', '/pets/7', undefined],
  ['/{a}/{b}.{type}', '/x/y.z.pdf', { a: 'x', b: 'y', type: 'z.pdf' }],
  ['/{from}-{to}', '/1-2', { from: '1', to: '2' }],
  ['/{from}-{to}', '/1-', undefined],
])('the parameters of %s in %s', (template, path, values) => {
  expect(fill(template, path)).toEqual(values);
});

test('of two paths that fit, the one with more text beside its parameters is meant', () => {
  const paths = ['/pets/{id}', '/pets/{id}:archive', '/pets/all'];
  const operations = paths.map(
    (path) => ({ id: path, path, method: 'GET', address: 'baseUrl' }) as Operation,
  );
  const meant = (path: string) =>
    matchOperation({ operations }, { baseUrl: 'http://a' }, 'GET', new URL(`http://a${path}`))?.operation.id;
  expect(['/pets/7', '/pets/7:archive', '/pets/all'].map(meant)).toEqual(paths);
});
