import { expect, test } from 'vitest';
import { creation, operation, pathParameter } from '../../../test/operations/operations.ts';
import type { Resource } from '../../contract/resources.ts';
import type { Schema } from '../../model/contract.ts';
import { withReferences } from './references.ts';

const resource = (
  name: string,
  properties: Record<string, Schema>,
  change: Partial<Resource> = {},
): Resource => ({
  create: creation({ type: 'object', properties }, { id: `create ${name}`, path: `/${name}` }),
  item: `/${name}/{id}`,
  parameter: 'id',
  pointers: ['/id'],
  sure: ['/id'],
  field: '/id',
  replace: [],
  parts: [],
  actions: [],
  below: [],
  ...change,
});
const INTEGER: Schema = { type: 'integer' };
const creations = ({ create }: Resource) => [`${create.id}:first`, `${create.id}:second`];
const found = (...resources: Resource[]) => withReferences(resources, creations);
const fieldsOf = (all: Resource[], name: string) =>
  all.find(({ create }) => create.id === `create ${name}`)?.create.body?.schema.properties ?? {};
/** The field of a book, and what it refers to among authors and shops. */
const referred = (name: string, field: Schema = INTEGER) => {
  const others = ['authors', 'book-shops', 'box', 'x'].map((each) => resource(each, {}));
  const id = fieldsOf(found(resource('books', { [name]: field }), ...others), 'books')[name]?.[
    'x-created-id'
  ];
  return id?.probes[0]?.replace(/^create (.*):first$/, '$1');
};

test.each([
  ['authorId', 'authors'],
  ['author_id', 'authors'],
  ['author-id', 'authors'],
  ['authorUuid', 'authors'],
  ['AUTHOR_ID', 'authors'],
  ['authorsId', 'authors'],
  ['bookShopId', 'book-shops'],
  ['boxId', 'box'],
  ['xid', 'x'],
  ['author', undefined],
  ['authorIds', undefined],
  ['authorIdNumber', undefined],
  ['id', undefined],
  ['readerId', undefined],
  // A thing is no reference to itself.
  ['bookId', undefined],
])('%s refers to %s', (name, to) => {
  expect(referred(name)).toBe(to);
});

test('what refers is a text or an integer, and no member', () => {
  const types: Schema[] = [
    { type: 'string' },
    { type: 'integer' },
    { type: 'number' },
    { type: 'integer', enum: [1] },
    {},
  ];
  expect(types.map((field) => referred('authorId', field))).toEqual([
    'authors',
    'authors',
    undefined,
    undefined,
    undefined,
  ]);
  const all = found(
    resource('books', { authorId: { type: 'string', maxLength: 9 } }),
    resource('authors', {}),
  );
  expect(fieldsOf(all, 'books').authorId).toEqual({
    ...{ type: 'string', maxLength: 9 },
    'x-created-id': { probes: ['create authors:first', 'create authors:second'], as: 'string' },
  });
});

test('a name that fits two kinds of things refers to neither', () => {
  const shop = resource('authors', {}, { item: '/shop/authors/{id}' });
  const all = found(resource('books', { authorId: INTEGER }), resource('authors', {}), shop);
  expect(fieldsOf(all, 'books').authorId).toEqual(INTEGER);
});

test('what others refer to comes first, a parent too, and the order stays otherwise', () => {
  const order = (...resources: Resource[]) =>
    found(...resources).map(({ create }) => create.id.slice('create '.length));
  const [loans, books, authors] = [
    resource('loans', { bookId: INTEGER }),
    resource('books', { authorId: INTEGER }),
    resource('authors', {}),
  ];
  expect(order(loans, books, authors)).toEqual(['authors', 'books', 'loans']);
  expect(order(authors, loans)).toEqual(['authors', 'loans']);
  expect(order(loans, authors)).toEqual(['loans', 'authors']);
  const pages = resource('pages', {}, { parent: books });
  expect(order(pages, books, authors)).toEqual(['authors', 'books', 'pages']);
});

test('of things that refer to each other, one comes first all the same', () => {
  const all = found(resource('dogs', { ownerId: INTEGER }), resource('owners', { dogId: INTEGER }));
  expect(all.map(({ create }) => create.id)).toEqual(['create owners', 'create dogs']);
});

test('objects within a body refer to others, too, three levels deep', () => {
  const nested = (depth: number): Schema =>
    depth === 0 ? INTEGER : { properties: { authorId: nested(depth - 1) } };
  const isFound = (depth: number) =>
    JSON.stringify(
      fieldsOf(found(resource('books', { a: nested(depth) }), resource('authors', {})), 'books'),
    ).includes('x-created-id');
  expect([1, 2, 3].map(isFound)).toEqual([true, true, true]);
  expect([4, 5].map(isFound)).toEqual([false, false]);
});

test('the entries of a list in a body refer to others, too', () => {
  const lines: Schema = { type: 'array', items: { properties: { authorId: INTEGER } } };
  const all = found(resource('orders', { lines }), resource('authors', {}));
  expect(all.map(({ create }) => create.id)).toEqual(['create authors', 'create orders']);
  expect(fieldsOf(all, 'orders').lines?.items?.properties?.authorId).toHaveProperty('x-created-id');
});

test('what replaces a thing refers as well; a body that the user stated stays as it is', () => {
  const body = creation({ properties: { authorId: INTEGER } }).body;
  const put = operation({
    id: 'put',
    method: 'PUT',
    path: '/books/{id}',
    parameters: [pathParameter('id', {})],
    ...(body ? { body } : {}),
  });
  const replaced = (replace: Resource['replace']) =>
    found(resource('books', {}, { replace }), resource('authors', {})).find(
      ({ item }) => item === '/books/{id}',
    )?.replace[0];
  expect(replaced([put])?.body?.schema.properties?.authorId).toHaveProperty('x-created-id');
  const stated = { ...put, ...(body ? { body: { ...body, isStated: true as const } } : {}) };
  expect(replaced([stated])).toBe(stated);
  const { body: _, ...bodiless } = put;
  expect(replaced([bodiless])).toBe(bodiless);
});
