import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { searchedIn } from './search.ts';

const BOOKS = { path: '/books/{bookId}', name: 'bookId' };

test.each<[what: string, body: Json | undefined, value: Json | undefined]>([
  ['the id of the first entry', [{ id: 7 }, { id: 8 }], 7],
  ['the id of an entry of a list below', { total: 1, result: { books: [{ bookId: 'b-7' }] } }, 'b-7'],
  ['the first of several texts', { books: ['b-7', 'b-8'] }, 'b-7'],
  ['the id of one thing without a list', { id: 9007199254740993n }, 9007199254740993n],
  ['the id of one thing with a list that is empty', { id: 7, authors: [] }, 7],
  ['nothing of an empty list in an envelope', { data: [], id: 'request-1' }, undefined],
  ['nothing of an empty list with the noun', { books: [], id: 'shelf-1' }, undefined],
  ['nothing where no body is JSON', undefined, undefined],
  ['nothing of a text without a list', 'b-7', undefined],
  ['nothing of an empty text', [''], undefined],
  ['the id in a node', { edges: [{ cursor: 'x', node: { id: 'b-7' } }] }, 'b-7'],
  ['the id in the field with the noun', [{ rating: 5, book: { id: 'b-7' } }], 'b-7'],
  ['the id in the second wrapper', [{ data: { size: 1 }, attributes: { id: 'b-7' } }], 'b-7'],
  ['an address', [{ url: 'https://api.example/v1/books/b%207/' }], 'b 7'],
  [
    'an address in the links of HAL',
    { _embedded: { books: [{ _links: { self: { href: '/books/7' } } }] } },
    '7',
  ],
  ['nothing of an address of something else', [{ url: 'https://api.example/shelves/7' }], undefined],
  ['an address where a wrapper has no id', [{ data: { size: 1 }, url: '/books/7' }], '7'],
])('%s', (_what, body, value) => {
  expect(searchedIn(body, BOOKS)).toBe(value);
});

test('a path without a word does not say which addresses are meant', () => {
  expect(searchedIn([{ url: '/7' }], { path: '/{bookId}', name: 'bookId' })).toBeUndefined();
});
