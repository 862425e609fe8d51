import 'petspec/vitest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../src/app.js';

let app: App;
beforeAll(async () => {
  app = await startApp({ apiKey: 'the-key-of-these-tests' });
});
afterAll(() => app.close());

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  return fetch(`${app.baseUrl}${path}`, { ...init, headers: { Authorization: `Bearer ${app.apiKey}` } });
}

test('lists are newest first', async () => {
  const added = await ask('/pets', { method: 'POST', body: JSON.stringify({ name: 'Mia', categoryId: 7 }) });
  await expect(added).toConformTo('createPet');
  const list = await ask('/pets?limit=1');
  await expect(list).toConformTo('listPets');
  expect(await list.json()).toEqual([await added.json()]);
});

test('a refusal is an Error with the limits, too', async () => {
  await expect(await ask('/pets', { method: 'POST', body: '{}' })).toConformTo('createPet');
  await expect(await ask('/pets/none')).toConformTo('getPet');
  await expect(await fetch(`${app.baseUrl}/pets`)).toConformTo('listPets');
});
