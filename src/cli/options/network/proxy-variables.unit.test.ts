import { describe, expect, test } from 'vitest';
import { proxiesFor } from './proxy-variables.ts';

const PROXY = 'http://proxy.example.com:3128';
const HTTPS = 'https://staging.example.com/v1';

/** The proxy of one address; the path of a URL says nothing. */
const proxyOf = (address: string, env: NodeJS.ProcessEnv) => Object.values(proxiesFor([address], env))[0];

describe('which variable', () => {
  test.each<[what: string, address: string, env: NodeJS.ProcessEnv, proxy: string | undefined]>([
    ['none', HTTPS, {}, undefined],
    ['https, upper case', HTTPS, { HTTPS_PROXY: PROXY }, `${PROXY}/`],
    ['https, lower case', HTTPS, { https_proxy: PROXY }, `${PROXY}/`],
    ['lower case before upper', HTTPS, { https_proxy: PROXY, HTTPS_PROXY: 'http://other:1' }, `${PROXY}/`],
    ['an empty one counts as absent', HTTPS, { https_proxy: '', HTTPS_PROXY: PROXY }, `${PROXY}/`],
    ['http is not for https', HTTPS, { HTTP_PROXY: PROXY }, undefined],
    ['https is not for http', 'http://a.example.com', { HTTPS_PROXY: PROXY }, undefined],
    ['http', 'http://a.example.com', { HTTP_PROXY: PROXY }, `${PROXY}/`],
    [
      'http, of a client of CGI',
      'http://a.example.com',
      { HTTP_PROXY: PROXY, REQUEST_METHOD: 'GET' },
      undefined,
    ],
    [
      'http, below CGI without a method',
      'http://a.example.com',
      { HTTP_PROXY: PROXY, REQUEST_METHOD: '' },
      undefined,
    ],
    [
      'http below CGI, lower case',
      'http://a.example.com',
      { http_proxy: PROXY, REQUEST_METHOD: 'GET' },
      `${PROXY}/`,
    ],
    [
      'all below CGI',
      'http://a.example.com',
      { HTTP_PROXY: 'http://other:1', ALL_PROXY: PROXY, REQUEST_METHOD: 'GET' },
      `${PROXY}/`,
    ],
    ['https below CGI', HTTPS, { HTTPS_PROXY: PROXY, REQUEST_METHOD: 'GET' }, `${PROXY}/`],
    ['all', HTTPS, { ALL_PROXY: PROXY }, `${PROXY}/`],
    ['its own before all', HTTPS, { ALL_PROXY: 'socks5://other:1', HTTPS_PROXY: PROXY }, `${PROXY}/`],
    ['without a scheme', HTTPS, { HTTPS_PROXY: 'me:pass@proxy:3128' }, 'http://me:pass@proxy:3128/'],
    ['that speaks TLS', HTTPS, { HTTPS_PROXY: 'https://proxy' }, 'https://proxy/'],
  ])('%s', (_, address, env, proxy) => {
    expect(proxyOf(address, env)).toBe(proxy);
  });

  test('by origin, for each address', () => {
    const proxies = proxiesFor([HTTPS, 'http://messages.example.com:81/x'], { https_proxy: PROXY });
    expect(proxies).toEqual({ 'https://staging.example.com': `${PROXY}/` });
  });

  test.each(['socks5://proxy:1080', 'http://', 'ftp://me:secret@proxy', 'http://me:se%cret@proxy'])(
    'what is not a proxy is refused, and not quoted: %s',
    (value) => {
      const attempt = () => proxiesFor([HTTPS], { HTTPS_PROXY: value });
      expect(attempt).toThrow(/^HTTPS_PROXY: [^\n]+$/);
      expect(attempt).not.toThrow(/secret|se%cret|socks5:\/\/proxy:1080/);
    },
  );

  test('one that is not needed is not looked at', () => {
    expect(proxiesFor([HTTPS], { HTTP_PROXY: 'nonsense://' })).toEqual({});
  });
});

describe('NO_PROXY', () => {
  test.each<[list: string, address: string, isDirect: boolean]>([
    ['*', 'https://staging.example.com', true],
    ['staging.example.com', 'https://staging.example.com', true],
    ['STAGING.example.COM', 'https://staging.example.com', true],
    ['staging.example.com', 'https://staging.example.com.', true],
    ['example.com', 'https://staging.example.com', true],
    ['.example.com', 'https://staging.example.com', true],
    ['.example.com', 'https://example.com', true],
    ['*.example.com', 'https://staging.example.com', true],
    ['example.com', 'https://myexample.com', false],
    ['ample.com', 'https://example.com', false],
    ['other.test, example.com', 'https://staging.example.com', true],
    ['other.test example.com', 'https://staging.example.com', true],
    ['other.test,,', 'https://staging.example.com', false],
    ['example.com:443', 'https://staging.example.com', true],
    ['example.com:8443', 'https://staging.example.com', false],
    ['example.com:8443', 'https://staging.example.com:8443', true],
    ['example.com:80', 'http://staging.example.com', true],
    ['192.0.2.7', 'https://192.0.2.7', true],
    ['192.0.2.7', 'https://192.0.2.70', false],
    ['192.0.2.0/24', 'https://192.0.2.7', true],
    ['192.0.2.0/24', 'https://192.0.3.7', false],
    ['0.2.7', 'https://192.0.2.7', false],
    ['192.0.2.0/99', 'https://192.0.2.7', false],
    ['2001:db8::1', 'https://[2001:db8::1]', true],
    ['2001:DB8:0:0::1', 'https://[2001:db8::1]', true],
    ['[2001:db8::1]', 'https://[2001:db8::1]', true],
    ['[2001:db8::1]:443', 'https://[2001:db8::1]', true],
    ['[2001:db8::1]:8443', 'https://[2001:db8::1]', false],
    ['2001:db8::2', 'https://[2001:db8::1]', false],
    ['2001:db8::/32', 'https://[2001:db8::1]', true],
    ['2001:db8::/32', 'https://example.com', false],
  ])('%s: %s', (list, address, isDirect) => {
    for (const name of ['NO_PROXY', 'no_proxy']) {
      const env = { HTTPS_PROXY: PROXY, HTTP_PROXY: PROXY, [name]: list };
      expect(proxyOf(address, env)).toBe(isDirect ? undefined : `${PROXY}/`);
    }
  });
});

describe('loopback addresses', () => {
  const OWN = [
    'http://localhost:8080',
    'http://127.0.0.1',
    'http://127.1.2.3',
    'http://[::1]:1',
    'http://a.localhost',
  ];

  test.each(OWN)('%s: a proxy elsewhere would reach its own', (address) => {
    expect(proxyOf(address, { HTTP_PROXY: PROXY })).toBeUndefined();
  });

  test.each(OWN)('%s: one on this machine is asked, unless NO_PROXY names it', (address) => {
    const env = { HTTP_PROXY: 'http://localhost:3128' };
    expect(proxyOf(address, env)).toBe('http://localhost:3128/');
    expect(proxyOf(address, { ...env, NO_PROXY: 'localhost,127.0.0.0/8,::1' })).toBeUndefined();
  });

  test('a name that only looks like one', () => {
    expect(proxyOf('http://localhost.example.com', { HTTP_PROXY: PROXY })).toBe(`${PROXY}/`);
  });
});
