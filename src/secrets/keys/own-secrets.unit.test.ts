import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import { publicIn } from '../hideable.ts';
import { redactor } from '../redact.ts';
import { ownSecrets } from './own-secrets.ts';

const isPublic = publicIn(loadContract());

/** What a response is shown as, where the user's header is this. */
const shown = (header: readonly [string, string], text: string) =>
  redactor('a-key-of-a-test', ownSecrets({ headers: [header] }), isPublic)(text);

const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('secrets in the user’s own headers', () => {
  test.each([
    ['a short value whose name tells', ['X-Token', 'abc'], 'no abc here'],
    ['the token behind a scheme', ['X-Auth', 'Token abc'], 'no abc here'],
    ['the same, whatever the name', ['X-Gateway', 'Bearer abc'], 'no abc here'],
    ['the value as a whole', ['X-Auth', 'Token abc'], 'no "Token abc" here'],
    ['the value of a cookie', ['Cookie', 'theme=dark; sid=xyz1'], 'no xyz1 here'],
    ['all of them', ['Cookie', 'theme=dark; sid=xyz1'], 'no theme=dark; sid=xyz1 here'],
    ['one under any name', ['Cookie', 'user=xyz1'], 'no xyz1 here'],
    ['one with a sign of equality', ['Cookie', 'sid=YWJj=='], 'no YWJj== here'],
    ['one in quotes', ['Cookie', 'sid="ab cd"'], 'no ab cd here'],
    ['one that is percent-encoded', ['Cookie', 'connect.sid=s%3Axyz.1%2B2'], 'no s:xyz.1+2 here'],
    [
      'user and password of Basic',
      ['Proxy-Authorization', `Basic ${base64('ann:pass')}`],
      'no ann:pass here',
    ],
    ['the password of Basic', ['X-Gateway', `Basic ${base64('ann:p4ss')}`], 'no p4ss here'],
    ['a user without a password', ['X-Gateway', `Basic ${base64('s3cr:')}`], 'no s3cr here'],
    ['Basic credentials without their scheme', ['X-Auth', base64('ann:pass')], 'no pass here'],
    ['parameters of a scheme', ['X-Signature', 'Digest username="ann", response="f00d"'], 'no f00d here'],
    ['a parameter whose name tells', ['X-Client', 'id=staging; secret=abc'], 'no abc here'],
    ['one of several keys', ['X-Api-Keys', 'abc, def'], 'no def here'],
    ['a long value under any name', ['X-Gateway', 'gateway/s3cr3t+value'], 'no gateway/s3cr3t+value here'],
    ['a phrase under any name', ['X-Gateway', 'correct-horse-battery'], 'no correct-horse-battery here'],
    ['a long number under any name', ['X-Gateway', '4929123412341234'], 'no 4929123412341234 here'],
    ['what is sent as latin1', ['X-Token', 'gr\u00fc\u00dfe'], 'no gr\u00fc\u00dfe here'],
    ['the same, read as UTF-8', ['X-Token', 'gr\u00fc\u00dfe'], 'no gr\ufffd\ufffde here'],
  ] as const)('%s', (_what, header, text) => {
    expect(shown(header, text)).toMatch(/^no "?\[key\]"? here$/);
  });

  test.each(['X-Auth', 'Authentication', 'X-Api-Key', 'apikey', 'X-Access-Token', 'Session', 'X-Session-Id'])(
    'the name tells: %s',
    (name) => {
      expect(shown([name, 'abc'], 'no abc here')).toBe('no [key] here');
    },
  );

  test.each(['X-Password', 'X-Passwd', 'Client-Secret', 'X-CSRF-Token', 'X-JWT', 'X-Sig', 'X-ClientKey'])(
    'the name tells: %s',
    (name) => {
      expect(shown([name, 'abc'], 'no abc here')).toBe('no [key] here');
    },
  );

  test('in every encoding, as the key is', () => {
    const texts = [
      's3cr3t',
      '%733cr3t',
      '\\u00733cr3t',
      base64('{"sid":"s3cr3t"}'),
      'x733363723374',
      '<Buffer 73 33 63 72 33 74>',
    ];
    for (const text of texts) expect(shown(['Cookie', 'sid=s3cr3t'], text)).toContain('[key]');
  });
});

describe('not a secret', () => {
  const BODY = JSON.stringify([
    { id: 123456, name: 'staging production available', categoryId: 1, status: 'available' },
    {
      at: '2026-11-21T10:00:00Z',
      isReady: true,
      author: 'ann',
      count: 100,
      type: 'application/json; charset=utf-8',
    },
  ]);

  test.each([
    ['X-Env', 'staging'],
    ['X-Env', 'production'],
    ['X-Comment', 'tried in production'],
    ['X-Author', 'ann'],
    ['X-Monkey', 'ann'],
    ['X-Auth-Mode', 'production'],
    ['X-Token-Version', '2026-11-21'],
    ['Idempotency-Key', 'ann'],
    ['X-Idempotency-Key', 'ann'],
    ['Api-Version', '2026-11-21'],
    ['X-Count', '100'],
    ['X-Auth', '100'],
    ['X-Number', '123456'],
    ['X-Auth-Enabled', 'true'],
    ['X-Token', 'true'],
    ['Cookie', 'consent=2026-11-21; ready=true; count=100; n=1'],
    ['X-Status', 'available'],
    ['X-Token', 'available'],
    ['Cookie', 'filter=available; field=categoryId; kind=application/json'],
    ['Accept', 'application/json; charset=utf-8'],
    ['X-Accept', 'application/json; charset=utf-8'],
    ['User-Agent', 'production available'],
    ['X-Empty', ''],
  ] as const)('%s: %s', (name, value) => {
    expect(shown([name, value], BODY)).toBe(BODY);
  });

  test('part of a word', () => {
    expect(shown(['X-Token', 'abc'], 'abcd dabc ab')).toBe('abcd dabc ab');
  });
});

describe('secrets in the address of a proxy', () => {
  const secretsOf = (address: string) =>
    ownSecrets({ headers: [], network: { proxies: { 'https://example.com': address } } });

  test.each([
    ['http://ann:p4ss@proxy.example.com:3128', ['p4ss', 'ann:p4ss', base64('ann:p4ss')]],
    ['http://ann:p%40ss@proxy.example.com', ['p@ss', 'ann:p@ss', base64('ann:p@ss')]],
    ['http://token-1@proxy.example.com', ['token-1', 'token-1:', base64('token-1:')]],
    ['http://token-1:@proxy.example.com', ['token-1', 'token-1:', base64('token-1:')]],
    ['http://proxy.example.com', []],
  ])('%s', (address, secrets) => {
    expect(secretsOf(address)).toEqual(secrets);
  });
});
