import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { nextNamed, nextPage } from './next-page.ts';

const URL = 'https://api.example/things?size=2';

test.each<[body: Json, named: Partial<ReturnType<typeof nextNamed>>]>([
  [{ next: 'c2' }, { field: 'c2', isPromise: true }],
  [{ cursor: 'c1' }, { field: 'c1', isPromise: false }],
  [{ paging: { after: 7 } }, { field: '7', isPromise: false }],
  [{ _links: { next: { href: '/things?page=2' } } }, { field: '/things?page=2', isPromise: true }],
  [{ _links: { next: { href: '' } } }, { isLast: true }],
  [{ next: { href: null } }, { isLast: true }],
  [{ next: '' }, { isLast: true }],
  [{ next: 'c2', has_more: false }, { isLast: true }],
  [{ things: [] }, {}],
])('%j names the next page', (body, named) => {
  expect(nextNamed(URL, [], body)).toEqual({ url: URL, ...named });
});

test.each([
  ['?page=2', { pairs: [['page', '2']], isWhole: true }],
  ['https://api.example/things/?page=2', { pairs: [['page', '2']], isWhole: true }],
  ['https://api.example/others?page=2', 'elsewhere'],
  ['https://other.example/things?page=2', 'elsewhere'],
  ['https://user@api.example/things?page=2', 'elsewhere'],
  ['https://[', 'elsewhere'],
  [`?page=${'2'.repeat(4000)}`, 'elsewhere'],
  [`?${'a=1&'.repeat(51)}`, 'elsewhere'],
  [undefined, undefined],
])('only a link to the address of the list is followed: %s', (link, place) => {
  const named = nextNamed(URL, link === undefined ? [] : [['link', `<${link}>; rel="next"`]], {});
  expect(nextPage({ place: 'link' }, named)).toEqual(place);
});
