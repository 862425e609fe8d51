import { expect, test } from 'vitest';
import { changed, creation, list, reproductionIn } from '../../test/reproduce/scripts.ts';
import { requestsIn } from '../model/report/reproduction.ts';

const refused = changed(list, {
  key: 'absent',
  requestHeaders: [],
  response: { status: 401, headers: [], body: '{}' },
});

/** The ids of the requests that show what the last of these shows. */
function idsFor(...exchanges: Parameters<typeof reproductionIn>[0]) {
  const found = reproductionIn(exchanges);
  return typeof found === 'object' ? requestsIn(found).map(({ id }) => id) : found;
}

test('the request before belongs to it where the same request is right after others', () => {
  const right = changed(list, { id: 3 });
  const wrong = changed(list, { id: 5 });
  expect(idsFor(list, changed(creation, { id: 2 }), right, changed(refused, { id: 4 }), wrong)).toEqual([
    4, 5,
  ]);
});

test('it does not where the same request is right after one like it', () => {
  const wrong = changed(list, { id: 5 });
  const right = changed(list, { id: 3 });
  expect(idsFor(list, changed(refused, { id: 2 }), right, changed(refused, { id: 4 }), wrong)).toEqual([5]);
});

test('nor where nothing shows that the request is ever right', () => {
  expect(idsFor(changed(refused, { id: 4 }), changed(list, { id: 5 }))).toEqual([5]);
});

test('what is right alone and wrong beside others is a race', () => {
  expect(idsFor(list, changed(list, { id: 7, burst: 'beside' }))).toBe('race');
  expect(idsFor(changed(list, { id: 7, burst: 'beside' }))).toEqual([7]);
});
