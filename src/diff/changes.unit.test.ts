import { expect, test } from 'vitest';
import { read } from '../../test/own-interface/document.ts';
import { type InterfaceChanges, interfaceChanges, isBreaking } from './changes.ts';

interface Books {
  path?: string;
  operationId?: string;
  parameters?: readonly object[];
  title?: object;
  required?: readonly string[];
  request?: { required: readonly string[]; title?: object };
  removal?: string;
}

/** A document with a list of books, which are also added, and a single book if there is a path for it. */
function document({ path, operationId = 'listBooks', parameters = [], ...book }: Books) {
  const content = (schema: object) => ({ 'application/json': { schema } });
  const Book = {
    type: 'object',
    required: book.required ?? ['title'],
    properties: { title: book.title ?? { type: 'string' }, pages: { type: 'integer' } },
  };
  const NewBook = {
    type: 'object',
    required: book.request?.required ?? ['title'],
    properties: { title: book.request?.title ?? { type: 'string' }, pages: { type: 'integer' } },
  };
  const body = { $ref: '#/components/schemas/Book' };
  const ok = { description: 'x', content: content(body) };
  const [, name] = /\{(.*)\}/.exec(path ?? '') ?? [];
  const id = { name, in: 'path', required: true, schema: { type: 'integer' } };
  const removal = book.removal === undefined ? {} : { deprecated: true, 'x-sunset': book.removal };
  return {
    openapi: '3.1.0',
    info: { title: 'Books', version: '1' },
    paths: {
      '/books': {
        get: {
          operationId,
          parameters,
          responses: { 200: { description: 'x', content: content({ type: 'array', items: body }) } },
        },
        post: {
          operationId: 'addBook',
          requestBody: { required: true, content: content({ $ref: '#/components/schemas/NewBook' }) },
          responses: { 201: ok },
        },
      },
      ...(path === undefined
        ? {}
        : {
            [path]: { get: { operationId: 'getBook', parameters: [id], responses: { 200: ok }, ...removal } },
          }),
    },
    components: { schemas: { Book, NewBook } },
  };
}

async function between(before: Books, after: Books, asOf?: string): Promise<InterfaceChanges> {
  const [old, now] = [
    await read({ 'openapi.json': document(before) }),
    await read({ 'openapi.json': document(after) }),
  ];
  return interfaceChanges(old, asOf === undefined ? now : { ...now, asOf });
}

/** The ids that may break somebody. */
const breaking = ({ service, clients }: InterfaceChanges) =>
  [...service, ...clients].flatMap(({ id, change, breaks }) => (breaks ? [`${id} ${change}`] : []));

const SHORT = { type: 'string', maxLength: 9 };
const LIMIT = { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 100 } };

test.each<[what: string, before: Books, after: Books, breaks: string[]]>([
  ['nothing differs', {}, {}, []],
  ['a response is allowed less', {}, { title: SHORT }, ['Book.title tightens']],
  ['a response is allowed more', { title: SHORT }, {}, []],
  ['a response needs a field', {}, { required: ['title', 'pages'] }, ['Book.pages tightens']],
  ['a response has another type', {}, { title: { type: 'integer' } }, ['Book.title changes']],
  ['a field is said in other words', {}, { title: { type: 'string', description: 'other' } }, []],
  [
    'a request is allowed less',
    {},
    { request: { required: [], title: SHORT } },
    ['client.NewBook.title changes'],
  ],
  [
    'a request needs a field',
    {},
    { request: { required: ['title', 'pages'] } },
    ['client.NewBook.pages tightens'],
  ],
  ['a parameter may be sent', {}, { parameters: [LIMIT] }, []],
  [
    'a parameter has to be sent',
    {},
    { parameters: [{ ...LIMIT, required: true }] },
    ['client.listBooks.limit appears'],
  ],
  [
    'a parameter becomes required',
    { parameters: [LIMIT] },
    { parameters: [{ ...LIMIT, required: true }] },
    ['client.listBooks.limit tightens'],
  ],
  ['an operation gets another id', { operationId: 'books.list' }, { operationId: 'listBooks' }, []],
  ['a parameter of the path gets another name', { path: '/books/{id}' }, { path: '/books/{book}' }, []],
])('%s', async (_what, before, after, breaks) => {
  const changes = await between(before, after);
  expect(breaking(changes)).toEqual(breaks);
  expect(isBreaking(changes)).toBe(breaks.length > 0);
});

test('a new operation binds a service, and asks nothing of the clients there are', async () => {
  const changes = await between({}, { path: '/books/{id}' });
  expect(breaking(changes)).toEqual(['getBook.200 appears', 'getBook.responses appears']);
  expect(changes.gone).toEqual([]);
});

test('an operation that is gone breaks its clients', async () => {
  const changes = await between({ path: '/books/{id}' }, {});
  expect(changes.gone).toMatchObject([{ id: 'getBook', method: 'GET', path: '/books/{id}' }]);
  expect(breaking(changes)).toEqual([]);
  expect(isBreaking(changes)).toBe(true);
});

test.each([
  ['2030-12-04', []],
  ['2030-12-05', ['getBook']],
  ['2031-01-01', ['getBook']],
  [undefined, []],
])('as of %s, an operation with a day of removal may be gone', async (asOf, ids) => {
  const books = { path: '/books/{id}', removal: '2030-12-05' };
  const changes = await between(books, books, asOf);
  expect(changes.removed.map(({ id }) => id)).toEqual(ids);
  expect(isBreaking(changes)).toBe(ids.length > 0);
});
