import { adding, type ChangeCase, testChanges } from '../../../test/services/change-cases.ts';
import type { Ask, Reply } from '../../../test/services/running-reference.ts';
import { simultaneousFaults } from './simultaneous.ts';

type Request = readonly [path: string, ask?: Ask];

const CREATION: Request = ['/pets', adding({ name: 'Rex', categoryId: 1, status: 'sold' })];
const LIST: Request = ['/pets?limit=9'];
const FETCH: Request = ['/pets/1001'];
const KEYLESS: Request = ['/store/orders', { key: null }];
const WRONG: Request = ['/pets/1002', { key: 'Bearer another' }];

/** What a request gets alone, and then at the same time as another one. */
const beside = (
  id: string,
  request: Request,
  other: Request,
  look: (reply: Reply) => unknown,
  [usual, shown]: readonly [unknown, unknown],
): ChangeCase => ({
  id,
  ask: async ({ ask }) => {
    const alone = look(await ask(...request));
    // The other one arrives first.
    const [, reply] = await Promise.all([ask(...other), ask(...request)]);
    return { alone, together: look(reply) };
  },
  usual: { alone: usual, together: usual },
  shown: { alone: usual, together: shown },
});

const status = (reply: Reply) => reply.status;
const isList = ({ json }: Reply) => Array.isArray(json);
const ids = ({ list }: Reply) => new Set(list.map(({ id }) => id)).size;
const category = ({ list }: Reply) => typeof list.at(-1)?.categoryId;

const name = ({ object }: Reply) => object.name;

testChanges(simultaneousFaults, [
  beside('additions-together-500', CREATION, CREATION, status, [201, 500]),
  beside('addition-beside-wrong-key-refused', CREATION, KEYLESS, status, [201, 401]),
  beside('fetch-beside-addition-404', FETCH, CREATION, status, [200, 404]),
  beside('fetches-together-names', FETCH, ['/pets/1002'], name, ['Luna', '/v1/pets/1002']),
  beside('list-beside-orders-500', LIST, ['/store/orders'], status, [200, 500]),
  beside('addition-beside-list-body', CREATION, LIST, isList, [false, true]),
  beside('list-beside-addition-half', LIST, CREATION, category, ['number', 'undefined']),
  beside('list-beside-addition-twice', LIST, CREATION, ids, [9, 8]),
  beside('read-beside-wrong-key-let-in', WRONG, FETCH, status, [401, 200]),
  beside('read-beside-wrong-key-refused', FETCH, KEYLESS, status, [200, 401]),
  beside('list-beside-wrong-key-body', LIST, KEYLESS, isList, [true, false]),
]);
