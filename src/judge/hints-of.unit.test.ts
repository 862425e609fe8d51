import { describe, expect, test } from 'vitest';
import { contract, exchangeOf, JSON_HEADERS, judgedOf, probeNamed } from '../../test/exchanges/exchanges.ts';
import type { Operation } from '../model/contract.ts';
import type { Received } from '../model/exchange.ts';
import type { StatedAddresses } from '../model/report/diagnosis.ts';
import type { Judged } from './evidence/judged.ts';
import { hintsOf } from './hints.ts';

const BASE = 'https://store.example.com';
const API = 'https://messages.example.com';

interface Answer extends Partial<Received> {
  probe?: string;
  url?: string;
  /** Where the response redirects to. */
  to?: string;
}

/** A response to a request: 404 for the list, unless told otherwise. */
function answered({ probe: name = 'listPets:plain', url = `${BASE}/v1/pets`, to, ...rest }: Answer): Judged {
  const probe = probeNamed(name);
  const headers = to === undefined ? JSON_HEADERS : [['Location', to] as const];
  const response = { status: to === undefined ? 404 : 302, headers, body: '{}', ...rest };
  return judgedOf(probe, exchangeOf(probe, { url, response }));
}

const hints = (
  answers: readonly Answer[],
  addresses: StatedAddresses,
  of: Parameters<typeof hintsOf>[1] = contract,
) => hintsOf(answers.map(answered), of, addresses);
const kinds = (...sent: Parameters<typeof hints>) => hints(...sent).map(({ kind }) => kind);

const message = (change: Answer = {}): Answer => ({
  probe: 'sendMessage:minimal',
  url: `${API}/messages`,
  ...change,
});
const page = (body: string, change: Answer = {}): Answer => ({
  headers: [['Content-Type', 'text/html']],
  body,
  ...change,
});

describe('a hint needs an address at which nothing responds as the service would', () => {
  test.each<[what: string, answers: Answer[], isServed: boolean]>([
    ['a success', [{ status: 200 }], true],
    ['any success', [{ status: 299 }], true],
    ['one success among others', [{ status: 404 }, { status: 200 }], true],
    ['a success with a wrong key', [{ status: 404 }, { probe: 'listPets:key-unknown', status: 200 }], false],
    ['a success that is a page', [page('<html>', { status: 200 })], false],
    ['a redirect', [{ status: 300 }], false],
    ['no final response', [{ status: 199 }], false],
  ])('%s', (_what, answers, isServed) => {
    expect(kinds(answers, { baseUrl: BASE }).includes('base-path')).toBe(!isServed);
  });
});

describe('addresses that do not end as they should', () => {
  test.each<[what: string, addresses: StatedAddresses, answers: Answer[], expected: string[]]>([
    ['the right path', { baseUrl: `${BASE}/v1` }, [{}], []],
    ['the right path and slashes', { baseUrl: `${BASE}/v1//` }, [{}], []],
    ['the right path, and another', { baseUrl: `${BASE}/v1/store` }, [{}], ['base-path']],
    ['the path of a message', { baseUrl: `${BASE}/messages/v1`, apiUrl: API }, [{}], []],
    ['the path of a message, at the base address', { baseUrl: `${BASE}/messages` }, [{}], ['base-path']],
    [
      'an address that only looks swapped, as messages are answered',
      { baseUrl: BASE, apiUrl: `${API}/v1` },
      [{}, message({ status: 200 })],
      ['base-path'],
    ],
    [
      'a base address that works all the same',
      { baseUrl: `${BASE}/pets`, apiUrl: `${API}/messages` },
      [{ status: 200 }, message()],
      ['operation-path'],
    ],
    ['messages at no address', { baseUrl: BASE }, [{}, message()], ['base-path']],
  ])('%s', (_what, addresses, answers, expected) => {
    expect(kinds(answers, addresses)).toEqual(expected);
  });

  test('the longest path of an operation is cut off', () => {
    const orders = contract.operations.find(({ id }) => id === 'getStoreOrders') as Operation;
    const of = { ...contract, operations: [{ ...orders, path: '/orders' }, orders] };
    expect(hints([{}], { baseUrl: `${BASE}/v1/store/orders` }, of)).toEqual([
      {
        kind: 'operation-path',
        text: 'the base address ends with /store/orders, the path of an operation; petspec appends that path itself',
        instead: { baseUrl: `${BASE}/v1` },
      },
    ]);
  });
});

test('of two addresses that end with the path of an operation each is named as the user states it', () => {
  const addresses = { baseUrl: `${BASE}/v1/pets`, apiUrl: `${API}/messages` };
  const ending = (what: string, path: string) =>
    `${what} ends with ${path}, the path of an operation; petspec appends that path itself`;
  expect(hints([{ status: 404 }, message()], addresses).map(({ text }) => text)).toEqual([
    ending('the base address', '/pets'),
    ending('--api-url', '/messages'),
  ]);
});

