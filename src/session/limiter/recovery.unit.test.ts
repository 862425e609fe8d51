import { expect, test } from 'vitest';
import type { Exchange } from '../../model/exchange.ts';
import { areWrongKeysFree, hasRecovered } from './recovery.ts';

/** An exchange with the right key (`ok`) or a wrong one, and what remained after it. */
type Sent = readonly [key: 'ok' | 'wrong', remaining: number | undefined, more?: object];

const exchanges = (...all: readonly Sent[]): Exchange[] =>
  all.map(
    ([key, remaining, more], index) =>
      ({
        id: index + 1,
        address: 'baseUrl',
        operation: 'listPets',
        key: key === 'ok' ? 'valid' : 'unknown',
        response: { status: key === 'ok' ? 200 : 401 },
        rate: { limit: 60, reset: 100, ...(remaining === undefined ? {} : { remaining }) },
        ...more,
      }) as unknown as Exchange,
  );

test.each<[what: string, isFree: boolean, sent: readonly Sent[]]>([
  [
    'a 401 leaves Remaining, and so does the next right key',
    true,
    [
      ['ok', 59],
      ['wrong', 59],
      ['ok', 58],
    ],
  ],
  [
    'the last request was wrong',
    true,
    [
      ['ok', 59],
      ['wrong', 59],
    ],
  ],
  [
    'a 401 takes one off',
    false,
    [
      ['ok', 59],
      ['wrong', 58],
      ['ok', 57],
    ],
  ],
  [
    'the next right key shows that the 401 took one off',
    false,
    [
      ['ok', 59],
      ['wrong', 59],
      ['ok', 57],
    ],
  ],
  [
    'one of two took one off',
    false,
    [
      ['ok', 59],
      ['wrong', 59],
      ['ok', 58],
      ['wrong', 57],
    ],
  ],
  [
    'no 401 has a Remaining',
    false,
    [
      ['ok', 59],
      ['wrong', undefined],
      ['ok', undefined],
    ],
  ],
  [
    'no wrong key was sent',
    false,
    [
      ['ok', 59],
      ['ok', 58],
    ],
  ],
  [
    'the operations differ',
    false,
    [
      ['ok', 59],
      ['wrong', 59, { operation: 'getPet' }],
    ],
  ],
  [
    'the windows differ',
    false,
    [
      ['ok', 59],
      ['wrong', 59, { rate: { remaining: 59, reset: 160 } }],
    ],
  ],
  [
    'a wrong key was refused by the limit',
    false,
    [
      ['ok', 59],
      ['wrong', 59],
      ['wrong', 59, { response: { status: 429 } }],
    ],
  ],
  [
    'what went out together shows no order',
    false,
    [
      ['ok', 59, { burst: 'beside' }],
      ['wrong', 59],
    ],
  ],
])('%s', (_what, isFree, sent) => {
  expect(areWrongKeysFree(exchanges(...sent))).toBe(isFree);
});

test.each([
  ['a request that was let through', { status: 200 }, true],
  ['a request that failed', { status: 500 }, true],
  ['another refusal', { status: 429 }, false],
  ['a request whose connection was closed', undefined, false],
])('after a 429: %s', (_what, response, isShown) => {
  const all = exchanges(
    ['ok', 0, { response: { status: 429 }, receivedAt: 1 }],
    ['ok', undefined, { response, sentAt: 2 }],
  );
  expect(hasRecovered(all)).toBe(isShown);
});
