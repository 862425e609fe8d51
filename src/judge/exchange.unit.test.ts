import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { deriveProbes } from '../probes/derive.ts';
import type { Exchange } from '../session/exchange.ts';
import { judgeExchanges } from './exchange.ts';

const contract = loadContract();
const headers = [
  ['Content-Type', 'application/json'],
  ['X-RateLimit-Limit', '60'],
  ['X-RateLimit-Remaining', '59'],
  ['X-RateLimit-Reset', '1795262400'],
] as const;

test('a body that petspec did not read is held against nobody, and its headers are judged all the same', () => {
  const exchange: Exchange = {
    id: 1,
    probe: 'listPets:plain',
    operation: 'listPets',
    address: 'baseUrl',
    stage: 'first',
    key: 'valid',
    method: 'GET',
    url: 'http://127.0.0.1/v1/pets',
    requestHeaders: [],
    sentAt: 0,
    receivedAt: 1,
    inFlight: 1,
    response: { status: 200, headers, body: '', unread: 'larger than petspec reads' },
    rate: {},
  };
  const [judged] = judgeExchanges([exchange], {
    contract,
    probes: deriveProbes(contract),
    today: 0,
    referencesKnown: true,
  });
  expect(judged?.deviations).toEqual([]);
  expect(judged?.met).toContain('X-RateLimit-Limit');
  expect(judged).toMatchObject({ sound: false, inconclusive: { reason: 'larger than petspec reads' } });
});
