import { type ChangeCase, last, statusOf, testChanges } from '../../../../test/change-cases.ts';
import type { Ask, Reply } from '../../../../test/running-reference.ts';
import { refusalFaults } from './refusals.ts';

type Step = readonly [path: string, ask?: Ask];

const KEYLESS: Step = ['/pets', { key: null }];
const FETCH: Step = ['/pets/1009'];

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

testChanges(refusalFaults, [
  after('after-401-type', KEYLESS, FETCH, ({ headers }) => headers['content-type'], [
    'application/json',
    'text/plain',
  ]),
  after('after-401-header', KEYLESS, FETCH, ({ headers }) => headers['x-ratelimit-limit'], ['60', undefined]),
  after('after-401-null', KEYLESS, FETCH, ({ json }) => json === null, [false, true]),
  last(
    'wrong-then-right-fetch',
    [FETCH, ['/pets/1009', { key: 'Bearer another' }], FETCH],
    statusOf,
    [200, 401],
  ),
]);
