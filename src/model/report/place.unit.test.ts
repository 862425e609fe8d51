import { expect, test } from 'vitest';
import { anySeed, placeIn, placeText } from './place.ts';

test.each([
  ['listPets:minimal 200', { request: 'listPets:minimal', outcome: '200' }],
  ['listPets:minimal no answer', { request: 'listPets:minimal', outcome: 'no answer' }],
  ['a refusal 429', { request: 'a refusal', outcome: '429' }],
  ['GET /pets timeout', { request: 'GET /pets', outcome: 'timeout' }],
  ['by-hand', { request: 'by-hand' }],
  ['by-hand ', { request: 'by-hand ' }],
])('a text and the place it names: %s', (text, place) => {
  expect(placeIn(text)).toEqual(place);
  expect(placeText(place)).toBe(text);
});

test.each([
  ['listPets:key-bare 401', 'listPets:key-wrong 401'],
  ['listPets:key-bare 403', 'listPets:key-wrong 403'],
  ['listPets:key-bare 200', 'listPets:key-bare 200'],
  ['listPets:key-absent 401', 'listPets:key-absent 401'],
  ['listPets:minimal 400', 'listPets:minimal 400'],
])('a refused key is the same place for every seed: %s', (text, expected) => {
  expect(placeText(anySeed(placeIn(text)))).toBe(expected);
});
