import { adding, type ChangeCase, testChanges } from '../../../../test/services/change-cases.ts';
import type { Running } from '../../../../test/services/running-reference.ts';
import { jsonFaults } from './json.ts';

/** What a body gets: the fields of the animal as it is fetched, or the status if it is refused. */
async function read({ ask }: Running, body: string) {
  const { status, object } = await ask('/pets', adding(body));
  if (status !== 201) return status;
  const { id: _, ...fields } = (await ask(`/pets/${object.id}`)).object;
  return fields;
}

const REX = { name: 'Rex', categoryId: 1, status: 'sold' };
const body = (id: string, text: string, shown: unknown, usual: unknown = REX): ChangeCase => ({
  id,
  ask: (client) => read(client, text),
  usual,
  shown,
});
const named = (id: string, literal: string, name: string, shown: unknown) =>
  body(
    id,
    `{"name":"${literal}","categoryId":1,"status":"sold"}`,
    typeof shown === 'string' ? { ...REX, name: shown } : shown,
    { ...REX, name },
  );

testChanges(jsonFaults, [
  body('body-space-first', ' \n{"name":"Rex","categoryId":1,"status":"sold"}', 400),
  body('body-lines', '{\n "name":"Rex","categoryId":1,"status":"sold"}', 400),
  body('body-space-status', '{"name":"Rex","categoryId":1,"status": "sold"}', { name: 'Rex', categoryId: 1 }),
  body('body-name-not-first', '{"categoryId":1,"name":"Rex","status":"sold"}', 400),
  body('body-status-before-name', '{"status":"sold","name":"Rex","categoryId":1}', {
    name: 'Rex',
    categoryId: 1,
  }),
  body('body-name-last', '{"categoryId":1,"status":"sold","name":"Rex"}', { ...REX, name: 'Re' }),
  named('escape-pair-replaced', 'a\\ud83d\\udc08b', 'a🐈b', 'a\ufffd\ufffdb'),
  named('escape-dropped', '\\u0052ex \\\\u0041', 'Rex \\u0041', 'u0052ex \\u0041'),
  named('escape-upper-case', 'Zo\\u00EB', 'Zoë', 400),
  named('escape-slash-kept', 'a\\/b \\\\/c', 'a/b \\/c', 'a\\/b \\/c'),
  named('escape-slash-refused', 'a\\/b', 'a/b', 400),
]);
