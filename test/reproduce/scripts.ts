import { loadContract } from '../../src/contract/load.ts';
import type { Exchange } from '../../src/model/exchange.ts';
import type { Repetition } from '../../src/model/repetition.ts';
import { deriveProbes } from '../../src/probes/derive.ts';
import { reproduce } from '../../src/report/reproduce/index.ts';
import { collectRequests } from '../../src/report/reproduce/requests.ts';
import { allChecks } from '../../suites/index.ts';
import { exchange } from '../exchanges/exchange.ts';

export const contract = loadContract();
const added = allChecks(contract).flatMap(({ add }) => add?.(contract) ?? []);
export const probes = new Map([...deriveProbes(contract), ...added].map((each) => [each.id, each]));

export const BASE = 'https://staging.example.com/v1';
export const list: Exchange = exchange({
  url: `${BASE}/pets`,
  requestHeaders: [['authorization', 'Bearer $PETSPEC_API_KEY']],
  receivedAt: 5,
  response: { status: 200, headers: [], body: '[{"id":7,"name":"Rex","categoryId":1}]' },
  rate: { limit: 60 },
});
export const creation: Exchange = {
  ...list,
  id: 2,
  probe: 'createPet:minimal',
  operation: 'createPet',
  stage: 'create',
  method: 'POST',
  requestBody: '{"name":"Rex-bcdfghjk","categoryId":1}',
  response: {
    status: 201,
    headers: [],
    body: '{"id":9007199254740993,"name":"Rex-bcdfghjk","categoryId":1}',
  },
};
export const read: Exchange = {
  ...list,
  id: 3,
  probe: 'getPet:createPet:minimal',
  operation: 'getPet',
  stage: 'read',
  url: `${BASE}/pets/9007199254740993`,
  response: { status: 500, headers: [], body: '' },
};
export const refusal: Exchange = {
  ...list,
  id: 4,
  probe: 'listPets:exhaust',
  stage: 'exhaust',
  url: `${BASE}/pets?limit=1`,
  response: { status: 429, headers: [['Retry-After', '30']], body: '{}' },
};

export interface How {
  repetition?: Repetition;
  settings?: { isInsecure?: boolean; keyVariable?: string };
}

/** What reproduces the last of these exchanges. */
export function scriptOf(exchanges: readonly Exchange[], { repetition, settings }: How = {}) {
  const requests = collectRequests(contract, new Set(exchanges.map(({ id }) => id)));
  for (const each of exchanges) requests.add(each);
  const evidence = exchanges.slice(-1).map(({ id }) => id);
  const run = { contract, probes, requests, settings: { isInsecure: false, ...settings }, plan: 'free' };
  const found = reproduce({ evidence, ...(repetition ? { repetition } : {}) }, run);
  if (!found) throw new Error('there is no script');
  return found;
}

/** An exchange with some fields changed. */
export const changed = (exchange: Exchange, change: Partial<Exchange>): Exchange => ({
  ...exchange,
  ...change,
});
