import { expect, test } from 'vitest';
import type { Operation, Schema } from '../../model/contract.ts';
import { indexOf, shownBy } from './ids.ts';

function list(path: string, schema: Schema, links: Operation['responses'][number]['links'] = []): Operation {
  const response = {
    status: '200',
    requirement: 'x',
    description: '',
    section: '',
    headers: [],
    schema,
    links,
  };
  const fields = {
    address: 'baseUrl',
    section: '',
    secured: false,
    deprecated: false,
    parameters: [],
  } as const;
  return { id: path, method: 'GET', path, ...fields, responses: [response] };
}
const entry = (...names: string[]): Schema => ({
  properties: Object.fromEntries(names.map((each) => [each, {}])),
});

test.each<[parameter: string, listed: Schema, pointer: string | undefined]>([
  ['bookId', { items: entry('title', 'id') }, '/0/id'],
  ['book_id', { items: entry('id', 'bookId') }, '/0/bookId'],
  ['book', { items: entry('id') }, '/0/id'],
  ['slug', { items: entry('id', 'slug') }, '/0/slug'],
  ['bookId', { properties: { data: { items: entry('id') } } }, '/data/0/id'],
  ['isbn', { items: entry('title') }, undefined],
  ['bookId', { type: 'string' }, undefined],
])('the value of {%s} is in a list of %j', (parameter, listed, pointer) => {
  const books = list('/books', listed);
  const book = { ...books, id: 'getBook', path: `/books/{${parameter}}` };
  expect(shownBy(book, parameter, indexOf([books, book]))[0]?.pointer).toBe(pointer);
});

test('a link of the document says where a value is', () => {
  const link = { operation: 'getBook', parameter: 'isbn', pointer: '/best/isbn' };
  const best = list('/best', {}, [link]);
  const book = { ...best, id: 'getBook', path: '/books/{isbn}' };
  expect(shownBy(book, 'isbn', indexOf([best, book]))).toEqual([
    { operation: '/best', pointer: '/best/isbn' },
  ]);
});

test.each([
  ['/books/', '/books/{bookId}', '/books/'],
  ['/', '/{bookId}', undefined],
  ['/books/{bookId}', '/books/{bookId}', undefined],
])('the list at %s shows an id of %s or not', (path, own, expected) => {
  const books = list(path, { items: entry('id') });
  const book = { ...books, id: 'getBook', path: own };
  expect(shownBy(book, 'bookId', indexOf([books, book]))[0]?.operation).toBe(expected);
});

test('a list shows ids where it succeeds, in the first response that has a body', () => {
  const books = list('/books', { items: entry('id') });
  const book = { ...books, id: 'getBook', path: '/books/{bookId}' };
  const [success] = books.responses;
  if (!success) throw new Error('no response');
  const { schema: _, ...empty } = success;
  const found = (...responses: Operation['responses']) =>
    shownBy(book, 'bookId', indexOf([{ ...books, responses }, book]))[0];
  expect(found({ ...success, status: '404' })).toBeUndefined();
  expect(found(empty, success)?.pointer).toBe('/0/id');
  expect(found({ ...success, status: '400', schema: { items: entry('bookId') } }, success)?.pointer).toBe(
    '/0/id',
  );
  expect(found(empty)).toMatchObject({ search: { path: '/books/{bookId}', name: 'bookId' } });
  expect(found({ ...empty, status: '204' })).toBeUndefined();
});

test.each([
  ['idOfBook', 'id', '/0/id'],
  ['numberOfBook', 'number', undefined],
  ['bookNumber', 'number', '/0/number'],
  ['Book-Key', 'key', '/0/key'],
  ['book', 'name', undefined],
])('{%s} is the field %s or not', (parameter, field, expected) => {
  const books = list('/books', { items: entry(field) });
  const book = { ...books, id: 'getBook', path: `/books/{${parameter}}` };
  expect(shownBy(book, parameter, indexOf([books, book]))[0]?.pointer).toBe(expected);
});

const fieldsOf = (properties: Readonly<Record<string, Schema>>): Schema => ({ type: 'object', properties });
const text = { type: 'string' };
const whole = { type: 'integer' };

test.each<[what: string, path: string, name: string, shown: Schema, pointer: string | undefined]>([
  ['the same name elsewhere', '/x/{shopId}', 'shopId', fieldsOf({ shop_id: text }), '/shop_id'],
  [
    'the noun of the path and id',
    '/shops/{id}/rooms',
    'id',
    fieldsOf({ a: fieldsOf({ shopId: text }) }),
    '/a/shopId',
  ],
  ['a name that fits anything', '/x/{status}', 'status', fieldsOf({ status: text }), undefined],
  ['a number that a text may be', '/x/{shopId}', 'shopId', fieldsOf({ shopId: whole }), '/shopId'],
  [
    'a text before a number',
    '/x/{shopId}',
    'shopId',
    fieldsOf({ shopId: whole, best: fieldsOf({ shopId: text }) }),
    '/best/shopId',
  ],
  ['another type', '/x/{shopId}', 'shopId', fieldsOf({ shopId: { type: 'boolean' } }), undefined],
  ['an object of that name', '/x/{shopId}', 'shopId', fieldsOf({ shopId: fieldsOf({}) }), undefined],
  ['an id of something else', '/shops/{id}/rooms', 'id', fieldsOf({ id: text, userId: text }), undefined],
])('any response may show a value by its name: %s', (_, path, name, shown, pointer) => {
  const parameter = { name, in: 'path', required: true, schema: text } as const;
  const read = { ...list(path, {}), parameters: [parameter] };
  const other = list('/info', shown);
  expect(shownBy(read, name, indexOf([other, read]))[0]?.pointer).toBe(pointer);
});

test.each<[what: string, wanted: Schema, shown: Schema]>([
  ['a text', whole, text],
  ['a number, which is no such text', { ...text, format: 'uuid' }, whole],
  ['a number, which may not match', { ...text, pattern: '^s' }, whole],
])('%s of the same name is not a value of %j', (_, schema, shown) => {
  const parameter = { name: 'shopId', in: 'path', required: true, schema } as const;
  const read = { ...list('/x/{shopId}', {}), parameters: [parameter] };
  const other = list('/info', fieldsOf({ shopId: shown }));
  expect(shownBy(read, 'shopId', indexOf([other, read]))).toEqual([]);
});
