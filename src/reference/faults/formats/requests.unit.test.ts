import { adding, type ChangeCase, messaging, testChanges } from '../../../../test/change-cases.ts';
import { type Ask, KEY, type Reply } from '../../../../test/running-reference.ts';
import { requestHeaderFaults } from './headers.ts';
import { requestFaults } from './requests.ts';

const type = ({ headers }: Reply) => headers['content-type'];
const status = (reply: Reply) => reply.status;
const name = ({ object }: Reply) => object.name;
const JSON_TYPE = 'application/json';

/** What a list, an added animal or another request gets that is unusual in one way. */
const request = (
  id: string,
  path: string,
  look: (reply: Reply) => unknown,
  [usual, shown]: readonly [unknown, unknown],
  unusual: Ask = {},
): ChangeCase => ({
  id,
  ask: async ({ ask }) => look(await ask(path, { ...unusual, headers: { ...PLAIN, ...unusual.headers } })),
  usual,
  shown,
});
const PLAIN = { 'user-agent': 'petspec/0.3.0' };
const accepting = (accept: string): Ask => ({ headers: { accept } });
const agent = (text: string): Ask => ({ headers: { 'user-agent': text, accept: JSON_TYPE } });
const origin: Ask = { headers: { origin: 'https://example.com', accept: JSON_TYPE } };
const declared = (mediaType: string): Ask => ({
  ...adding({ name: 'Zoë and Rex', categoryId: 1 }),
  headers: { 'content-type': mediaType },
});
const pets = '/pets';
const one = '/pets/1001';

testChanges(
  [...requestHeaderFaults, ...requestFaults],
  [
    request('header-case-content-type', pets, status, [201, 400], {
      ...adding({ name: 'Rex', categoryId: 1 }),
      headers: { 'Content-Type': JSON_TYPE },
    }),
    request('header-case-authorization', one, status, [200, 401], {
      key: null,
      headers: { AUTHORIZATION: `Bearer ${KEY}` },
    }),
    request('header-case-accept', one, type, [JSON_TYPE, 'text/html; charset=utf-8'], {
      headers: { Accept: JSON_TYPE },
    }),
    request('accept-absent-500', pets, status, [200, 500]),
    request('accept-absent-html', pets, type, [JSON_TYPE, 'text/html; charset=utf-8']),
    request('accept-any-xml', pets, type, [JSON_TYPE, 'application/xml'], accepting('*/*')),
    request('accept-any-text', pets, type, [JSON_TYPE, 'text/plain'], accepting('*/*')),
    request('accept-list-500', pets, status, [200, 500], accepting('application/json, text/plain;q=0.5')),
    request(
      'accept-list-last',
      pets,
      type,
      [JSON_TYPE, 'text/html; charset=utf-8'],
      accepting('application/json, */*;q=0.1'),
    ),
    request(
      'agent-browser-html',
      pets,
      type,
      [JSON_TYPE, 'text/html; charset=utf-8'],
      agent('Mozilla/5.0 (X11)'),
    ),
    request('agent-script-503', pets, status, [200, 503], agent('curl/8.5.0')),
    request('agent-other-500', pets, status, [200, 500], agent('somebody')),
    request('origin-500', pets, status, [200, 500], origin),
    request(
      'origin-headers-lost',
      pets,
      ({ headers }) => 'x-ratelimit-remaining' in headers,
      [true, false],
      origin,
    ),
    request('charset-500', pets, status, [201, 500], declared('application/json; charset=utf-8')),
    request(
      'charset-latin-1',
      pets,
      name,
      ['Zoë and Rex', 'ZoÃ« and Rex'],
      declared('application/json;charset=UTF-8'),
    ),
    request('charset-message-502', '/messages', status, [202, 502], {
      ...messaging,
      headers: { 'content-type': 'application/json; charset=utf-8' },
    }),
    request('media-type-case-500', pets, status, [201, 500], declared('Application/JSON')),
    request('media-type-case-form', pets, name, ['Zoë and Rex', 'Zoë+and+Rex'], declared('APPLICATION/JSON')),
    request('chunked-500', pets, status, [201, 500], { ...declared(JSON_TYPE), chunked: true }),
    request('chunked-name-cut', pets, name, ['Zoë and Rex', 'Zoë a'], {
      ...declared(JSON_TYPE),
      chunked: true,
    }),
    {
      id: 'chunked-message-hangs',
      ask: async ({ ask, clock }) => {
        const timeout = new AbortController();
        void clock.sleep(10_000).then(() => timeout.abort());
        const sent = ask('/messages', { ...messaging, chunked: true, signal: timeout.signal });
        return sent.then(status, ({ name }: Error) => name);
      },
      usual: 202,
      shown: 'AbortError',
    },
    request('parameter-unknown-500', '/pets?page=2', status, [200, 500]),
    request(
      'parameter-unknown-twice',
      '/pets?_=1',
      ({ list }) => new Set(list.map(({ id }) => id)).size,
      [20, 19],
    ),
    request('parameter-unknown-orders-502', '/store/orders?page=2', status, [200, 502]),
    request('escape-path-500', '/%70ets', status, [200, 500]),
    request(
      'escape-query-unfiltered',
      '/pets?status=s%6Fld',
      ({ list }) => new Set(list.map(({ status }) => status)).size,
      [1, 4],
    ),
    request('escape-path-first', '/pets/100%32', ({ object }) => object.id, [1002, 1001]),
  ],
);
