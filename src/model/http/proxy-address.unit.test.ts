import { expect, test } from 'vitest';
import { redactor } from '../../secrets/redact.ts';
import { proxyAt, proxySecrets } from './proxy-address.ts';

test.each([
  ['in ASCII', 'http://Aladdin:open%20sesame@proxy:3128', 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ=='],
  ['in UTF-8', 'http://test:123%C2%A3@proxy:3128', 'Basic dGVzdDoxMjPCow=='],
  ['as written by a URL parser', 'http://test:123\u00a3@proxy:3128', 'Basic dGVzdDoxMjPCow=='],
  ['in Latin-1', 'http://caf%E9:%ff@proxy:3128', 'Basic Y2Fm6Tr/'],
])('user and password go to the proxy in the bytes that the address states: %s', (_what, address, line) => {
  expect(proxyAt(address)).toEqual({
    name: 'http://proxy:3128',
    origin: 'http://proxy:3128',
    authorization: line,
  });
});

test.each(['p%E9ssw%F6rd-of-Bob', 'p%C3%A9ssw%C3%B6rd-of-Bob'])(
  'a password is found in each form: %s',
  (password) => {
    const redact = redactor('the-key', proxySecrets(`http://bob:${password}@proxy:3128`));
    const basic = proxyAt(`http://bob:${password}@proxy:3128`).authorization;
    const told = redact(
      `the password p\u00e9ssw\u00f6rd-of-Bob, ${password}, ${password.toLowerCase()}, ${basic}`,
    );
    expect(told).toBe('the password [key], [key], [key], Basic [key]');
  },
);
