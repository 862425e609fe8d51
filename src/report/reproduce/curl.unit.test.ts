import { describe, expect, test } from 'vitest';
import { exchangeOf, givenBy, KEY, sending } from '../../../test/reproduce/given-to-curl.ts';
import { authorization } from '../../secrets/keys/authorization.ts';
import { curlOf } from './curl.ts';

test('curl says itself how long a body is: without a secret it has another length', () => {
  const requestHeaders = [['Content-Length', '53']] as const;
  const command = curlOf(exchangeOf({ method: 'POST', requestHeaders, requestBody: '{"owner":"[key]"}' }));
  expect(command).not.toMatch(/content-length/i);
});

test('without a Content-Type, curl adds none of its own', () => {
  const sent = exchangeOf({ method: 'POST', requestBody: '{}' });
  expect(givenBy([curlOf(sent)], 'sh')[0]).toEqual(
    expect.arrayContaining(['-H', 'content-type:', '--data-raw', '{}']),
  );
  const typed = { ...sent, requestHeaders: [['Content-Type', 'text/plain']] as const };
  expect(curlOf(typed)).not.toContain("'content-type:'");
});

describe('what petspec itself sends', () => {
  test('is repeated unchanged', () => {
    const exchange = exchangeOf({
      method: 'POST',
      requestHeaders: [
        ['accept', 'application/json'],
        ['content-type', 'application/json'],
        ['user-agent', 'petspec/0.1.0'],
        ['authorization', 'Bearer $PETSPEC_API_KEY'],
        ['X-Gateway', '[hidden]'],
      ],
      requestBody: '{"name":"O\'Malley"}',
    });
    const command = curlOf(exchange, { isInsecure: true });
    expect(command).toBe(
      `curl -i --insecure -X POST -H 'accept: application/json' -H 'content-type: application/json' -H "Authorization: Bearer $PETSPEC_API_KEY" ` +
        `-H 'X-Gateway: [hidden]' --data-raw '{"name":"O'\\''Malley"}' 'https://staging.example.com/v1/pets?limit=1'`,
    );
    expect(givenBy([command], 'sh')).toEqual([
      [
        ...['-i', '--insecure', '-X', 'POST', '-H', 'accept: application/json'],
        ...['-H', 'content-type: application/json'],
        ...['-H', `Authorization: Bearer ${KEY}`, '-H', 'X-Gateway: [hidden]'],
        ...['--data-raw', '{"name":"O\'Malley"}', 'https://staging.example.com/v1/pets?limit=1'],
      ],
    ]);
  });

  // The command of another case has `tr`: curl.tools.test.ts.
  test.each(['valid', 'empty', 'unknown', 'scheme', 'longer', 'shorter', 'followed', 'bare'] as const)(
    'whatever stands in place of the key: %s',
    (kind) => {
      const sent = [
        '-i',
        '-H',
        `Authorization: ${authorization(kind, KEY, 'another-key')}`,
        exchangeOf({}).url,
      ];
      const command = curlOf(sending(kind));
      expect(givenBy([command], 'sh')).toEqual([sent]);
    },
  );

  test('a varied request keeps its spelling and its header', () => {
    const exchange = exchangeOf({
      variation: 'spelling',
      url: 'https://staging.example.com/v1/pets?%6Cimit=1',
      requestHeaders: [['x-forwarded-for', '203.0.113.7']],
    });
    expect(givenBy([curlOf(exchange)], 'sh')).toEqual([
      ['-i', '-H', 'x-forwarded-for: 203.0.113.7', 'https://staging.example.com/v1/pets?%6Cimit=1'],
    ]);
  });

  test('the key comes from the given variable', () => {
    const [given] = givenBy([curlOf(sending('shorter'), { keyVariable: 'STAGING_KEY' })], 'sh');
    expect(given).toContain('Authorization: Bearer stagin');
  });
});

describe('a ledger from somebody else', () => {
  test('an invalid header is left out, and an address does not become an option', () => {
    const headers = [
      ['@/etc/hostname', ''],
      ['a b', 'c'],
      ['', 'd'],
    ] as const;
    const exchange = exchangeOf({ url: '--output=pwned', requestHeaders: headers });
    expect(givenBy([curlOf(exchange)], 'sh')).toEqual([['-i', '--url', '--output=pwned']]);
  });

  test('curl does not expand an address', () => {
    const url = 'http://[::1]:8080/v1/pets?q={a,b}[1-9]';
    expect(givenBy([curlOf(exchangeOf({ url }))], 'sh')).toEqual([['-i', '--globoff', url]]);
  });

  test('no argument contains a NUL', () => {
    expect(givenBy([curlOf(exchangeOf({ requestBody: 'a\0b' }))], 'sh')).toEqual([
      ['-i', '-X', 'GET', '-H', 'content-type:', '--data-raw', 'ab', exchangeOf({}).url],
    ]);
  });
});
