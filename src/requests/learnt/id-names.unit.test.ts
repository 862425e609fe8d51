import { expect, test } from 'vitest';
import { identifying, nameAnywhere, wantedIn } from './id-names.ts';

/** The last parameter of a path. */
const wanted = (path: string) => wantedIn(path, /\{(\w+)\}[^{]*$/.exec(path)?.[1] ?? '', undefined);

test.each([
  ['/books/{id}', 'book'],
  ['/categories/{id}', 'category'],
  ['/boxes/{id}', 'box'],
  ['/branches/{id}', 'branch'],
  ['/buses/{id}', 'bus'],
  ['/courses/{id}', 'course'],
  ['/warehouses/{id}', 'warehouse'],
  ['/caches/{id}', 'cache'],
  ['/movies/{id}', 'movie'],
  ['/news/{id}', 'news'],
  ['/addresses/{id}', 'address'],
  ['/address/{id}', 'address'],
  ['/status/{id}', 'status'],
  ['/analysis/{id}', 'analysis'],
  ['/shop/gift-cards/{id}/pages', 'giftcard'],
  ['/{id}', ''],
])('the resources of %s have the noun %j', (path, noun) => {
  expect(wanted(path).noun).toBe(noun);
});

test.each([
  ['/books/{bookId}', 'bookid'],
  ['/books/{isbn}', 'isbn'],
  ['/books/{id}', 'bookid'],
  ['/books/{uuid}', 'bookuuid'],
  ['/categories/{key}', 'categorykey'],
  // Fields of any resource may have these names.
  ['/{id}', undefined],
  ['/books/{slug}', undefined],
  ['/books/{name}', undefined],
  ['/books/{status}', undefined],
  ['/books/{no}', undefined],
])('any response may show the value of %s as %s', (path, name) => {
  expect(nameAnywhere(wanted(path))).toBe(name);
});

test.each([
  ['/books/{bookId}', ['id', 'book_id'], 'book_id'],
  ['/books/{bookId}', ['title', 'id'], 'id'],
  ['/books/{id}', ['title', 'bookId'], 'bookId'],
  ['/categories/{id}', ['bookId', 'categoryId'], 'categoryId'],
  ['/books/{id}', ['title', 'authorId'], undefined],
  ['/repos/{owner}/{repo}', ['stars', 'name'], 'name'],
  ['/repos/{repo}', ['stars', 'name'], undefined],
])('%s is identified, of the fields %j, by %s', (path, fields, field) => {
  expect(identifying(fields, wanted(path))).toBe(field);
});
