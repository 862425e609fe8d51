import { expect, test } from 'vitest';
import { varied } from './forms.ts';

const request = (url: string, headers: [string, string][] = []) => ({
  method: 'GET',
  url: new URL(url),
  headers: [['accept', 'application/json'] as const, ...headers],
});

test.each([
  ['http://127.0.0.1/v1/pets?limit=1', 'http://127.0.0.1/v1/pets?%6Cimit=1'],
  ['http://127.0.0.1/v1/pets?%20a=1', 'http://127.0.0.1/v1/pets?%20%61=1'],
  ['http://127.0.0.1/v1/pets', 'http://127.0.0.1/v1/%70ets'],
  ['http://127.0.0.1/v1/pets/12', 'http://127.0.0.1/v1/pets/%312'],
  ['http://127.0.0.1/v1/%C3%A9x/', 'http://127.0.0.1/v1/%C3%A9%78/'],
])('%s is also spelled %s', (url, other) => {
  const { url: spelled } = varied(request(url), 'spelling');
  expect(spelled.href).toBe(other);
  // Both mean the same (RFC 3986 section 6.2.2.2).
  expect(decodeURIComponent(spelled.href)).toBe(decodeURIComponent(url));
});

test('X-Forwarded-For is added, and replaces another', () => {
  const plain = 'http://127.0.0.1/v1/pets?limit=1';
  const headers = [
    ['accept', 'application/json'],
    ['x-forwarded-for', '203.0.113.7'],
  ];
  expect(varied(request(plain), 'forwarded-for')).toEqual({ ...request(plain), headers });
  const own = request(plain, [['X-Forwarded-For', '198.51.100.1']]);
  expect(varied(own, 'forwarded-for').headers).toEqual(headers);
});

test('the request itself stays as it is', () => {
  const plain = request('http://127.0.0.1/v1/pets?limit=1');
  varied(plain, 'spelling');
  expect(plain.url.href).toBe('http://127.0.0.1/v1/pets?limit=1');
});

const TYPE = ['Content-Type', 'application/json'] as [string, string];

test.each([
  ['type-charset', ['Content-Type', 'application/json; charset=utf-8']],
  ['type-case', ['Content-Type', 'APPLICATION/JSON']],
  ['type-text', ['Content-Type', 'text/plain']],
  ['type-form', ['Content-Type', 'application/x-www-form-urlencoded']],
] as const)('%s changes the value of Content-Type, and not its name', (form, line) => {
  const { headers } = varied(request('http://127.0.0.1/v1/pets', [TYPE]), form);
  expect(headers).toEqual([['accept', 'application/json'], line]);
});

test('a body may come without Content-Type', () => {
  const { headers } = varied(request('http://127.0.0.1/v1/pets', [TYPE]), 'type-absent');
  expect(headers).toEqual([['accept', 'application/json']]);
});

test('a body in chunks is announced', () => {
  const { headers } = varied(request('http://127.0.0.1/v1/pets', [TYPE]), 'chunked');
  expect(headers).toContainEqual(['transfer-encoding', 'chunked']);
});

test.each([['encoding', ['content-encoding', 'gzip']]] as const)(
  '%s adds a header that proxies and clients add',
  (form, line) => {
    const { headers } = varied(request('http://127.0.0.1/v1/pets', [TYPE]), form);
    expect(headers).toEqual([['accept', 'application/json'], TYPE, line]);
  },
);

test('a malformed Accept takes the place of the right one', () => {
  const { headers } = varied(request('http://127.0.0.1/v1/pets'), 'broken-accept');
  expect(headers).toEqual([['accept', expect.stringMatching(/q=,/)]]);
});

test.each(['http://127.0.0.1/v1/pets', 'http://127.0.0.1/v1/pets?limit=1'])(
  '%s gets a parameter that cannot be decoded, beside its own',
  (url) => {
    const { url: broken } = varied(request(url), 'broken-percent');
    expect(broken.href.startsWith(url)).toBe(true);
    expect(() => decodeURIComponent(broken.search)).toThrow(URIError);
    expect(broken.searchParams.get('limit')).toBe(new URL(url).searchParams.get('limit'));
  },
);
