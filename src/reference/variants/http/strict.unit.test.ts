import {
  adding,
  type ChangeCase,
  messaging,
  named,
  PLAIN,
  testChanges,
  unusual,
} from '../../../../test/services/change-cases.ts';
import type { Ask, Running } from '../../../../test/services/running-reference.ts';
import { clientsVariants } from './clients.ts';
import { firewallVariants, gatewayVariants } from './gateway.ts';

const JSON_TYPE = 'application/json';

const creation = (mediaType = JSON_TYPE): Ask => ({
  ...adding({ name: 'Rex', categoryId: 1 }),
  headers: { 'content-type': mediaType },
});
const header = (name: string, value: string): Ask => ({ headers: { [name]: value } });
const withoutAccept: ChangeCase['ask'] = async ({ ask }) => {
  const headers = { 'user-agent': PLAIN['user-agent'] };
  return (await ask('/pets', { headers })).status;
};

const gateways = [
  unusual('gateway-charset-415', '/pets', creation('application/json; charset=utf-8'), [201, 415]),
  unusual('gateway-type-other-415', '/pets', creation('text/plain'), [201, 415]),
  unusual('gateway-type-other-400', '/pets', adding({ name: 'Rex', categoryId: 1 }), [201, 400]),
  unusual('gateway-type-case-415', '/pets', creation('Application/JSON'), [201, 415]),
  { id: 'gateway-accept-absent-406', ask: withoutAccept, usual: 200, shown: 406 },
  { id: 'gateway-accept-absent-html', ask: withoutAccept, usual: 200, shown: 406 },
  unusual('gateway-accept-any-406', '/pets', header('accept', '*/*'), [200, 406]),
  unusual('gateway-accept-list-406', '/pets', header('accept', 'application/json, */*;q=0.1'), [200, 406]),
  unusual('gateway-agent-403', '/pets', header('user-agent', 'curl/8.5.0'), [200, 403]),
  unusual('gateway-origin-403', '/pets', header('origin', 'https://example.com'), [200, 403]),
  unusual('gateway-parameter-400', '/pets?page=2', {}, [200, 400]),
  unusual('gateway-parameter-422', '/pets?page=2', {}, [200, 422]),
  unusual('gateway-chunked-411', '/messages', { ...messaging, chunked: true }, [202, 411]),
  unusual('gateway-escape-400', '/pets?%6Cimit=3', {}, [200, 400]),
  unusual('gateway-escape-404', '/p%65ts', {}, [200, 404]),
  unusual('gateway-large-413', '/pets', adding({ name: 'a'.repeat(10_000), categoryId: 1 }), [201, 413]),
  {
    id: 'gateway-strict',
    ask: async ({ ask }: Running) => {
      const statuses: number[] = [];
      for (const [path, request] of [
        ['/pets', creation('application/json;charset=utf-8')],
        ['/pets', creation('APPLICATION/JSON')],
        ['/pets', header('accept', '*/*')],
        ['/pets', header('user-agent', 'curl/8.5.0')],
        ['/pets', header('origin', 'https://example.com')],
        ['/pets?page=2', {}],
        ['/p%65ts', {}],
        ['/pets', adding({ name: 'a'.repeat(255), categoryId: 1 })],
        ['/pets', adding({ name: "x'; DROP TABLE pets;--", categoryId: 1 })],
        ['/pets', adding({ name: 'Rex', categoryId: 0 })],
        ['/pets', adding({ name: 'Zoë "Rex" <b>', categoryId: 1 })],
      ] satisfies [string, Ask][])
        statuses.push((await ask(path, { ...request, headers: { ...PLAIN, ...request.headers } })).status);
      return statuses;
    },
    usual: [201, 201, 200, 200, 200, 200, 200, 201, 201, 201, 201],
    shown: [403, 403, 403, 403, 403, 403, 403, 400, 400, 400, 201],
  },
];

const firewalls = [
  unusual('firewall-query', '/pets?page=%3Cb%3E', {}, [200, 403]),
  unusual('firewall-headers', '/pets', header('user-agent', 'petspec/1 "x"'), [200, 403]),
  named('firewall-sql', ['"O\'Neil" <b>; x', "x'; DROP TABLE pets;--"], [201, 201], [201, 403]),
  named('firewall-shell', ['$HOME `x` | y & z', 'x; rm -rf y'], [201, 201], [201, 403]),
  named('firewall-paths', ['a/b ../c', '../../etc/passwd'], [201, 201], [201, 403]),
  named('firewall-zero', ['%s x', 'Rex \u0000'], [201, 201], [201, 403]),
  named('firewall-incident', ["'x' and y", "' or '1'='1"], [201, 201], [201, 403]),
];

const clients = [
  unusual(
    'origin-shared',
    '/pets',
    header('origin', 'https://example.com'),
    [undefined, 'https://example.com'],
    ({ headers }) => headers['access-control-allow-origin'],
  ),
  unusual(
    'accept-told-charset',
    '/pets',
    header('accept', '*/*'),
    [JSON_TYPE, 'application/json; charset=utf-8'],
    ({ headers }) => headers['content-type'],
  ),
  unusual('agent-cookie', '/pets', {}, [false, true], ({ headers }) => 'set-cookie' in headers),
  unusual('respelled-redirected', '/pets/', { key: null }, [404, 308]),
  unusual('respelled-401', '/pets/', { key: null }, [404, 401]),
  unusual(
    'respelled-index',
    '//pets',
    { key: null },
    [undefined, 'animal store'],
    ({ object }) => object.service,
  ),
  unusual('forms-refused', '/pets', header('accept', 'application/json;q=, /'), [200, 406]),
];

testChanges(
  [...gatewayVariants, ...firewallVariants, ...clientsVariants],
  [...gateways, ...firewalls, ...clients],
);
