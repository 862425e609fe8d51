import { expect, test } from 'vitest';
import { addressRedactor } from './address-secrets.ts';

const SECRET = 's3cr3t-4f9Zq';
const hide = addressRedactor((text) => text === 'available');

const NAMES = [
  ...[
    'token',
    'access_token',
    'api_key',
    'apikey',
    'key',
    'code',
    'sig',
    'signature',
    'password',
    'client_secret',
  ],
  ...[
    'id_token',
    'refresh_token',
    'session',
    'X-Amz-Signature',
    'X-Amz-Credential',
    'X-Goog-Signature',
    'ticket',
    'auth',
  ],
];

/** Where an address stands. */
const PLACES: Readonly<Record<string, (name: string, value: string) => string>> = {
  'a query': (name, value) => `https://a.test/v1/pets?limit=1&${name}=${value}&page=2`,
  'a fragment': (name, value) => `https://a.test/back#${name}=${value}&expires_in=60`,
  'a relative address': (name, value) => `/back?${name}=${value}`,
  'a Link header': (name, value) =>
    `<https://a.test/pets?${name}=${value}>; rel="next", </pets>; rel="first"`,
  'a Refresh header': (name, value) => `5; url=https://a.test/?${name}=${value}`,
  JSON: (name, value) => JSON.stringify({ url: `https://a.test/?a=1&${name}=${value}`, id: 3 }),
  'the JSON of Go': (name, value) => `{"url":"https:\\/\\/a.test\\/?a=1\\u0026${name}=${value}\\u0026b=2"}`,
  HTML: (name, value) => `<a href="/?a=1&amp;${name}=${value}&amp;b=2">`,
  'a sentence': (name, value) => `see https://a.test/?${name}=${value}.`,
  'another address': (name, value) =>
    `/login?to=${encodeURIComponent(`https://a.test/?${name}=${value}&x=1`)}`,
};

test.each(Object.keys(PLACES))('%s: what names itself a secret is hidden, and nothing else', (place) => {
  for (const name of NAMES) {
    const write = PLACES[place] ?? (() => '');
    expect(hide(write(name, SECRET))).toBe(
      write(name, '%5Bhidden%5D').replaceAll('%255B', '%5B').replaceAll('%255D', '%5D'),
    );
    expect(URL.canParse(hide(PLACES['a query']?.(name, SECRET) ?? ''))).toBe(true);
  }
});

test.each([
  '/pets?limit=20&status=available&page_token=abcdefgh',
  '/pets?token=available',
  '/pets?code=404',
  '/pets?token=[key]',
  '/pets?token=$PETSPEC_API_KEY',
  '/pets?monkey=banana-1234',
  '{"token":"abcdefgh"}',
  '/pets?next_cursor=abcdefgh&nextPageToken=abcdefgh',
])('%s stays', (text) => {
  expect(hide(text)).toBe(text);
});

test('a value with a slash that JSON escapes is hidden as a whole', () => {
  expect(hide('{"url":"https:\\/\\/a.test\\/?token=ab3\\/cd4\\/ef5","id":1}')).toBe(
    '{"url":"https:\\/\\/a.test\\/?token=%5Bhidden%5D","id":1}',
  );
});

test('a text full of beginnings is read quickly', () => {
  for (const piece of ['?', '&token', '&token=', '%2526', '%25', '?a[b'])
    expect(hide(`${piece.repeat(100_000)} ?token=${SECRET}`)).toContain('hidden');
});
