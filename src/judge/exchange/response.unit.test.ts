import { describe, expect, test } from 'vitest';
import { loadContract } from '../../contract/load.ts';
import type { Received } from '../../model/exchange.ts';
import { judgeResponse } from './response.ts';

const { operations } = loadContract();

const LIMITS = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

/** A JSON answer with the headers that every one carries. */
function answer(status: number, body: unknown, without?: string): Received {
  return {
    status,
    headers: [
      ['Content-Type', 'application/json'],
      ...LIMITS.filter((name) => name !== without).map((name) => [name, '1795262400'] as const),
    ],
    body: JSON.stringify(body),
  };
}

function judged(id: string, response: Received) {
  const operation = operations.find((each) => each.id === id);
  if (!operation) throw new Error(`no operation ${id}`);
  return judgeResponse(operation, response);
}

const error = (status: number) => ({ code: 'c', message: 'm', status });
const refused = answer(429, error(429));

describe('a response by itself conforms', () => {
  test.each<[operation: string, response: Received]>([
    ['listPets', answer(200, [])],
    ['listPets', answer(401, error(401))],
    ['listPets', { ...refused, headers: [...refused.headers, ['Retry-After', '5']] }],
    ['createPet', answer(400, error(400))],
    ['sendMessage', answer(299, { id: 'a', message: 'b', status: 'c', createdAt: '2026-11-21T12:00:00Z' })],
    // Of its answers only the refusal is shown.
    ['getStoreOrders', answer(200, 'whatever')],
    ['getStoreOrders', answer(499, 'whatever')],
  ])('%s', (operation, response) => {
    expect(judged(operation, response)).toEqual([]);
  });
});

describe('a response by itself deviates', () => {
  const wrong = { kind: 'status', reason: expect.stringMatching(/^undocumented status \d{3}$/) };

  test.each<[operation: string, response: Received, deviation: object]>([
    [
      'listPets',
      answer(404, error(404)),
      { ...wrong, requirement: 'listPets.responses', expected: 'one of the statuses 200, 401, 429' },
    ],
    [
      'getStoreOrders',
      answer(500, 'whatever'),
      { ...wrong, requirement: 'getStoreOrders.responses', expected: 'a status below 500' },
    ],
    ['getStoreOrders', answer(401, { code: 'c' }), { requirement: 'Error.message' }],
    ['createPet', answer(201, { id: 1, categoryId: 1 }), { requirement: 'Pet.name' }],
    ['listPets', answer(200, {}), { requirement: 'listPets.200.body' }],
    ['listPets', answer(200, [], 'X-RateLimit-Reset'), { requirement: 'X-RateLimit-Reset' }],
    ['getStoreOrders', answer(200, 1, 'X-RateLimit-Limit'), { requirement: 'X-RateLimit-Limit' }],
  ])('%s %o', (operation, response, deviation) => {
    const [first] = judged(operation, response);
    expect(first).toMatchObject(deviation);
    if ('expected' in deviation) expect(first?.received).toBe(`status ${response.status}`);
  });

  test('in its headers and in its body', () => {
    const found = judged('listPets', answer(200, [{ id: 1 }], 'X-RateLimit-Limit'));
    expect(found.map(({ requirement }) => requirement)).toEqual([
      'X-RateLimit-Limit',
      'Pet.name',
      'Pet.categoryId',
    ]);
  });
});
