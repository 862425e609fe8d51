import { expect, test } from 'vitest';
import { tinyContract } from '../../test/tiny-interface/contract.ts';
import { bodyOwner, fieldsOf, ownerOf } from './schema.ts';

const list = tinyContract().operations[0]?.responses[0]?.schema ?? {};

test('the fields of a list are those of its entries', () => {
  expect(fieldsOf(list, 'findBooks.200.body').map(({ id, required }) => [id, required])).toEqual(
    expect.arrayContaining([
      ['Book.title', true],
      ['Book.shelf', false],
      ['Book.number', true],
    ]),
  );
});

test.each([
  [[], 'findBooks.200.body'],
  [['7'], 'Book'],
  [['7', 'number'], 'Book.number'],
  // Nobody stated it: it belongs to the record that has it.
  [['7', 'cover'], 'Book'],
])('the place /%j of a list belongs to %s', (pointer, owner) => {
  expect(ownerOf(list, bodyOwner('findBooks.200.body'), pointer)).toBe(owner);
});
