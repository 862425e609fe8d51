import { adding, type ChangeCase, testChanges } from '../../../test/services/change-cases.ts';
import type { Ask, Reply } from '../../../test/services/running-reference.ts';
import { unusualFormFaults } from './request-forms.ts';

const status = (reply: Reply) => reply.status;
const name = ({ object }: Reply) => object.name;
const hasId = ({ object }: Reply) => 'id' in object;

const one = (
  id: string,
  [path, ask]: readonly [path: string, ask?: Ask],
  look: (reply: Reply) => unknown,
  [usual, shown]: readonly [unknown, unknown],
): ChangeCase => ({ id, ask: async (client) => look(await client.ask(path, ask)), usual, shown });

const REX = adding({ name: 'Zoë', categoryId: 1 });
const as = (type: string): Ask => ({ ...REX, headers: { 'content-type': type } });
const CHARSET = as('application/json; charset=utf-8');
const CHUNKED: Ask = { ...REX, chunked: true };

testChanges(unusualFormFaults, [
  one('charset-latin', ['/pets', CHARSET], name, ['Zoë', 'ZoÃ«']),
  one('charset-500', ['/pets', CHARSET], status, [201, 500]),
  one('type-case-500', ['/pets', as('APPLICATION/JSON')], status, [201, 500]),
  one('chunks-decoded-alone', ['/pets', CHUNKED], name, ['Zoë', 'Zo\ufffd\ufffd']),
  one('chunks-500', ['/pets', CHUNKED], status, [201, 500]),
  one('escaped-path-without-id', ['/%70ets', REX], hasId, [true, false]),
  one('parameter-unknown-500', ['/pets?sort=name'], status, [200, 500]),
  one(
    'origin-fetch-500',
    ['/pets/1001', { headers: { origin: 'https://shop.example' } }],
    status,
    [200, 500],
  ),
]);
