import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { reveals, spellingsOf } from '../../test/secrets/spellings.ts';
import { exchangeHider, withStandIns } from './hide-exchange.ts';
import { standInFor } from './stand-in.ts';

const SALT = randomBytes(32);

test.each([
  ['sk-live/4f+9ZQx7', /^[a-z]{2}-[a-z]{4}\/\d[a-z]\+\d[A-Z]{2}[a-z]\d$/],
  ['3F2504e0-4f89-11d3-9a0c-0305e82c3301', /^[\da-fA-F]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/],
  ['a\\"b\\\\c/d-12345', /^[a-z]\\"[a-z]\\\\[a-z]\/[a-z]-\d{5}$/],
  ['sk\\u002d%2Flive', /^[a-z]{2}\\u002d%2F[a-z]{4}$/],
  ['\\u0073\\u006b-live', /^\\u0078\\u0078-[a-z]{4}$/],
  ['%73%6b-live', /^%78%78-[a-z]{4}$/],
  ['!-.$!-.$', /^x{8}$/],
])('%s has a stand-in of the same shape', (found, shape) => {
  const standIn = standInFor(found, false, SALT);
  expect(standIn).toMatch(shape);
  expect(standIn.length).toBe(found.length);
  expect(standInFor(found, false, SALT)).toBe(standIn);
});

test('a stand-in reveals nothing, however a target writes the key, and JSON stays JSON', () => {
  const key = `sk-live/4f+9Z&"Q<w>'=\\k7%Tb~`;
  const hide = exchangeHider(key);
  for (const spelling of spellingsOf(key)) {
    const body = JSON.stringify({ message: `no ${spelling}` });
    const kept = hide({
      url: 'http://a.test/v1',
      requestHeaders: [],
      response: { status: 200, headers: [], body },
    });
    expect(reveals(JSON.stringify(kept), key)).toBe(false);
    const judged = withStandIns(kept);
    expect(typeof JSON.parse(judged.response.body).message).toBe('string');
  }
});
