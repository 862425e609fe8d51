import { expect, test } from 'vitest';
import type { Operation, Parameter, Schema } from '../../model/contract.ts';
import { exampleValue } from './example-value.ts';
import { indexOf, shownBy } from './ids.ts';
import { inPath, inQuery } from './parameter-styles.ts';

const named = (fields: Partial<Parameter>): Parameter => ({
  name: 'color',
  in: 'query',
  required: false,
  schema: {},
  ...fields,
});
const LIST = ['blue', 'black'];

// The examples of OpenAPI 3.1, section 4.8.12.4.
test.each([
  [
    {},
    LIST,
    [
      ['color', 'blue'],
      ['color', 'black'],
    ],
  ],
  [{ explode: false }, LIST, [['color', 'blue,black']]],
  [{ style: 'spaceDelimited', explode: false }, LIST, [['color', 'blue black']]],
  [{ style: 'pipeDelimited', explode: false }, LIST, [['color', 'blue|black']]],
  [{}, 7, [['color', '7']]],
  [{}, { R: 100 }, [['R', '100']]],
  [{}, { R: [100] }, undefined],
])('a query parameter of %j', (fields, value, expected) => {
  expect(inQuery(named(fields), value)).toEqual(expected);
});

test.each([
  [{}, LIST, 'blue,black'],
  [{ style: 'label' }, LIST, '.blue,black'],
  [{ style: 'label', explode: true }, LIST, '.blue.black'],
  [{ style: 'matrix' }, LIST, ';color=blue,black'],
  [{ style: 'matrix', explode: true }, LIST, ';color=blue;color=black'],
  [{}, {}, undefined],
])('a path parameter of %j', (fields, value, expected) => {
  expect(inPath(named(fields), value)).toBe(expected);
});

test.each<[schema: Schema, value: unknown]>([
  [{ type: 'integer', minimum: 10 }, 10],
  [{ type: 'integer', exclusiveMinimum: 10 }, 11],
  [{ type: 'number', maximum: -3 }, -3],
  [{ type: 'integer', minimum: 10, multipleOf: 4 }, 12],
  [{ type: 'string', enum: ['a', 'b'] }, 'a'],
  [{ type: 'string', default: 'c' }, 'c'],
  [{ type: 'string', format: 'date' }, '2024-01-31'],
  [{ type: 'string', minLength: 9 }, 'petspecxx'],
  [{ type: 'string', maxLength: 3 }, 'pet'],
  [{ type: 'string', pattern: '^[A-Z]{3}$' }, undefined],
  [{ type: 'string', pattern: '^[A-Z]{3}$', example: 'USD' }, 'USD'],
  [{ type: 'array', items: { type: 'boolean' } }, [true]],
  [{ type: 'object' }, undefined],
])('a value that fits %j', (schema, value) => {
  expect(exampleValue(named({ schema }))).toEqual(value);
});

test('an example of the document comes first, unless it contradicts the schema', () => {
  expect(exampleValue(named({ schema: { type: 'integer', default: 2 }, example: 3 }))).toBe(3);
  expect(exampleValue(named({ schema: { type: 'integer', default: 2 }, example: 'x' }))).toBe(2);
});

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
  expect(shownBy(book, parameter, indexOf([books, book]))?.pointer).toBe(pointer);
});

test('a link of the document says where a value is', () => {
  const link = { operation: 'getBook', parameter: 'isbn', pointer: '/best/isbn' };
  const best = list('/best', {}, [link]);
  const book = { ...best, id: 'getBook', path: '/books/{isbn}' };
  expect(shownBy(book, 'isbn', indexOf([best, book]))).toEqual({ operation: '/best', pointer: '/best/isbn' });
});

test.each([
  ['/books/', '/books/{bookId}', '/books/'],
  ['/', '/{bookId}', undefined],
  ['/books/{bookId}', '/books/{bookId}', undefined],
])('the list at %s shows an id of %s or not', (path, own, expected) => {
  const books = list(path, { items: entry('id') });
  const book = { ...books, id: 'getBook', path: own };
  expect(shownBy(book, 'bookId', indexOf([books, book]))?.operation).toBe(expected);
});

test('a list shows ids where it succeeds, in the first response that has a body', () => {
  const books = list('/books', { items: entry('id') });
  const book = { ...books, id: 'getBook', path: '/books/{bookId}' };
  const [success] = books.responses;
  if (!success) throw new Error('no response');
  const { schema: _, ...empty } = success;
  const found = (...responses: Operation['responses']) =>
    shownBy(book, 'bookId', indexOf([{ ...books, responses }, book]))?.pointer;
  expect(found({ ...success, status: '404' })).toBeUndefined();
  expect(found(empty, success)).toBe('/0/id');
  expect(found({ ...success, status: '400', schema: { items: entry('bookId') } }, success)).toBe('/0/id');
  expect(found(empty)).toBeUndefined();
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
  expect(shownBy(book, parameter, indexOf([books, book]))?.pointer).toBe(expected);
});
