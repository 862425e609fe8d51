import { expect, test } from 'vitest';
import { operation, response } from '../../test/operations/operations.ts';
import { tinyContract } from '../../test/tiny-interface/contract.ts';
import { derivedRequirements } from './requirements.ts';

const { requirements } = tinyContract();

test('each status, rule, field and shape of the document is one requirement, and each listed sentence', () => {
  expect(requirements.map(({ id }) => id).sort()).toEqual(
    [
      ...['findBooks.200', 'findBooks.200.body', 'findBooks.responses'],
      ...['findBooks.pages.minimum', 'findBooks.pages.maximum'],
      ...['addBook.201', 'addBook.400', 'addBook.body', 'addBook.responses'],
      ...['NewBook.title', 'NewBook.shelf'],
      ...['Book', 'Book.number', 'Book.shelf', 'Book.title'],
      ...['Problem', 'Problem.reason', 'Stranger'],
      ...['books.covers', 'books.durable'],
    ].sort(),
  );
});

test('what the document implies binds; a listed sentence binds as much as it says', () => {
  const levels = new Map(requirements.map(({ id, level }) => [id, level]));
  expect([levels.get('findBooks.200'), levels.get('books.durable'), levels.get('books.covers')]).toEqual([
    'must',
    'must',
    'open',
  ]);
  const derived = requirements.filter(({ source }) => source === 'openapi');
  expect(derived).toHaveLength(18);
  expect(derived.every(({ level }) => level === 'must')).toBe(true);
});

test('a requirement names the section, and the operation where it has only one', () => {
  expect(requirements.find(({ id }) => id === 'NewBook.shelf')).toMatchObject({
    section: 'Adding a book',
    operation: 'addBook',
  });
  expect(requirements.find(({ id }) => id === 'Stranger')).not.toHaveProperty('operation');
});

test('a statement has the figures of the document', () => {
  const statementOf = (wanted: string) => requirements.find(({ id }) => id === wanted)?.statement;
  expect(statementOf('findBooks.pages.minimum')).toContain('10');
  expect(statementOf('NewBook.title')).toContain('80');
  expect(statementOf('NewBook.shelf')).toContain('north');
});

test.each([
  ['Every response', ['findThing 200', 'findThing 429', 'dropThing 200', 'dropThing 429']],
  ['Every 429', ['findThing 429', 'dropThing 429']],
  ['The 200 of GET /found', ['findThing 200']],
  ['Every response that is documented with it', ['findThing 200', 'dropThing 429']],
])('a header belongs to the responses that are documented with it: %s', (carriers, withHeader) => {
  const header = { name: 'X-Total', description: 'How many', required: true, section: '', schema: {} };
  const responsesOf = (id: string) =>
    ['200', '429'].map((status) =>
      response(status, { headers: withHeader.includes(`${id} ${status}`) ? [header] : [] }),
    );
  const derived = derivedRequirements([
    operation({ id: 'findThing', path: '/found', responses: responsesOf('findThing') }),
    operation({ id: 'dropThing', path: '/dropped', responses: responsesOf('dropThing') }),
  ]);
  expect(derived.find(({ id }) => id === 'X-Total')?.statement).toBe(
    `${carriers} carries X-Total: How many.`,
  );
});
