import { expect, test } from 'vitest';
import { placeOf, placeWithoutRequest } from './place.ts';

test.each([
  ['the operation and the status', ['listPets', '200', false], 'listPets 200'],
  ['no answer', ['GET /pets', 'no answer', false], 'GET /pets no answer'],
  ['a refusal by the limit, whichever request it was', ['listPets', '429', false], 'a refusal 429'],
  ['a wrong key that is accepted, wherever it was sent', ['createPet', '201', true], 'a wrong key accepted'],
  ['a wrong key that is refused', ['createPet', '403', true], 'a wrong key 403'],
] as const)('a place: %s', (_, [operation, outcome, hasWrongKey], place) => {
  expect(placeOf(operation, outcome, hasWrongKey)).toBe(place);
});

test.each([
  ['listPets:minimal 200', 'listPets 200'],
  ['listPets:further limit=70#1 200', 'listPets 200'],
  ['pets:search:minimal no answer', 'pets:search no answer'],
  ['GET /pets/{id}:minimal 404', 'GET /pets/{id} 404'],
  ['listPets:key-bare 401', 'a wrong key 401'],
  ['listPets:key-bare 200', 'a wrong key accepted'],
  ['listPets:key-absent 401', 'listPets 401'],
  ['listPets 200', 'listPets 200'],
  ['a refusal 429', 'a refusal 429'],
  ['a wrong key accepted', 'a wrong key accepted'],
  ['by-hand', 'by-hand'],
  ['by:hand 200', 'by:hand 200'],
])('a place that names a request, as in older baselines: %s', (text, place) => {
  expect(placeWithoutRequest(text, ['listPets', 'pets', 'pets:search', 'GET /pets/{id}'])).toBe(place);
});
