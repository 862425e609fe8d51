import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { secretHider } from './hide-secrets.ts';

const KEY = 'the-given-key-4242';

/** How a request with so many tokens in its query is shown. */
function shownWith(tokens: number) {
  const query = Array.from({ length: tokens }, (_, index) => `token=sk-${10_000 + index}`).join('&');
  const url = `http://127.0.0.1:8080/v1/pets?${query}`;
  const { all } = secretHider(loadContract(), KEY, () => {});
  return all({ url, headers: [['X-Trace', `of ${KEY}`]], requestBody: '{"name":"Rex"}' });
}

test('of a request with more secrets than can be hidden nothing is shown but where it went', () => {
  expect(shownWith(101)).toMatchObject({
    url: 'http://127.0.0.1:8080/[hidden]',
    headers: [['[hidden]', '[hidden]']],
    requestBody: '[hidden]',
  });
});

test('of another request all but its secrets is shown', () => {
  const { url, requestBody } = shownWith(2);
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:8080\/v1\/pets\?token=/);
  expect(url).not.toContain('sk-1');
  expect(requestBody).toBe('{"name":"Rex"}');
});

test.each(['return_to=/v1/pets', 'return_to=%2Fv1%2Fpets'])(
  'the path of a request is no secret: %s',
  (cookie) => {
    const url = 'http://127.0.0.1:8080/v1/pets?limit=1';
    const { all } = secretHider(loadContract(), KEY, () => {});
    expect(all({ url, headers: [['Cookie', cookie]] }).url).toBe(url);
  },
);

test('what names itself a secret in an address is hidden wherever the address is', () => {
  const address = 'https://shop.example/?code=s3cr3t-4f9Zq&x=1#access_token=s3cr3t-4f9Zq';
  const { all } = secretHider(loadContract(), KEY, () => {});
  const shown = all({ url: address, headers: [['Referer', address]], requestBody: `{"url":"${address}"}` });
  expect(JSON.stringify(shown)).not.toContain('s3cr3t');
  expect(URL.canParse(shown.url)).toBe(true);
});
