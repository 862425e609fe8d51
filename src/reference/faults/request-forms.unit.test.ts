import type { ChangeCase } from '../../../test/services/change-cases.ts';
import { adding, testChanges, unusual } from '../../../test/services/change-cases.ts';
import type { Ask, Reply, Running } from '../../../test/services/running-reference.ts';
import { KEY } from '../../../test/services/running-reference.ts';
import { jsonFaults, requestHeaderFaults, unusualFormFaults } from './request-forms.ts';

const status = (reply: Reply) => reply.status;
const name = ({ object }: Reply) => object.name;
const hasId = ({ object }: Reply) => 'id' in object;

const one = (
  id: string,
  [path, ask]: readonly [path: string, ask?: Ask],
  look: (reply: Reply) => unknown,
  [usual, shown]: readonly [unknown, unknown],
): ChangeCase => ({ id, ask: async (client) => look(await client.ask(path, ask)), usual, shown });

const ZOE = adding({ name: 'Zoë', categoryId: 1 });
const as = (type: string): Ask => ({ ...ZOE, headers: { 'content-type': type } });
const CHARSET = as('application/json; charset=utf-8');
const CHUNKED: Ask = { ...ZOE, chunked: true };

testChanges(unusualFormFaults, [
  one('charset-latin', ['/pets', CHARSET], name, ['Zoë', 'ZoÃ«']),
  one('charset-500', ['/pets', CHARSET], status, [201, 500]),
  one('type-case-500', ['/pets', as('APPLICATION/JSON')], status, [201, 500]),
  one('chunks-decoded-alone', ['/pets', CHUNKED], name, ['Zoë', 'Zo\ufffd\ufffd']),
  one('chunks-500', ['/pets', CHUNKED], status, [201, 500]),
  one('escaped-path-without-id', ['/%70ets', ZOE], hasId, [true, false]),
  one('parameter-unknown-500', ['/pets?sort=name'], status, [200, 500]),
  one(
    'origin-fetch-500',
    ['/pets/1001', { headers: { origin: 'https://shop.example' } }],
    status,
    [200, 500],
  ),
]);

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

const JSON_TYPE = 'application/json';
const type = ({ headers }: Reply) => headers['content-type'];

testChanges(requestHeaderFaults, [
  unusual(
    'header-case-content-type',
    '/pets',
    { ...adding({ name: 'Rex', categoryId: 1 }), headers: { 'Content-Type': JSON_TYPE } },
    [201, 400],
  ),
  unusual(
    'header-case-authorization',
    '/pets/1001',
    { key: null, headers: { AUTHORIZATION: `Bearer ${KEY}` } },
    [200, 401],
  ),
  unusual(
    'header-case-accept',
    '/pets/1001',
    { headers: { Accept: JSON_TYPE } },
    [JSON_TYPE, 'text/html; charset=utf-8'],
    type,
  ),
  unusual('forwarded-crash', '/pets', { headers: { 'X-Forwarded-For': '192.0.2.1' } }, [200, 500]),
]);
