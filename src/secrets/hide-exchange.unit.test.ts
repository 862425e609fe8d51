import { describe, expect, test } from 'vitest';
import type { HeaderLine, Received } from '../model/exchange.ts';
import { exchangeHider } from './hide-exchange.ts';

const KEY = 'sk-live/4f+9ZQ==';
const GATEWAY = 'gateway-s3cr3t';

function shown(...headers: HeaderLine[]): readonly HeaderLine[] {
  return hidden({ status: 200, headers, body: '' }, GATEWAY).headers;
}

/** A response without the key and another secret. */
function hidden(response: Received, ...others: string[]): Received {
  const hide = exchangeHider(KEY, others);
  return hide({ url: 'http://127.0.0.1/v1', requestHeaders: [], response }).response;
}

describe('a secret in two headers', () => {
  test('wherever it is cut, in either order, also in lines of the same name', () => {
    for (const secret of [KEY, GATEWAY])
      for (let cut = 1; cut < secret.length; cut += 1) {
        const [first, second] = [secret.slice(0, cut), secret.slice(cut)];
        for (const name of ['X-A', 'X-B']) {
          const between = ['Date', 'Sat, 21 Nov 2026 10:00:00 GMT'] as const;
          expect(shown(['X-A', first], between, [name, second])).toEqual([
            ['X-A', '[key]'],
            between,
            [name, '[key]'],
          ]);
          expect(shown(['X-A', second], [name, first])).toEqual([
            ['X-A', '[key]'],
            [name, '[key]'],
          ]);
        }
      }
  });

  test('with something before and after it, in the other case', () => {
    expect(shown(['X-A', 'Bearer SK-LIVE/'], ['X-B', '4F+9zq==, and more'])).toEqual([
      ['X-A', 'Bearer [key]'],
      ['X-B', '[key], and more'],
    ]);
  });

  test('one half alone is not redacted', () => {
    const lines = [
      ['X-A', 'sk-live/'],
      ['X-B', 'more'],
    ] as const;
    expect(shown(...lines)).toEqual(lines);
  });

  test('the key is found behind 20,000 lines that begin like it', () => {
    const lines = Array.from(
      { length: 20_000 },
      (_, index) => ['X-A', KEY.slice(0, index % KEY.length)] as const,
    );
    expect(shown(...lines, ['X-B', KEY]).at(-1)).toEqual(['X-B', '[key]']);
  });
});

test('in names, values, the body, and the reason why it cannot be read', () => {
  const response = {
    status: 200,
    headers: [[`x-${KEY}`, KEY]] as const,
    body: KEY,
    undecodable: `content-encoding: ${KEY}`,
  };
  expect(hidden(response)).toEqual({
    status: 200,
    headers: [['x-[key]', '[key]']],
    body: '[key]',
    undecodable: 'content-encoding: [key]',
  });
});
