import { expect, test } from 'vitest';
import { changed, creation, list, probes, read, reproductionIn } from '../../test/reproduce/scripts.ts';
import type { Exchange } from '../model/exchange.ts';
import { requestsIn } from '../model/report/reproduction.ts';

/** The body of the last request that shows what this exchange shows. */
function sentFor(exchange: Exchange, variation?: readonly string[]) {
  const plain = changed(creation, { id: 1 });
  const found = reproductionIn([plain, exchange], variation ? { variation } : {});
  if (typeof found !== 'object') return expect.fail('it cannot be repeated');
  return requestsIn(found).at(-1) ?? expect.fail('there is no request');
}

/** An addition with all that may ride along on it, as a run sends it. */
const noisy = changed(creation, {
  variations: ['json-space:lines', 'json-escapes:names', 'header-names:upper'],
  requestHeaders: [
    ['ACCEPT', 'application/json'],
    ['AUTHORIZATION', 'Bearer $PETSPEC_API_KEY'],
    ['CONTENT-TYPE', 'application/json'],
  ],
  requestBody: '\n{\r\n\t"\\u006eame"\t:\n"Мурка bcdfghjk"\r\n\t,"categoryId"\t:\n7\n}\r\n',
});

test('a body is plain: without blanks, escapes and other texts, with what the run learned', () => {
  const { requestBody, requestHeaders, variations } = sentFor(noisy);
  expect(requestBody).toMatch(/^\{"name":"[\w -]+\0unique\0","categoryId":7\}$/);
  expect(requestHeaders).toContainEqual(['authorization', 'Bearer $PETSPEC_API_KEY']);
  expect(requestHeaders.map(([name]) => name)).toEqual(requestHeaders.map(([name]) => name.toLowerCase()));
  expect(variations).toBeUndefined();
});

test('what is to blame stays, and nothing else', () => {
  const minimal = probes.get('createPet:minimal') ?? expect.fail('nothing is added');
  probes.set('createPet:varied', {
    ...minimal,
    id: 'createPet:varied',
    variations: [
      { id: 'space', kind: 'json-space', style: 'spaces' },
      { id: 'order', kind: 'field-order' },
    ],
  });
  const varied = changed(creation, {
    probe: 'createPet:varied',
    variations: ['space', 'order'],
    requestBody: ' { "categoryId" : 7 , "name" : "Rex-bcdfghjk" } ',
  });
  const { requestBody, variations } = sentFor(varied, ['space']);
  expect(requestBody).toMatch(/^ \{ "name" : "[\w -]+\0unique\0" , "categoryId" : 7 \} $/);
  expect(variations).toEqual(['space']);
});

test('the headers of the user stay, hidden', () => {
  const { requestHeaders } = sentFor(
    changed(noisy, { requestHeaders: [...noisy.requestHeaders, ['X-Gateway', '[hidden]']] }),
  );
  expect(requestHeaders).toContainEqual(['X-Gateway', '[hidden]']);
});

test('a plain request stays as it was sent', () => {
  const { url, requestHeaders } = sentFor(changed(list, { id: 2, url: `${list.url}?limit=3` }));
  expect([url, requestHeaders]).toEqual([`${list.url}?limit=3`, list.requestHeaders]);
});

test('what nothing planned is sent as it was', () => {
  expect(sentFor(changed(noisy, { probe: 'unknown' })).requestBody).toBe(noisy.requestBody);
});

test('a created record is created again, and requested by its new id', () => {
  const found = reproductionIn([list, creation, read]);
  if (typeof found !== 'object') return expect.fail('it cannot be repeated');
  expect(found.shape).toBe('in-turn');
  const [again, fetched] = requestsIn(found);
  expect(again).toMatchObject({ id: 2, gives: { name: 'id', field: 'id' } });
  expect(fetched?.url).toMatch(/\/pets\/\0id\0$/);
});

test('a record that was removed since and that nothing creates cannot be requested again', () => {
  const change = changed(list, {
    id: 2,
    operation: 'getPet',
    method: 'PATCH',
    probe: 'x',
    url: `${list.url}/76`,
  });
  const removal = changed(change, { id: 3, method: 'DELETE' });
  expect(reproductionIn([removal, change])).toBe('removed');
  expect(reproductionIn([change])).toMatchObject({ shape: 'one' });
});

test('what shows between requests that go out together is a race', () => {
  const repetition = { kind: 'together', exchanges: [1, 2] } as const;
  expect(reproductionIn([list, creation], { repetition })).toBe('race');
});
