import { expect, test } from 'vitest';
import { UsageError } from '../model/usage-error.ts';
import { addressRedactor, refuseKeyInAddress } from './address-secrets.ts';

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

const KEY = 'pK-31415926';
const refusing = (key: string | undefined, address: string) => () =>
  refuseKeyInAddress(key, { target: 'http://127.0.0.1/v1', '--api-url': address });

test.each([
  `https://api.example/${KEY}/v1`,
  `https://api.example/${KEY.toUpperCase()}x/v1`,
  'https://api.example/p%4B-31415926/v1',
])('%s is refused, and not quoted', (address) => {
  expect(refusing(KEY, address)).toThrow(UsageError);
  expect(refusing(KEY, address)).toThrow(
    '--api-url: the address contains the API key, which every report would show; use one without it',
  );
});

test.each([
  [KEY, 'https://api.example/v1'],
  [KEY, 'https://api.example/%zz/v1'],
  [KEY, `https://${KEY}.example/v1`],
  // Words that may be there by chance.
  ['test', 'https://api.example/test/v1'],
  ['test1', 'https://api.example/test12/v1'],
  ['animal-store', 'https://api.example/animal-store/v1'],
  ['', 'https://api.example/v1'],
  [undefined, 'https://api.example/v1'],
])('the key %j and %s are taken', (key, address) => {
  expect(refusing(key, address)).not.toThrow();
});
