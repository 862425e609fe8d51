import { expect, test } from 'vitest';
import { tinyContract } from '../../../test/tiny-interface/contract.ts';
import { ContractError } from '../../model/contract.ts';

const [findBooks, addBook] = tinyContract().operations;

test('operations come in the order of the document, with what holds for the whole document', () => {
  expect(tinyContract().operations.map(({ id }) => id)).toEqual(['findBooks', 'addBook']);
  expect(findBooks).toMatchObject({
    method: 'GET',
    path: '/books',
    address: 'baseUrl',
    secured: true,
    deprecated: false,
  });
  expect(tinyContract().basePath).toBe('/api');
});

test('a parameter has its name, its place and its bounds', () => {
  const schema = { type: 'integer', minimum: 10, maximum: 900 };
  const plain = { examples: [], allowReserved: false, isJson: false };
  expect(findBooks?.parameters).toEqual([{ name: 'pages', in: 'query', required: false, schema, ...plain }]);
});

test('a body has its media type and its schema, under the name of its component', () => {
  expect(addBook?.body).toMatchObject({ required: true, mediaType: 'application/json', unspecified: [] });
  expect(addBook?.body?.schema).toMatchObject({ 'x-component': 'NewBook', required: ['title'] });
});

test('a response that operations share is one requirement; a response of one operation is its own', () => {
  const idsOf = (responses = addBook?.responses) => responses?.map(({ requirement }) => requirement);
  expect(idsOf()).toEqual(['addBook.201', 'addBook.400', 'Stranger']);
  expect(idsOf(findBooks?.responses)).toEqual(['findBooks.200', 'Stranger']);
});

test('a schema of several parts has the fields of all of them', () => {
  const book = addBook?.responses.find(({ status }) => status === '201')?.schema;
  expect(Object.keys(book?.properties ?? {}).sort()).toEqual(['number', 'shelf', 'title']);
  expect([...(book?.required ?? [])].sort()).toEqual(['number', 'title']);
});

test.each([
  [
    'a schema that contains itself',
    (text: string) =>
      text.replace('reason: { type: string }', 'reason: { $ref: "#/components/schemas/Problem" }'),
    /contains itself|contain itself/,
  ],
  [
    'a reference that leads nowhere',
    (text: string) => text.replaceAll('responses/Stranger', 'responses/Nobody'),
    /Nobody/,
  ],
])('%s is refused by name', (_, change, message) => {
  expect(() => tinyContract(change)).toThrow(ContractError);
  expect(() => tinyContract(change)).toThrow(message);
});