describe('addresses that may be swapped', () => {
  const both = [{}, message()];

  test('the message address ends as the base address should', () => {
    expect(hints(both, { baseUrl: BASE, apiUrl: `${API}/v1` })).toEqual([
      {
        kind: 'swapped',
        text: 'the two addresses may be swapped: --api-url ends with /v1, and the base address does not',
        instead: { baseUrl: `${API}/v1`, apiUrl: BASE },
      },
    ]);
  });

  test.each<[baseUrl: string, apiUrl: string, instead: StatedAddresses]>([
    [`${BASE}/v1`, API, { baseUrl: `${API}/v1`, apiUrl: BASE }],
    [`${BASE}/v1`, `${API}/v1`, { baseUrl: `${API}/v1`, apiUrl: BASE }],
    [`${BASE}/a/v1`, `${API}/v1/b`, { baseUrl: `${API}/v1/b/v1`, apiUrl: `${BASE}/a` }],
    [`${BASE}/v1/a`, `${API}/b`, { baseUrl: `${API}/b/v1`, apiUrl: `${BASE}/v1/a` }],
  ])('neither server of %s and %s has any of the paths', (baseUrl, apiUrl, instead) => {
    expect(hints(both, { baseUrl, apiUrl }).at(-1)).toEqual({
      kind: 'swapped',
      text: 'neither server has any of these paths: the two addresses may be swapped',
      instead,
    });
  });

  test('an interface without a path of its own', () => {
    const { basePath: _, ...of } = contract;
    const addresses = { baseUrl: `${BASE}/a`, apiUrl: `${API}/b` };
    expect(hints(both, addresses, of)).toMatchObject([
      { kind: 'swapped', instead: { baseUrl: `${API}/b`, apiUrl: `${BASE}/a` } },
    ]);
  });

  test.each<[what: string, answers: Answer[], apiUrl: string | undefined, isSwapped: boolean]>([
    [
      'each server knows no path, or not with this method',
      [{}, { status: 405 }, message({ status: 405 })],
      API,
      true,
    ],
    ['one of them is broken', [{}, message({ status: 503 })], API, false],
    ['one of them is broken for one operation', [{}, { status: 503 }, message()], API, false],
    ['there is one server', both, `${BASE}/messages-of`, false],
    ['there is one address', both, undefined, false],
  ])('%s', (_what, answers, apiUrl, isSwapped) => {
    const addresses = { baseUrl: `${BASE}/v1`, ...(apiUrl === undefined ? {} : { apiUrl }) };
    expect(kinds(answers, addresses)).toEqual(isSwapped ? ['swapped'] : []);
  });
});

describe('what may respond instead of the service', () => {
  const baseUrl = `${BASE}/v1`;
  const elsewhere = 'https://www.example.com';

  test('the same paths at another origin', () => {
    const apiUrl = `${API}/of`;
    expect(
      hints(
        [
          { to: `${elsewhere}/v1/pets` },
          { url: `${BASE}/v1/pets?limit=1`, to: `${elsewhere}/v1/pets?limit=1` },
        ],
        { baseUrl, apiUrl },
      ),
    ).toEqual([
      {
        kind: 'moved',
        text: `the redirects lead to the same paths at ${elsewhere}; petspec follows no redirect, as the key is only for this target`,
        instead: { baseUrl: `${elsewhere}/v1`, apiUrl },
      },
    ]);
  });

  test.each<[what: string, answers: Answer[], expected: string[]]>([
    ['not every response is a redirect', [{ to: `${elsewhere}/v1/pets` }, {}], ['gateway']],
    ['one redirect leads to another path', [{ to: `${elsewhere}/v1/pets` }, { to: elsewhere }], ['gateway']],
    [
      'redirects lead to two origins',
      [{ to: `${elsewhere}/v1/pets` }, { to: 'https://other.example.com/v1/pets' }],
      ['gateway'],
    ],
    [
      'a redirect loses the query',
      [{ url: `${BASE}/v1/pets?limit=1`, to: `${elsewhere}/v1/pets` }],
      ['gateway'],
    ],
    ['redirects lead back to the same address', [{ to: `${BASE}/v1/pets` }], []],
    ['redirects lead to another path at the same origin', [{ to: '/welcome' }], []],
    ['every response is a page', [page('<html>'), page('<html>')], ['gateway']],
    ['one response is a page', [page('<html>'), {}], []],
    ['one page is a form that asks for a password', [page('<p><input type=password>'), {}], ['login']],
  ])('%s', (_what, answers, expected) => {
    expect(kinds(answers, { baseUrl })).toEqual(expected);
  });

  test('of messages that are sent to no stated address, nothing can be corrected', () => {
    expect(kinds([message({ to: `${elsewhere}/messages` })], { baseUrl })).toEqual(['gateway']);
  });

  test.each<[path: string, isLogin: boolean]>([
    ...['/login', '/log-in', '/signin', '/sign-in', '/sso', '/oauth', '/oauth2', '/saml', '/saml2'].map(
      (path) => [path, true] as [string, boolean],
    ),
    ['/users/Login.aspx', true],
    ['/my-login_page', true],
    ['/loginfo', false],
    ['/blogin', false],
    ['/signing', false],
  ])('a redirect to %s: a login page: %s', (path, isLogin) => {
    expect(kinds([{ to: path }], { baseUrl })).toEqual(isLogin ? ['login'] : []);
  });

  test.each<[body: string, kind: string]>([
    ['<form><input name=p type="password"></form>', 'login'],
    ["<form><INPUT TYPE='password' name=p></form>", 'login'],
    ['<form><input type=password></form>', 'login'],
    ['<form><input type="passwords"></form>', 'gateway'],
    ['<form><input type="text">password</form>', 'gateway'],
    [`<form>${' '.repeat(8_000)}<input type=password></form>`, 'gateway'],
  ])('%s', (body, kind) => {
    expect(kinds([page(body)], { baseUrl })).toEqual([kind]);
  });

  test('a form is named without an address, a redirect with it', () => {
    const text = (where: string) =>
      `a login page responds${where}: state an address that is not behind it, or send what it asks for with --header`;
    expect(hints([page('<input type=password>')], { baseUrl })).toEqual([{ kind: 'login', text: text('') }]);
    expect(hints([{ to: `${elsewhere}/login?next=x` }], { baseUrl })).toEqual([
      { kind: 'login', text: text(` (${elsewhere}/login)`) },
    ]);
  });
});
