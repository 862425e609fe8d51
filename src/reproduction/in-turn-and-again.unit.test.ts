import { expect, test } from 'vitest';
import { changed, creation, type How, list, refusal, reproductionIn } from '../../test/reproduce/scripts.ts';
import type { Exchange } from '../model/exchange.ts';

/** What is sent in order, what over and over, and how often. */
function loopOf(exchanges: readonly Exchange[], ids: readonly number[], times: number) {
  const repetition: How['repetition'] = { kind: 'in-turn-and-again', exchanges: ids, times };
  const found = reproductionIn(exchanges, { repetition });
  if (typeof found !== 'object' || found.shape !== 'until-refused') return expect.fail('it is no loop');
  const { before, repeated, times: most, usesUpLimit } = found;
  return { before: before.map(({ id }) => id), repeated: repeated.map(({ id }) => id), most, usesUpLimit };
}

test('one plain read goes on until as many with the key were sent as in the run', () => {
  expect(loopOf([list, creation, changed(list, { id: 3 })], [1, 2, 3], 20)).toEqual({
    before: [],
    repeated: [3],
    most: 20,
    usesUpLimit: false,
  });
});

test('a refusal takes the whole limit and two more', () => {
  expect(loopOf([list, creation, refusal], [1, 2, 4], 30)).toEqual({
    before: [],
    repeated: [4],
    most: 62,
    usesUpLimit: true,
  });
});

test('what came right before it and the limit may not count is sent first', () => {
  const early = changed(list, { id: 5, key: 'absent', requestHeaders: [] });
  const counted = changed(list, { id: 6 });
  const withoutKey = changed(early, { id: 7 });
  const elsewhere = changed(list, { id: 8, address: 'apiUrl', url: 'https://api.example.com/messages' });
  const last = changed(list, { id: 9 });
  const all = [list, early, counted, withoutKey, elsewhere, last];
  expect(loopOf(all, [1, 5, 6, 7, 8, 9], 20)).toMatchObject({ before: [7, 8], repeated: [9], most: 20 });
});

test('an addition is sent once, and then one that adds nothing', () => {
  const invalid = changed(creation, {
    id: 5,
    probe: 'createPet:name-missing',
    requestBody: '{"categoryId":1}',
    response: { status: 400, headers: [], body: '{}' },
  });
  expect(loopOf([list, invalid, creation], [1, 2], 9)).toMatchObject({
    before: [2],
    repeated: [5],
    most: 8,
  });
});
