import { adding, type ChangeCase, testChanges } from '../../../../test/services/change-cases.ts';
import type { Ask, Reply } from '../../../../test/services/running-reference.ts';
import { connectionFaults } from './connection.ts';

type Step = readonly [path: string, ask?: Ask];

const REFUSED: Step = ['/pets?limit=0'];
const KEYLESS: Step = ['/pets', { key: null }];
const ABSENT: Step = ['/pets/5'];
const CREATION: Step = ['/pets', adding({ name: 'Rex', categoryId: 1 })];
const LIST: Step = ['/pets?limit=3'];
const FETCH: Step = ['/pets/1009'];
const OTHER: Step = ['/pets/1001'];
const ORDERS: Step = ['/store/orders'];

/** A read on the connection of another request, and the same read on a connection of its own. */
const after = (
  id: string,
  before: Step,
  read: Step,
  look: (reply: Reply) => unknown,
  [usual, shown]: readonly [unknown, unknown],
): ChangeCase => ({
  id,
  ask: async ({ connect }) => {
    const [kept, fresh] = [connect(), connect()];
    await kept(...before);
    const see = (ask: typeof kept) => ask(...read).then(look, () => 'no complete response');
    return { kept: await see(kept), fresh: await see(fresh) };
  },
  usual: { kept: usual, fresh: usual },
  shown: { kept: shown, fresh: usual },
});

const status = (reply: Reply) => reply.status;
const hasList = ({ json }: Reply) => Array.isArray(json);
const hasAnimal = ({ object }: Reply) => object?.id === 1009;

testChanges(connectionFaults, [
  after('after-400-status', REFUSED, FETCH, status, [200, 400]),
  after('after-400-body', REFUSED, LIST, hasList, [true, false]),
  after('after-400-length', REFUSED, FETCH, hasAnimal, [true, 'no complete response']),
  after('after-401-type', KEYLESS, FETCH, ({ headers }) => headers['content-type'], [
    'application/json',
    'text/plain',
  ]),
  after('after-401-header', KEYLESS, FETCH, ({ headers }) => headers['x-ratelimit-limit'], ['60', undefined]),
  after('after-401-null', KEYLESS, FETCH, ({ json }) => json === null, [false, true]),
  after('after-404-status', ABSENT, FETCH, status, [200, 404]),
  after('after-404-body', ABSENT, LIST, hasList, [true, false]),
  after('after-404-both', ABSENT, FETCH, ({ json }) => json !== undefined, [true, false]),
  after('after-list-fetch', LIST, FETCH, ({ object }) => object.id, [1009, 1001]),
  after('after-fetch-fetch', OTHER, FETCH, ({ object }) => object.id, [1009, 1001]),
  after('after-fetch-name', OTHER, FETCH, ({ object }) => object.name, ['रानी', 'Luna']),
  after('after-list-list', LIST, ['/pets?limit=4&status=sold'], ({ list }) => list.length, [4, 3]),
  after('after-created-list', CREATION, LIST, hasList, [true, false]),
  after('after-orders-fetch', ORDERS, FETCH, hasList, [false, true]),
]);
